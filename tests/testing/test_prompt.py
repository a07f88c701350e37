"""The fake model parses the prompts that the agents really send."""

from __future__ import annotations

import dataclasses

from garabench.agents.dialects.reply import ReplyFlaw, UnparsedReply
from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.models.codecs import completions
from garabench.agents.models.messages import ChatRequest
from garabench.agents.profiles import built_in
from garabench.agents.prompting.request import PreparedRequest, RequestBuilder
from garabench.core import action as act
from garabench.core.geometry import Size
from garabench.testing.prompt import matches_input, note_marker, read_prompt, states_rules
from garabench.testing.requests import ReceivedRequest
from garabench.testing.validation import read_chat
from tests.cases import every_case
from tests.testing.test_screen_texts import HOSTILE, observation

PROFILES = built_in()
BRIEF = Brief("给“稻香”点赞。\nThen stop.", "zh", "tv.danmaku.bili", 10, Size(360, 800), 0)


def sent(request: ChatRequest) -> ReceivedRequest:
    return read_chat(completions.body(request), 1)


def prepared(
    name: str, history: list[Turn], texts: tuple[str, ...] = ("a", "b")
) -> tuple[RequestBuilder, PreparedRequest]:
    builder = RequestBuilder(PROFILES[name])
    earlier = [builder.prepare(BRIEF, observation(texts), history[:at]) for at in range(len(history))]
    return builder, builder.prepare(BRIEF, observation(texts), history, earlier)


def turns(number: int) -> list[Turn]:
    return [
        Turn(Decision(act.Tap(x=180, y=25), f"step {at} {note_marker(4, at)}"), True)
        for at in range(1, number + 1)
    ]


@every_case("name", PROFILES)
@every_case("steps", [0, 1, 22])
def test_the_history_is_parsed(name: str, steps: int) -> None:
    form = PROFILES[name].history.form.value
    _, made = prepared(name, turns(steps))
    prompt = read_prompt(sent(made.request), PROFILES[name])
    assert "给“稻香”点赞。 Then stop." in prompt.task
    assert not prompt.repair
    if form == "none":
        assert (prompt.note, prompt.steps) == (None, None)
    elif form == "actions":
        assert (prompt.note, prompt.steps) == (None, steps)
        assert len(set(prompt.lines)) == min(1, steps) and len(prompt.lines) == min(20, steps)
    else:
        assert prompt.note == ((4, steps) if steps else None)


@every_case("name", PROFILES)
def test_a_repair_request_is_recognized_and_its_reply_is_not_a_step(name: str) -> None:
    builder, made = prepared(name, turns(2))
    again = builder.repair(
        made, f"What? {note_marker(9, 9)}", UnparsedReply(ReplyFlaw.NO_ACTION, "there is none")
    )
    first, second = (read_prompt(sent(request), PROFILES[name]) for request in (made.request, again))
    assert second == dataclasses.replace(first, repair=True)


@every_case("name", PROFILES)
def test_screen_texts_are_neither_steps_nor_notes(name: str) -> None:
    _, made = prepared(name, [], HOSTILE)
    prompt = read_prompt(sent(made.request), PROFILES[name])
    assert prompt.note is None
    assert not prompt.steps


@every_case("name", PROFILES)
def test_a_prompt_is_recognized_by_its_rules(name: str) -> None:
    _, made = prepared(name, turns(1))
    request = sent(made.request)
    matching = {one.dialect for one in PROFILES.values() if states_rules(one, request)}
    assert PROFILES[name].dialect in matching
    assert len(matching) == 1 or PROFILES[name].form.value == "tools", matching
    assert matches_input(PROFILES[name], request, read_prompt(request, PROFILES[name]))

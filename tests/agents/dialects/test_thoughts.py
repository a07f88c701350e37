"""Actions in a model's thoughts are ignored."""

from __future__ import annotations

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.agents.dialects.thoughts import ended, split
from garabench.core import action as act
from tests.agents.dialects.views import view_of
from tests.cases import every_case

HOME = '{"action":"system_button","button":"Home"}'
CALL = f'{{"name":"mobile_use","arguments":{HOME}}}'


@every_case(
    ("name", "text"),
    [
        ("json", '<think>The schema allows {"action":"done","answer":"..."} at the end, but first'),
        ("json", '<think>{"action":"home"}</think>'),
        ("json", '<thinking>I would {"action":"home"}'),
        ("gemini", '<think>a</think><think>{"action":"home"}'),
        ("agentcpm-gui", '<think>In the end {"STATUS":"finish"} is due, but'),
        ("autoglm-phone", '<think>do(action="Home") would leave the app, so'),
        ("qwen2.5-vl", f"Thought: I could use {HOME} but the task says to"),
        ("qwen3-vl", f"Thought: I could use {HOME} but the task says to"),
        ("qwen3-vl", f"Thought: I could use {CALL}, which"),
        ("qwen3-vl", f'Thought: I could use {HOME}\nAction: "tap it"'),
        ("gui-owl", f"### Thought ###\nI could use {HOME} but"),
        ("gui-owl", f"### Thought ###\nI could use {HOME}\n### Description ###\nhome"),
        ("gui-owl-1.5", f"Thought: I could use {HOME} but the task says to"),
        ("m3a", 'Reason: In the last step I did {"action_type":"click","index":4}, which did'),
        ("m3a", 'Reason: I did {"action_type":"click","index":4}, so\nAction: tap it'),
        ("glm-4.5v", 'Memory:\n[]\nReason:\nI did {"action_type":"navigate_back"}, which'),
        ("ui-tars-1.5", "Thought: press_home() would leave the app"),
        ("appagent", "Observation: a list\nThought: tap(1) would open it, but"),
    ],
)
def test_a_call_in_a_thought_is_ignored(name: str, text: str) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw is ReplyFlaw.NO_ACTION


@pytest.mark.parametrize(
    ("name", "text", "thought"),
    [
        ("json", '<think>Not {"action":"back"}.</think>\n{"action":"home"}', 'Not {"action":"back"}.'),
        ("json", 'Not {"action":"back"}.</think>{"thought":"so","action":"home"}', None),
        ("json", '<think>w</think><think>v</think>{"action":"home"}', "w\nv"),
        ("autoglm-phone", '<think>w\n<answer>do(action="Home")</answer>', "w"),
        ("qwen2.5-vl", f"<think>w, not {CALL}\n<tool_call>{CALL}</tool_call>", None),
        ("qwen3-vl", f"Thought: not {CALL}.\nAction: {CALL}", None),
        ("qwen3-vl", f"Thought: w\n{CALL}", None),
        ("gui-owl", f"### Thought ###\nw\n### Action\n{HOME}\n### Description\nd", None),
        ("m3a", 'Reason: w\n{"action_type":"navigate_home"}', None),
        ("m3a", '<think>{"action_type":"wait"}\nAction: {"action_type":"navigate_home"}', None),
        ("ui-tars-1.5", "<think>press_back()?</think>Thought: w\nAction: press_home()", None),
    ],
)
def test_the_action_after_a_thought_counts(name: str, text: str, thought: str | None) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == act.Home()
    if thought is not None:
        assert reply.thought == thought


def test_a_tag_in_a_typed_text_is_typed() -> None:
    reply = DIALECTS["json"].parse('{"action":"type","text":"<think>a</think>"}', view_of(DIALECTS["json"]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == act.Type(text="<think>a</think>")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ("", "")),
        ("a", ("", "a")),
        ("<think>a</think>b", ("a", "b")),
        ("<think>a</think>", ("a", "")),
        ("so <thinking>a</thinking> b", ("so\na", " b")),
        ("a</think>{}", ("a", "{}")),
    ],
)
def test_a_reply_is_split_into_thought_and_rest(text: str, parts: tuple[str, str]) -> None:
    assert split(text) == parts


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("<tool_call>x</tool_call> and", "<tool_call>x</tool_call>"),
        ("Action: tap(1)\nSumm", "Action: tap(1)\n"),
        ("Action: tap(1)", None),
        ("Action: tap(\n", None),
        ("<think></tool_call>", None),
        ("", None),
    ],
)
def test_the_last_complete_action_is_found(text: str, before: str | None) -> None:
    assert ended(text) == before

"""A reply has exactly one action: two actions, or one that the text denies, are rejected."""

from __future__ import annotations

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.core import action as act
from tests.agents.dialects.views import view_of
from tests.cases import every_case

SEVERAL, NONE = {ReplyFlaw.SEVERAL_ACTIONS}, {ReplyFlaw.NO_ACTION}
BROKEN = {ReplyFlaw.CUT_OFF, ReplyFlaw.BAD_ARGUMENT}
CLICK = "click(start_box='(1,2)')"


@every_case(
    ("name", "text", "flaws"),
    [
        ("appagent", "Action: tap(2) then tap(3)", SEVERAL),
        ("appagent", "Action: not tap(2) but tap(3)", NONE),
        ("appagent", "Action: 1. tap(2) 2. tap(3)", NONE),
        ("appagent", "Action: don't tap(2)", NONE),
        ("appagent", "Action: tap(2)\nFINISH", SEVERAL),
        ("appagent", "Action: tap(2), then FINISH", SEVERAL),
        ("appagent", "Action: FINISH tap(2)", SEVERAL),
        ("appagent", "Action: FINISH\ntap(2)", SEVERAL),
        ("appagent", "Action: FINISH would be wrong", NONE),
        ("appagent", "tap(2) then tap(3)", SEVERAL),
        *(
            (name, text, flaws)
            for name in ("ui-tars-1.0", "ui-tars-1.5", "doubao-ui-tars")
            for text, flaws in (
                (f"Action: {CLICK}; then type(content='x')", SEVERAL),
                (f"Action: {CLICK}\nThen:\ntype(content='x')", SEVERAL),
                (f"Action: not {CLICK} but press_back()", NONE),
                (f"Action: don't {CLICK}", NONE),
                (f"Action: 1. {CLICK}", NONE),
                (f"Thought: the last Action: {CLICK} failed, so press_back() is next", SEVERAL),
                (f"{CLICK}, then press_back()", SEVERAL),
            )
        ),
        ("autoglm-phone", '<answer>do(action="Back") and then finish(message="x")</answer>', SEVERAL),
        ("autoglm-phone", '<answer>not do(action="Back")</answer>', NONE),
        ("json", '{"action":"tap","coords":[1,2]} {"action":', BROKEN),
        ("json", '{"action":"tap","coords":[1,2]} {"action": tap}', BROKEN),
        ("json", '{"action":"tap","coords":[1,2]}\n{', BROKEN),
        ("json", '{"actions":[{"action":"tap","coords":[1,2]}, {"action":', BROKEN),
        ("json", '{"actions":[{"action":"tap","coords":[1,2]}], "reason": "a', BROKEN),
        ("agentcpm-gui", '{"POINT":[1,2]} {"POINT":[3', BROKEN),
        ("m3a", 'Action: {"action_type":"wait"} {"action_type":"nav', BROKEN),
    ],
)
def test_two_actions_are_rejected(name: str, text: str, flaws: set[ReplyFlaw]) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw in flaws, reply


@pytest.mark.parametrize(
    ("name", "text", "action"),
    [
        ("appagent", "Action: back()\nSummary: I will tap(3) then.", act.Back()),
        ("appagent", "Action: FINISH.\nSummary: I did tap(3).", act.Done()),
        ("appagent", 'Action: text("FINISH tap(2)")', act.Type(text="FINISH tap(2)")),
        ("ui-tars-1.5", "Action: type(content='press_back()')", act.Type(text="press_back()")),
        ("ui-tars-1.5", "Action: press_back() to leave (the page)", act.Back()),
        ("autoglm-phone", '<answer>```python\ndo(action="Back")\n```</answer>', act.Back()),
        ("json", 'Not {"action": …} but {"action":"back"}.', act.Back()),
        ("json", '{"actions":[{"action":"back"}]', act.Back()),
    ],
)
def test_words_around_an_action_are_ignored(name: str, text: str, action: act.Action) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == action

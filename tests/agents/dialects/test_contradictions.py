"""Contradictory arguments are rejected; the parser does not choose among them."""

from __future__ import annotations

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.core import action as act
from tests.agents.dialects.views import view_of
from tests.cases import every_case

BAD, SEVERAL = ReplyFlaw.BAD_ARGUMENT, ReplyFlaw.SEVERAL_ACTIONS


def tool(arguments: str, name: str = "mobile_use") -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'


@every_case(
    ("name", "text", "flaw"),
    [
        ("json", '{"action":"swipe","start":[1,2],"end":[3,4],"direction":"up"}', BAD),
        ("json", '{"action":"swipe","coords":[9,9],"to":[3,4],"direction":"up"}', BAD),
        ("json", '{"action":"swipe","coords":[9,9],"start":[1,2],"end":[3,4]}', BAD),
        ("json", '{"action":"tap","element":0,"coords":[9,9]}', BAD),
        ("json", '{"action":"tap","coords":[9,9],"x":1,"y":2}', BAD),
        ("json", '{"action":"tap","coords":[9,9],"point":[7,7]}', BAD),
        ("json", '{"action":"tap","coords":[9,9],"to":[7,7]}', BAD),
        ("json", '{"action":"type","text":"a","x":5}', BAD),
        ("json", '{"action":"done","status":"perhaps"}', BAD),
        ("json", '{"action":"wait","seconds":-1}', BAD),
        ("json", '{"action":"long_press","coords":[9,9],"seconds":-1}', BAD),
        ("json", '{"action":"scroll","direction":"up","amount":-0.5}', BAD),
        ("json", '{"action":"tap","coords":[0.25,0.5]}', BAD),
        ("gemini", '{"action":"tap","point":[0.25,0.5]}', BAD),
        ("gemini", '{"action":"tap","box_2d":[0.2,0.2,0.4,0.4]}', BAD),
        ("m3a", 'Action: {"action_type":"click","index":1,"x":5,"y":6}', BAD),
        ("m3a", 'Action: {"action_type":"input_text","text":"a","x":5}', BAD),
        ("glm-4.5v", 'Action: {"action_type":"click","box_2d":[[1,1,9,9]],"x":5,"y":6}', BAD),
        ("ui-tars-1.0", "Action: click(start_box='(1,2)', end_box='(3,4)')", BAD),
        ("ui-tars-1.0", "Action: click(start_box='(1,2)(3,4)')", BAD),
        ("ui-tars-1.5", "Action: click(start_box='(9,9)', point='<point>5 5</point>')", BAD),
        ("doubao-ui-tars", "Action: click(point='<point>1 2</point><point>3 4</point>')", BAD),
        ("doubao-ui-tars", "Action: click(point='<point>0.25 0.5</point>')", BAD),
        ("qwen2.5-vl", tool('{"action":"click","coordinate":[5,5],"coordinate2":[9,9]}'), BAD),
        ("qwen3-vl", tool('{"action":"long_press","coordinate":[5,5],"time":-2}'), BAD),
        ("qwen3-vl", tool('{"action":"click","coordinate":[0.5,0.25]}'), BAD),
        ("qwen3-vl", tool('{"action":"click","coordinate":[5,5]}', "web_search"), ReplyFlaw.UNKNOWN_ACTION),
        ("gui-owl", '### Action ###\n{"action":"type","text":"a","coordinate":[5,5]}', BAD),
        ("agentcpm-gui", '{"POINT":[5,5],"STATUS":"finish"}', SEVERAL),
        ("agentcpm-gui", '{"PRESS":"BACK","STATUS":"finish"}', SEVERAL),
        ("agentcpm-gui", '{"TYPE":"a","STATUS":"impossible"}', SEVERAL),
        ("agentcpm-gui", '{"duration":-500}', BAD),
        ("agentcpm-gui", '{"POINT":[0.5,0.5]}', BAD),
        *(
            ("openai-computer-use", f'{{"type":"click","x":5,"y":5,"button":"{button}"}}', BAD)
            for button in ("back", "forward", "wheel")
        ),
    ],
)
def test_contradictions_are_rejected(name: str, text: str, flaw: ReplyFlaw) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw is flaw, reply


@pytest.mark.parametrize(
    ("name", "text", "action"),
    [
        (
            "json",
            '{"action":"done","success":false,"answer":"no such song"}',
            act.GiveUp(reason="no such song"),
        ),
        ("json", '{"action":"done","status":"failed"}', act.GiveUp()),
        ("json", '{"action":"done","status":"success","success":true,"answer":"a"}', act.Done(answer="a")),
        ("json", '{"action":"tap","coords":[0,0]}', act.Tap(x=0, y=0)),
        ("ui-tars-1.0", "Action: click(start_box='(y=495, x=30)')", act.Tap(x=32, y=1188)),
        ("qwen3-vl", tool('{"action":"type","text":"a","coordinate":[0,0]}'), act.Type(text="a", at=(0, 0))),
        ("agentcpm-gui", '{"POINT":[0,0],"STATUS":"continue"}', act.Tap(x=0, y=0)),
        ("openai-computer-use", '{"type":"click","x":0,"y":0,"button":"right"}', act.LongPress(x=0, y=0)),
    ],
)
def test_consistent_arguments_are_accepted(name: str, text: str, action: act.Action) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == action


def test_fractions_are_reported_as_such() -> None:
    reply = DIALECTS["json"].parse('{"action":"tap","coords":[0.25,0.5]}', view_of(DIALECTS["json"]))
    assert isinstance(reply, UnparsedReply)
    assert reply.reason.startswith("(0.25, 0.5) are fractions; use numbers up to ")

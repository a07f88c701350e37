"""Replies that deviate from the documented format: Markdown, other names, calls as text."""

from __future__ import annotations

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.core import action as act
from garabench.core.action import Action
from tests.agents.dialects.views import SCREEN, elements, view_of
from tests.cases import every_case

MIDDLE = act.Tap(x=540, y=1200)
SECOND, FIFTH = (elements(SCREEN)[at].center for at in (1, 4))
JD = act.OpenApp(package="com.jingdong.app.mall")
ENTER = act.Key(name="enter")


def tool(arguments: str) -> str:
    return f'<tool_call>{{"name":"mobile_use","arguments":{arguments}}}</tool_call>'


READ: list[tuple[str, str, Action]] = [
    # the end of a turn, spaces, brackets of other kinds, boxes
    ("ui-tars-1.5", "Thought: a\nAction: click(start_box='(546, 1204)')<|im_end|>", MIDDLE),
    ("ui-tars-1.5", "Thought: a\nAction: click(start_box=(546,1204))", MIDDLE),
    ("ui-tars-1.5", "Thought: a\nAction: click(start_box='[546,1204]')", MIDDLE),
    ("ui-tars-1.5", "Thought: a\nAction: click(start_box='[500, 1200, 592, 1208]')", MIDDLE),
    ("ui-tars-1.5", "Thought: a\nAction: click(start_box='<|box_start|>(546,1204)<|box_end|>')", MIDDLE),
    ("ui-tars-1.5", "Thought: a\nAction: click(point='<point>546 1204</point>')", MIDDLE),
    ("ui-tars-1.5", "Action: click(start_box='(546,1204)'). Then I wait.", MIDDLE),
    ("ui-tars-1.5", "**Thought:** a\n**Action:** press_home()", act.Home()),
    ("ui-tars-1.5", "Thought: a Action: press_home()", act.Home()),
    ("ui-tars-1.5", "Thought: a\nAction：press_home()", act.Home()),
    ("ui-tars-1.5", "```\nThought: a\nAction: press_home()\n```", act.Home()),
    ("ui-tars-1.5", "Thought: Action: press it\nAction: press_home()", act.Home()),
    ("ui-tars-1.5", "Reflection: r\nAction_Summary: s\nAction: press_back()", act.Back()),
    ("ui-tars-1.5", "Action: scroll(direction='Down')", act.Scroll(direction="down")),
    ("ui-tars-1.5", "Action: long_press(start_box='(546,1204)', time='')", act.LongPress(x=540, y=1200)),
    ("ui-tars-1.5", "Action: finished(content='3 (three).')", act.Done(answer="3 (three).")),
    ("doubao-ui-tars", "Action: click(point='<point>500,500</point>')", MIDDLE),
    ("doubao-ui-tars", "<think>想</think>\nThought: 点\nAction: press_back()", act.Back()),
    ("agentcpm-gui", '{"thought":"x","POINT":[500,500],"duration":200,"STATUS":"continue"}', MIDDLE),
    ("agentcpm-gui", '{"POINT":[500,500]}<|im_end|>', MIDDLE),
    ("agentcpm-gui", '{"POINT":null,"PRESS":"BACK"}', act.Back()),
    ("agentcpm-gui", '{"STATUS":"start","POINT":[500,500]}', MIDDLE),
    ("qwen2.5-vl", tool('{"action":"click","coordinate":[546,1204]}') + "<|im_end|>", MIDDLE),
    ("qwen2.5-vl", '<tool_call>{"name":"mobile_use","arguments":{"action":"system_button","button":"Back"}}',
     act.Back()),
    ("qwen2.5-vl", tool('"{\\"action\\":\\"wait\\",\\"time\\":2}"'), act.Wait(seconds=2)),
    ("qwen2.5-vl", '{"name":"mobile_use","parameters":{"action":"wait","time":"2"}}', act.Wait(seconds=2)),
    ("qwen2.5-vl", tool('{"action":"key","text":"KEYCODE_BACK"}'), act.Back()),
    ("qwen2.5-vl", tool('{"action":"key","text":"clear"}'), act.Clear()),
    ("qwen2.5-vl", tool('{"action":"scroll","coordinate":[546,1806],"coordinate2":[546,602]}'),
     act.Swipe(x1=540, y1=1800, x2=540, y2=600)),
    ("qwen2.5-vl", tool('{"action":"open_app","text":"JD"}'), JD),
    ("qwen3-vl", '<think>{"action":"x"}</think>\n' + tool('{"action":"answer","text":"3"}'),
     act.Done(answer="3")),
    ("gui-owl", '### Thought ###\nt\n### Action ###\n```json\n{"action":"wait"}\n```\n### Description ###\nd',
     act.Wait(seconds=2)),
    ("gui-owl", '### Action ###\n{"action":"type","text":"a_b\\n"}', act.Type(text="a_b", submit=True)),
    ("gui-owl-1.5", tool('{"action":"interact","text":"log in"}'), act.GiveUp(reason="log in")),
    ("gui-owl-1.5", tool('{"action":"call_user"}'), act.GiveUp(reason="a person has to act")),
    ("gui-owl-1.5", tool('{"action":"key","text":"camera"}'), act.Key(name="camera")),
    ("autoglm-phone", '想一想\n\ndo(action="Tap", element=[500, 500])', MIDDLE),
    ("autoglm-phone", "do(action='Tap', element=(500,500))", MIDDLE),
    ("autoglm-phone", '<think>do(action="Back")？不</think><answer>do(action="Home")</answer>', act.Home()),
    ("autoglm-phone", '<answer>do(action="Type", text="他说"你好"")</answer>',
     act.Type(text='他说"你好"', clear=True)),
    ("autoglm-phone", '<answer>finish(message="好")</answer><|user|>', act.Done(answer="好")),
    ("autoglm-phone", 'do(action="Call_API", instruction="总结")', act.Wait(seconds=0.1)),
    ("glm-4.5v", 'Action: {"action_type":"click","box_2d":[400,400,599,599]}', act.Tap(x=540, y=1200)),
    ("glm-4.5v", '<think>t</think>Memory: x\nReason: y\nAction: {"action_type":"wait"}', act.Wait(seconds=1)),
    ("glm-4.5v", 'Action: {"action_type":"answer","text":42}', act.Done(answer="42")),
    ("m3a", 'Reason: r\n\nAction:\n```json\n{"action_type":"wait"}\n```', act.Wait(seconds=1)),
    ("m3a", 'Action: {"action_type":"click","index":"1"}', act.Tap(x=SECOND.x, y=SECOND.y)),
    ("m3a", '**Reason:** r\n**Action:** {"action_type":"keyboard_enter"}', ENTER),
    ("json", '{"action":"click","x":353,"y":784}', MIDDLE),
    ("json", '{"action":"tap","coords":"353,784"}', MIDDLE),
    ("json", '{"action":"tap","bbox":[343,774,363,794]}', MIDDLE),
    ("json", '{"name":"act","arguments":{"action":"tap","coords":[353,784]}}', MIDDLE),
    ("json", '[{"action":"tap","coords":[353,784]}]', MIDDLE),
    ("json", '{"action":"swipe","start":[353,1176],"end":[353,392]}',
     act.Swipe(x1=540, y1=1800, x2=540, y2=600)),
    ("json", '{"action":"drag","from":[353,1176],"to":[353,392]}',
     act.Drag(x1=540, y1=1800, x2=540, y2=600)),
    ("json", '{"action":"done","answer":3}', act.Done(answer="3")),
    ("gemini", '{"action":"tap","point":[500.0,500.0]}', MIDDLE),
    ("gemini", '{"action":"tap","box_2d":[400,400,600,600],"label":"x"}', MIDDLE),
    ("gemini-computer-use", '{"name":"click","args":{"x":500,"y":500,"intent":"open it"}}', MIDDLE),
    ("gemini-computer-use", '{"name":"type","args":{"text":"a","press_enter":true}}',
     act.Type(text="a", submit=True)),
    ("gemini-computer-use", '{"name":"press_key","args":{"key":"Enter"}}', ENTER),
    ("gemini-computer-use", '{"name":"hotkey","args":{"keys":["home"]}}', act.Home()),
    ("gemini-computer-use", '{"name":"scroll","args":{"x":500,"y":500,"direction":"down","magnitude":400}}',
     act.Scroll(direction="down", x=540, y=1200, amount=0.4)),
    ("gemini-computer-use", '{"name":"long_press","args":{"x":500,"y":500}}', act.LongPress(x=540, y=1200)),
    ("gemini-computer-use", '{"name":"wait","args":{"seconds":2}}', act.Wait(seconds=2)),
    ("openai-computer-use", '{"type":"keypress","keys":["PAGEDOWN"]}', act.Key(name="page_down")),
    ("openai-computer-use", '{"type":"keypress","keys":["ARROWDOWN"]}', act.Key(name="dpad_down")),
    ("openai-computer-use", '{"type":"click","x":352.9,"y":784.2,"button":"left","keys":null}', MIDDLE),
    ("openai-computer-use", '{"type":"scroll","x":353,"y":784,"scroll_x":null,"scroll_y":784}',
     act.Scroll(direction="down", x=540, y=1200)),
    ("anthropic-computer-use", '{"action":"left_click","coordinate":"[353, 784]"}', MIDDLE),
    ("anthropic-computer-use", '{"action":"key","text":"BackSpace"}', act.Key(name="delete")),
    ("anthropic-computer-use", '{"action":"key","text":"Page_Down"}', act.Key(name="page_down")),
    ("appagent", "**Action:** tap(5)", act.Tap(x=FIFTH.x, y=FIFTH.y)),
    ("appagent", "Action: `tap(5)`", act.Tap(x=FIFTH.x, y=FIFTH.y)),
    ("appagent", "Action: tap(element=5)", act.Tap(x=FIFTH.x, y=FIFTH.y)),
    ("appagent", 'Action: text(text_input="稻香")', act.Type(text="稻香")),
    ("appagent", 'Action: swipe(element=5, direction="right", dist="short")',
     act.Swipe(x1=FIFTH.x, y1=FIFTH.y, x2=FIFTH.x + 108, y2=FIFTH.y)),
    ("appagent", "**Action:** **FINISH**", act.Done()),
]  # fmt: skip


@every_case(("name", "text", "action"), READ)
def test_unambiguous_replies_are_accepted(name: str, text: str, action: Action) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == action


@every_case(
    ("name", "text", "flaw"),
    [
        ("ui-tars-1.5", "Action: right_single(start_box='(9,9)')", ReplyFlaw.UNKNOWN_ACTION),
        ("ui-tars-1.5", "Action: wait(1)", ReplyFlaw.BAD_ARGUMENT),
        ("doubao-ui-tars", "Action: hotkey(key='ctrl c')", ReplyFlaw.BAD_ARGUMENT),
        ("agentcpm-gui", '{"thought": "引号"没转义","POINT":[1,1]}', ReplyFlaw.BAD_ARGUMENT),
        ("agentcpm-gui", '{"thought":"x"}', ReplyFlaw.NO_ACTION),
        (
            "qwen2.5-vl",
            tool('{"action":"swipe","coordinate":[5,500],"direction":"up"}'),
            ReplyFlaw.BAD_ARGUMENT,
        ),
        ("qwen3-vl", tool('{"action":"click","coordinate":[1000,1000]}'), ReplyFlaw.OFF_SCREEN),
        ("gui-owl", "### Action ###\nclick(5,5)", ReplyFlaw.NO_ACTION),
        ("autoglm-phone", 'do(action="Launch", app="没有")', ReplyFlaw.UNKNOWN_APP),
        ("m3a", 'Action: {"action_type":"unknown"}', ReplyFlaw.UNKNOWN_ACTION),
        ("json", '{"action":"tap(353, 784)"}', ReplyFlaw.UNKNOWN_ACTION),
        ("gemini-computer-use", '{"name":"list_apps","args":{}}', ReplyFlaw.UNKNOWN_ACTION),
        ("openai-computer-use", '{"type":"keypress","keys":["CTRL","A"]}', ReplyFlaw.BAD_ARGUMENT),
        ("anthropic-computer-use", '{"action":"mouse_move","coordinate":[1,1]}', ReplyFlaw.UNKNOWN_ACTION),
        ("appagent", "Action: grid()", ReplyFlaw.UNKNOWN_ACTION),
        ("appagent", "Action: tap(5), tap(6)", ReplyFlaw.SEVERAL_ACTIONS),
    ],
)
def test_meaningless_replies_are_rejected(name: str, text: str, flaw: ReplyFlaw) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply) and reply.flaw is flaw, reply

"""Replies from the models' own documentation, and their actions on a screen of 1080 x 2400."""

from __future__ import annotations

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Point
from tests.agents.dialects.views import SCREEN, elements, view_of
from tests.cases import every_case

FIFTH = elements(SCREEN)[4].center
FIRST = elements(SCREEN)[0].center
BILI = act.OpenApp(package="tv.danmaku.bili")


def at(point: Point) -> act.Tap:
    return act.Tap(x=point.x, y=point.y)


def tool(arguments: str) -> str:
    return f'<tool_call>\n{{"name": "mobile_use", "arguments": {arguments}}}\n</tool_call>'


GOLDEN: list[tuple[str, str, Action]] = [
    (
        "ui-tars-1.0",
        "Thought: The shop is open.\nAction: click(start_box='<|box_start|>(495,30)<|box_end|>')",
        act.Tap(x=535, y=72),
    ),
    ("ui-tars-1.0", "Action: press_home()", act.Home()),
    ("ui-tars-1.5", "Action: click(start_box='(197,525)')", act.Tap(x=195, y=523)),
    ("ui-tars-1.5", "Thought: 搜索\nAction: type(content='稻香\\n')", act.Type(text="稻香", submit=True)),
    ("ui-tars-1.5", "Action: type(content='it\\'s')", act.Type(text="it's")),
    ("ui-tars-1.5", "Action: open_app(app_name='哔哩哔哩')", BILI),
    (
        "ui-tars-1.5",
        "Action: scroll(start_box='(546,1204)', direction='down')",
        act.Scroll(direction="down", x=540, y=1200),
    ),
    (
        "ui-tars-1.5",
        "Action: drag(start_box='(546,1806)', end_box='(546,602)')",
        act.Swipe(x1=540, y1=1800, x2=540, y2=600),
    ),
    ("ui-tars-1.5", "Action: long_press(start_box='(0,0)')", act.LongPress(x=0, y=0)),
    ("ui-tars-1.5", "Action: finished(content='42 元')", act.Done(answer="42 元")),
    ("ui-tars-1.5", "Action: press_back()", act.Back()),
    ("doubao-ui-tars", "Action: click(point='<point>200 300</point>')", act.Tap(x=216, y=720)),
    ("doubao-ui-tars", "Action: click(point=<point>200 300</point>)", act.Tap(x=216, y=720)),
    (
        "doubao-ui-tars",
        "Action: scroll(point='<point>500 500</point>', direction='up')",
        act.Scroll(direction="up", x=540, y=1200),
    ),
    ("agentcpm-gui", '{"thought":"点击","POINT":[729,69]}', act.Tap(x=787, y=166)),
    (
        "agentcpm-gui",
        '{"POINT":[500,200],"to":"down"}',
        act.Swipe(x1=540, y1=480, x2=540, y2=1440),
    ),
    (
        "agentcpm-gui",
        '{"POINT":[500,800],"to":[500,200]}',
        act.Swipe(x1=540, y1=1920, x2=540, y2=480),
    ),
    ("agentcpm-gui", '{"POINT":[500,500],"duration":1000}', act.LongPress(x=540, y=1200, ms=1000)),
    ("agentcpm-gui", '{"PRESS":"HOME"}', act.Home()),
    ("agentcpm-gui", '{"PRESS":"ENTER"}', act.Key(name="enter")),
    ("agentcpm-gui", '{"TYPE":"x"}', act.Type(text="x")),
    ("agentcpm-gui", '{"duration":500}', act.Wait(seconds=0.5)),
    ("agentcpm-gui", '{"STATUS":"finish"}', act.Done()),
    ("agentcpm-gui", '{"thought":"无法完成","STATUS":"impossible"}', act.GiveUp(reason="impossible")),
    ("qwen2.5-vl", tool('{"action":"click","coordinate":[546,1204]}'), act.Tap(x=540, y=1200)),
    (
        "qwen2.5-vl",
        tool('{"action":"swipe","coordinate":[546,1806],"coordinate2":[546,602]}'),
        act.Swipe(x1=540, y1=1800, x2=540, y2=600),
    ),
    (
        "qwen2.5-vl",
        tool('{"action":"long_press","coordinate":[546,1204],"time":2}'),
        act.LongPress(x=540, y=1200, ms=2000),
    ),
    ("qwen2.5-vl", tool('{"action":"type","text":"稻香"}'), act.Type(text="稻香")),
    ("qwen2.5-vl", tool('{"action":"system_button","button":"Back"}'), act.Back()),
    ("qwen2.5-vl", tool('{"action":"system_button","button":"Menu"}'), act.Key(name="menu")),
    ("qwen2.5-vl", tool('{"action":"open","text":"JD"}'), act.OpenApp(package="com.jingdong.app.mall")),
    ("qwen2.5-vl", tool('{"action":"wait","time":2}'), act.Wait(seconds=2)),
    ("qwen2.5-vl", tool('{"action":"terminate","status":"success"}'), act.Done()),
    ("qwen2.5-vl", tool('{"action":"terminate","status":"failure"}'), act.GiveUp()),
    (
        "qwen3-vl",
        'Thought: The field is there.\nAction: "Tap it"\n' + tool('{"action":"click","coordinate":[447,81]}'),
        act.Tap(x=483, y=195),
    ),
    ("qwen3-vl", tool('{"action":"click","coordinate":[999,999]}'), act.Tap(x=1079, y=2399)),
    ("qwen3-vl", tool('{"action":"answer","text":"3"}'), act.Done(answer="3")),
    (
        "gui-owl",
        '### Thought ###\nopen it\n\n### Action ###\n{"action":"click","coordinate":[546,1204]}\n\n'
        "### Description ###\nTap the icon.",
        act.Tap(x=540, y=1200),
    ),
    (
        "gui-owl-1.5",
        "Action: tap\n" + tool('{"action":"click","coordinate":[500,500]}'),
        act.Tap(x=540, y=1200),
    ),
    ("gui-owl-1.5", "Action: open\n" + tool('{"action":"open","text":"哔哩哔哩"}'), BILI),
    (
        "autoglm-phone",
        '<think>先打开</think>\n<answer>do(action="Tap", element=[500,500])</answer>',
        act.Tap(x=540, y=1200),
    ),
    (
        "autoglm-phone",
        '<answer>do(action="Swipe", start=[500,800], end=[500,200])</answer>',
        act.Swipe(x1=540, y1=1920, x2=540, y2=480),
    ),
    ("autoglm-phone", 'do(action="Type", text="你好，(世界)")', act.Type(text="你好，(世界)", clear=True)),
    ("autoglm-phone", '<answer>do(action="Launch", app="哔哩哔哩")</answer>', BILI),
    ("autoglm-phone", '<answer>do(action="Wait", duration="3 seconds")</answer>', act.Wait(seconds=3)),
    ("autoglm-phone", '<answer>finish(message="完成")</answer>', act.Done(answer="完成")),
    (
        "glm-4.5v",
        'Memory:\n[]\nReason:\nthe button\nAction:\n<|begin_of_box|>{"action_type":"click",'
        '"box_2d":[[400,400,600,600]]}<|end_of_box|>',
        act.Tap(x=541, y=1201),
    ),
    (
        "glm-4.5v",
        'Action: <|begin_of_box|>{"action_type":"status","goal_status":"complete"}<|end_of_box|>',
        act.Done(),
    ),
    ("m3a", 'Reason: it is the one\nAction: {"action_type":"click","index":4}', at(FIFTH)),
    ("m3a", 'Action: {"action_type":"click","index":0}', at(FIRST)),
    ("m3a", 'Action: {"action_type":"click","x":120,"y":310}', act.Tap(x=120, y=310)),
    (
        "m3a",
        'Action: {"action_type":"input_text","text":"稻香","index":0}',
        act.Type(text="稻香", at=(FIRST.x, FIRST.y)),
    ),
    ("m3a", 'Action: {"action_type":"scroll","direction":"down"}', act.Scroll(direction="down")),
    ("m3a", 'Action: {"action_type":"status","goal_status":"infeasible"}', act.GiveUp(reason="infeasible")),
    ("json", '{"thought":"…","action":"tap","coords":[353,784]}', act.Tap(x=540, y=1200)),
    (
        "json",
        '```json\n{"action":"type","text":"稻香","submit":true}\n```',
        act.Type(text="稻香", submit=True),
    ),
    ("json", '{"action":{"type":"back"}}', act.Back()),
    ("json", '{"name":"open_app","arguments":{"app":"哔哩哔哩"}}', BILI),
    ("gemini", '{"thought":"t","action":"tap","point":[250,500]}', act.Tap(x=540, y=600)),
    ("gemini", '{"action":"tap","box_2d":[200,400,300,600]}', act.Tap(x=540, y=600)),
    ("gemini", '{"action":"tap","point":{"x":500,"y":250}}', act.Tap(x=540, y=600)),
    ("gemini", '{"action":"tap","point":[{"y":250,"x":500}]}', act.Tap(x=540, y=600)),
    ("gemini", '{"action":"tap","box_2d":{"x":500,"y":250}}', act.Tap(x=540, y=600)),
    ("gemini", '{"action":"tap","point":"(x=500, y=250)"}', act.Tap(x=540, y=600)),
    ("gemini", '{"action":"tap","point":"[250, 500]"}', act.Tap(x=540, y=600)),
    ("gemini", '{"action":"tap","x":500,"y":250}', act.Tap(x=540, y=600)),
    ("json", '{"action":"tap","coords":{"x":353,"y":784}}', act.Tap(x=540, y=1200)),
    ("gemini-computer-use", '{"name":"click_at","args":{"x":500,"y":250}}', act.Tap(x=540, y=600)),
    (
        "gemini-computer-use",
        '{"name":"type_text_at","args":{"x":500,"y":250,"text":"稻香","press_enter":true}}',
        act.Type(text="稻香", at=(540, 600), clear=True, submit=True),
    ),
    ("gemini-computer-use", '{"name":"go_back","args":{}}', act.Back()),
    ("openai-computer-use", '{"type":"click","x":353,"y":784,"button":"left"}', act.Tap(x=540, y=1200)),
    (
        "openai-computer-use",
        '{"type":"drag","path":[{"x":353,"y":1176},{"x":353,"y":392}]}',
        act.Drag(x1=540, y1=1800, x2=540, y2=600),
    ),
    ("openai-computer-use", '{"type":"keypress","keys":["ENTER"]}', act.Key(name="enter")),
    (
        "openai-computer-use",
        '{"type":"scroll","x":353,"y":784,"scroll_x":0,"scroll_y":784}',
        act.Scroll(direction="down", x=540, y=1200, amount=0.5),
    ),
    ("anthropic-computer-use", '{"action":"left_click","coordinate":[353,784]}', act.Tap(x=540, y=1200)),
    (
        "anthropic-computer-use",
        '{"action":"scroll","coordinate":[353,784],"scroll_direction":"down","scroll_amount":5}',
        act.Scroll(direction="down", x=540, y=1200, amount=0.5),
    ),
    ("appagent", "Observation: …\nThought: …\nAction: tap(5)\nSummary: I tapped it.", at(FIFTH)),
    ("appagent", 'Action: text("稻香")\nSummary: typed', act.Type(text="稻香")),
    ("appagent", "Thought: done\nAction: FINISH\nSummary: done", act.Done()),
    ("ui-tars-1.0", "Action: press_back()", act.Back()),
    ("ui-tars-1.0", "Action: wait()", act.Wait(seconds=5)),
    (
        "ui-tars-1.0",
        "Action: scroll(start_box='<|box_start|>(500,500)<|box_end|>', direction='down')",
        act.Scroll(direction="down", x=540, y=1200),
    ),
    (
        "ui-tars-1.0",
        "Action: drag(start_box='<|box_start|>(500,800)<|box_end|>', "
        "end_box='<|box_start|>(500,200)<|box_end|>')",
        act.Swipe(x1=540, y1=1920, x2=540, y2=480),
    ),
    ("ui-tars-1.5", "Action: press_enter()", act.Key(name="enter")),
    ("ui-tars-1.5", "Action: finished()", act.Done()),
    ("ui-tars-1.5", "Action: call_user()", act.GiveUp(reason="the agent calls for its user")),
    ("doubao-ui-tars", "Action: long_press(point='<point>200 300</point>')", act.LongPress(x=216, y=720)),
    (
        "doubao-ui-tars",
        "Action: drag(start_point='<point>500 800</point>', end_point='<point>500 200</point>')",
        act.Swipe(x1=540, y1=1920, x2=540, y2=480),
    ),
    ("doubao-ui-tars", "Action: type(content='北京\\n')", act.Type(text="北京", submit=True)),
    ("doubao-ui-tars", "Action: finished(content='完成')", act.Done(answer="完成")),
    ("qwen3-vl", tool('{"action":"system_button","button":"Enter"}'), act.Key(name="enter")),
    (
        "qwen3-vl",
        tool('{"action":"swipe","coordinate":[500,800],"coordinate2":[500,200]}'),
        act.Swipe(x1=541, y1=1922, x2=541, y2=480),
    ),
    ("qwen3-vl", tool('{"action":"answer","text":"42"}'), act.Done(answer="42")),
    ("qwen3-vl", tool('{"action":"terminate","status":"failure"}'), act.GiveUp()),
    (
        "gui-owl",
        '### Thought ###\nw\n\n### Action ###\n{"action":"swipe","coordinate":[546,1806],'
        '"coordinate2":[546,602]}\n\n### Description ###\nswipe',
        act.Swipe(x1=540, y1=1800, x2=540, y2=600),
    ),
    (
        "gui-owl",
        '### Thought ###\nw\n### Action ###\n{"action":"type", "text":"the text"}\n### Description ###\nt',
        act.Type(text="the text"),
    ),
    (
        "gui-owl",
        '### Thought\nw\n### Action ###\n{"action":"system_button","button":"Home"}\n### Description ###\nh',
        act.Home(),
    ),
    ("gui-owl-1.5", tool('{"action":"key","text":"volume_up"}'), act.Key(name="volume_up")),
    ("gui-owl-1.5", tool('{"action":"wait","time":2}'), act.Wait(seconds=2)),
    ("gui-owl-1.5", tool('{"action":"answer","text":"yes"}'), act.Done(answer="yes")),
    (
        "autoglm-phone",
        '<answer>do(action="Tap", element=[500,500], message="重要操作")</answer>',
        act.Tap(x=540, y=1200),
    ),
    ("autoglm-phone", 'do(action="Long Press", element=[500,500])', act.LongPress(x=540, y=1200)),
    ("autoglm-phone", 'do(action="Double Tap", element=[500,500])', act.DoubleTap(x=540, y=1200)),
    ("autoglm-phone", 'do(action="Type_Name", text="李雷")', act.Type(text="李雷", clear=True)),
    ("autoglm-phone", 'do(action="Note", message="True")', act.Wait(seconds=0.1)),
    ("autoglm-phone", 'do(action="Take_over", message="登录")', act.GiveUp(reason="登录")),
    ("autoglm-phone", 'do(action="Wait", duration=2)', act.Wait(seconds=2)),
    (
        "glm-4.5v",
        'Memory: None\nReason: r\nAction: {"action_type": "input_text", "text": "稻香", '
        '"box_2d": [[0,0,999,999]], "override": true}',
        act.Type(text="稻香", clear=True, at=(540, 1200)),
    ),
    (
        "glm-4.5v",
        'Action: {"action_type": "swipe", "direction": "up", "box_2d": [[0,0,999,999]]}',
        act.Swipe(x1=540, y1=1200, x2=540, y2=240),
    ),
    ("glm-4.5v", 'Action: {"action_type": "navigate_back"}', act.Back()),
    (
        "glm-4.5v",
        'Action: {"action_type": "status", "goal_status": "infeasible"}',
        act.GiveUp(reason="infeasible"),
    ),
    ("glm-4.5v", 'Action: {"action_type": "answer", "text": "42"}', act.Done(answer="42")),
    ("m3a", 'Action: {"action_type": "click", "index": 0}', at(FIRST)),
    ("json", '{"action":"tap","element":0}', at(FIRST)),
    (
        "json",
        '{"thought":"t","action":"type","element":4,"text":"稻香"}',
        act.Type(text="稻香", at=(FIFTH.x, FIFTH.y)),
    ),
    ("json", '{"action":"scroll","direction":"up","amount":0.8}', act.Scroll(direction="up", amount=0.8)),
    ("json", '{"action":"done","answer":"42"}', act.Done(answer="42")),
    (
        "gemini",
        '{"action":"swipe","point":[800,500],"to":[200,500]}',
        act.Swipe(x1=540, y1=1920, x2=540, y2=480),
    ),
    ("gemini", '{"action":"open_app","app":"哔哩哔哩"}', BILI),
    ("gemini-computer-use", '{"name":"go_back","args":{}}', act.Back()),
    (
        "gemini-computer-use",
        '{"name":"drag_and_drop","args":{"x":500,"y":800,"destination_x":500,"destination_y":200}}',
        act.Drag(x1=540, y1=1920, x2=540, y2=480),
    ),
    ("gemini-computer-use", '{"name":"key_combination","args":{"keys":"enter"}}', act.Key(name="enter")),
    (  # google's own agent takes 800 of 1000 where no magnitude is told
        "gemini-computer-use",
        '{"name":"scroll_at","args":{"x":500,"y":500,"direction":"down"}}',
        act.Scroll(direction="down", x=540, y=1200, amount=0.8),
    ),
    ("openai-computer-use", '{"type":"keypress","keys":["ENTER"]}', act.Key(name="enter")),
    (
        "openai-computer-use",
        '{"type":"drag","path":[{"x":353,"y":1176},{"x":353,"y":784},{"x":353,"y":392}]}',
        act.Drag(x1=540, y1=1800, x2=540, y2=600),
    ),
    ("openai-computer-use", '{"type":"done","answer":"42"}', act.Done(answer="42")),
    ("anthropic-computer-use", '{"action":"key","text":"Return"}', act.Key(name="enter")),
    (
        "anthropic-computer-use",
        '{"action":"triple_click","coordinate":[353,784]}',
        act.DoubleTap(x=540, y=1200),
    ),
    ("anthropic-computer-use", '{"action":"type","text":"稻香"}', act.Type(text="稻香")),
    (
        "anthropic-computer-use",
        '{"action":"left_click_drag","start_coordinate":[353,1176],"coordinate":[353,392]}',
        act.Drag(x1=540, y1=1800, x2=540, y2=600),
    ),
    ("anthropic-computer-use", '{"action":"give_up","reason":"no"}', act.GiveUp(reason="no")),
    ("appagent", "Action: tap(1)", at(FIRST)),
    ("appagent", "Action: long_press(5)", act.LongPress(x=FIFTH.x, y=FIFTH.y)),
    (
        "appagent",
        'Action: swipe(5, "up", "medium")',
        act.Swipe(x1=FIFTH.x, y1=FIFTH.y, x2=FIFTH.x, y2=max(FIFTH.y - 600, 0)),
    ),
    ("appagent", "Action: back()", act.Back()),
    # word for word from the models' pages
    (
        "qwen3-vl",
        "Thought: To search for Musk in X, I need to click on the search bar at the top of the screen. "
        "This will allow me to type in the search query.\n"
        'Action: "I tapped on the search bar to begin searching for Musk."'
        '\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [447, 81]}}\n'
        "</tool_call>",
        act.Tap(x=483, y=195),
    ),
    (
        "agentcpm-gui",
        '{"thought":"任务目标是点击屏幕上的‘会员’按钮。当前界面显示了应用的推荐页面，顶部有一个导航栏。'
        '点击‘会员’按钮可以访问应用的会员相关内容。","POINT":[729,69]}',
        act.Tap(x=787, y=166),
    ),
    ("agentcpm-gui", '{"POINT":[480,320]}', act.Tap(x=518, y=768)),
    ("agentcpm-gui", '{"POINT":[480,320],"duration":1000}', act.LongPress(x=518, y=768, ms=1000)),
    ("agentcpm-gui", '{"TYPE":"Hello, world!"}', act.Type(text="Hello, world!")),
    (
        "gui-owl",
        '### Thought ###\nw\n### Action ###\n{"action": "answer", "text": "the content of your answer"}\n'
        "### Description ###\na",
        act.Done(answer="the content of your answer"),
    ),
    (
        "gui-owl",
        '### Thought ###\nw\n### Action ###\n{"action":"type", "text": "the text you want to type"}\n'
        "### Description ###\nt",
        act.Type(text="the text you want to type"),
    ),
    (
        "autoglm-phone",
        '<answer>do(action="Tap", element=[499,182], message="重要操作")</answer>',
        act.Tap(x=539, y=437),
    ),
    ("autoglm-phone", '<answer>do(action="Note", message="True")</answer>', act.Wait(seconds=0.1)),
    (
        "appagent",
        'Observation: o\nThought: t\nAction: text("Hello, world!")\nSummary: s',
        act.Type(text="Hello, world!"),
    ),
]


@every_case(("name", "text", "action"), GOLDEN)
def test_a_documented_reply(name: str, text: str, action: Action) -> None:
    dialect = DIALECTS[name]
    reply = dialect.parse(text, view_of(dialect))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == action


def test_each_dialect_has_documented_replies() -> None:
    assert {name for name, _, _ in GOLDEN} == set(DIALECTS)


@every_case(
    ("name", "text", "thought"),
    [
        ("ui-tars-1.5", "Thought: 点它\nAction: press_back()", "点它"),
        ("agentcpm-gui", '{"thought":"点击","POINT":[729,69]}', "点击"),
        ("qwen3-vl", 'Thought: why\nAction: "x"\n' + tool('{"action":"wait"}'), "why"),
        ("qwen3-vl", 'Action: "Tap it."\n' + tool('{"action":"wait"}'), "Tap it."),
        ("gui-owl-1.5", "Action: Open it.\n" + tool('{"action":"wait"}'), "Open it."),
        ("qwen2.5-vl", "Open it.\n" + tool('{"action":"wait"}'), "Open it."),
        ("gui-owl", '### Thought ###\nwhy\n### Action ###\n{"action":"wait"}\n### Description ###', "why"),
        ("autoglm-phone", '<think>why</think><answer>do(action="Back")</answer>', "why"),
        ("m3a", 'Reason: why\nAction: {"action_type":"wait"}', "why"),
        ("json", '{"thought":"why","action":"back"}', "why"),
        ("openai-computer-use", 'why\n{"type":"wait"}', "why"),
        ("appagent", "Observation: a\nThought: b\nAction: back()\nSummary: c", "a\n b"),
    ],
)
def test_the_documented_thought(name: str, text: str, thought: str) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.thought == thought


def test_a_tool_call_of_an_api() -> None:
    dialect = DIALECTS["json"]
    reply = dialect.parse_tool_call("tap", '{"coords":[353,784]}', view_of(dialect), "why")
    assert reply == ParsedReply(act.Tap(x=540, y=1200), "why")
    assert dialect.parse_tool_call("back", "", view_of(dialect)) == ParsedReply(act.Back())


def test_the_grid_is_configurable() -> None:
    from dataclasses import replace

    from garabench.agents.dialects.coordinates import GRID_999

    other = replace(DIALECTS["autoglm-phone"], coordinates=GRID_999)
    text = 'do(action="Tap", element=[999,999])'
    assert other.parse(text, view_of(other)) == ParsedReply(act.Tap(x=1079, y=2399))
    assert DIALECTS["autoglm-phone"].parse(text, view_of(other)) == ParsedReply(act.Tap(x=1079, y=2398))

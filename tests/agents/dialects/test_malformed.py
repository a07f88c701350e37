"""Malformed replies, as models write them: each still gives its action, or a specific error."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.core import action as act
from tests.agents.dialects.views import elements, view_of
from tests.cases import every_case

SPOT = elements(view_of(DIALECTS["json"]).screen)[5].center
TAP = act.Tap(x=SPOT.x, y=SPOT.y)
BRACKETS = "([{（"


def good(name: str) -> str:
    text = DIALECTS[name].render(TAP, view_of(DIALECTS[name]), "why")
    assert text is not None
    return text


def other(name: str) -> str:
    text = DIALECTS[name].render(act.Back(), view_of(DIALECTS[name]), "why")
    assert text is not None
    return text


def numbers_to(value: str) -> Callable[[str], str]:
    """Replace the last number of a reply, which is a coordinate or the number of an element."""

    def spoil(text: str) -> str:
        found = list(re.finditer(r"(?<![\w.\"])-?\d+(?!\w|\.\d)", text))
        return text[: found[-1].start()] + value + text[found[-1].end() :]

    return spoil


SAME: dict[str, Callable[[str], str]] = {
    "spaces around": lambda text: f"\n\n  {text}  \n",
    "windows' line ends": lambda text: text.replace("\n", "\r\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "written twice": lambda text: f"{text}\n{text}",
    "words behind": lambda text: f"{text}\n",
}

BAD: dict[str, tuple[Callable[[str], str], set[ReplyFlaw]]] = {
    "nothing": (lambda text: "", {ReplyFlaw.EMPTY}),
    "only spaces": (lambda text: " \n\u3000", {ReplyFlaw.EMPTY, ReplyFlaw.NO_ACTION}),
    "prose": (lambda text: "I would tap the search field next.", {ReplyFlaw.NO_ACTION}),
    "Chinese prose": (lambda text: "我会点击搜索框。", {ReplyFlaw.NO_ACTION}),
    "a refusal": (lambda text: "I'm sorry, but I can't help with that.", {ReplyFlaw.NO_ACTION}),
    "only an opening bracket": (lambda text: "{", {ReplyFlaw.CUT_OFF, ReplyFlaw.NO_ACTION}),
    "cut off within the number": (
        lambda text: text[: max(text.rfind(digit) for digit in "0123456789")],
        {ReplyFlaw.CUT_OFF, ReplyFlaw.NO_ACTION, ReplyFlaw.BAD_ARGUMENT},
    ),
    "cut off after the verb": (
        lambda text: text[: max(text.rfind(bracket) for bracket in BRACKETS) + 1],
        {ReplyFlaw.CUT_OFF, ReplyFlaw.NO_ACTION},
    ),
    "no finite number": (numbers_to("NaN"), {ReplyFlaw.BAD_ARGUMENT, ReplyFlaw.NO_ACTION}),
    "without end": (
        numbers_to("1e999"),
        {ReplyFlaw.BAD_ARGUMENT, ReplyFlaw.OFF_SCREEN, ReplyFlaw.UNKNOWN_ELEMENT},
    ),
    "below nothing": (numbers_to("-5"), {ReplyFlaw.OFF_SCREEN, ReplyFlaw.UNKNOWN_ELEMENT}),
    "far off the screen": (numbers_to("99999"), {ReplyFlaw.OFF_SCREEN, ReplyFlaw.UNKNOWN_ELEMENT}),
    "digits without end": (
        numbers_to("9" * 5000),
        {ReplyFlaw.BAD_ARGUMENT, ReplyFlaw.OFF_SCREEN, ReplyFlaw.UNKNOWN_ELEMENT, ReplyFlaw.NO_ACTION},
    ),
    "a word for a number": (
        numbers_to('"here"'),
        {ReplyFlaw.BAD_ARGUMENT, ReplyFlaw.NO_ACTION, ReplyFlaw.CUT_OFF},
    ),
}


@every_case("name", DIALECTS)
@every_case("how", SAME)
def test_the_same_action_still(name: str, how: str) -> None:
    dialect = DIALECTS[name]
    reply = dialect.parse(SAME[how](good(name)), view_of(dialect))
    assert isinstance(reply, ParsedReply), reply
    expected = dialect.parse(good(name), view_of(dialect))
    assert isinstance(expected, ParsedReply)
    assert reply.action == expected.action


@every_case("name", DIALECTS)
@every_case("how", BAD)
def test_a_named_flaw(name: str, how: str) -> None:
    dialect = DIALECTS[name]
    spoil, flaws = BAD[how]
    reply = dialect.parse(spoil(good(name)), view_of(dialect))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw in flaws, reply
    assert reply.reason and len(reply.reason) < 400


@every_case("name", DIALECTS)
def test_two_different_actions_are_rejected(name: str) -> None:
    dialect = DIALECTS[name]
    reply = dialect.parse(f"{good(name)}\n{other(name)}", view_of(dialect))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw is ReplyFlaw.SEVERAL_ACTIONS


OWL = '### Thought ###\nw\n### Action ###\n{"action":"wait"}\n### Description ###\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("appagent", "Action: back()\nAction: home()"),
        ("appagent", "Action: back()\nSummary: s\nAction: FINISH"),
        ("appagent", "Action: FINISH\nAction: back()"),
        ("ui-tars-1.5", "Action: click(start_box='(9,9)')\nAction: press_back()"),
        ("ui-tars-1.5", "Action: press_home()\n\npress_back()"),
        ("m3a", 'Action: {"action_type":"wait"}\nAction: {"action_type":"navigate_back"}'),
        ("m3a", 'Action: {"action_type":"wait"} {"action_type":"navigate_back"}'),
        ("autoglm-phone", '<answer>do(action="Back")</answer><answer>do(action="Home")</answer>'),
        ("gui-owl", OWL + '\n### Action ###\n{"action":"system_button","button":"Back"}'),
        ("json", '{"actions":[{"action":"back"},{"action":"home"}]}'),
        ("gemini", '{"thought":"t","actions":[{"action":"back"},{"action":"home"}]}'),
    ],
)
def test_several_actions(name: str, text: str) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw is ReplyFlaw.SEVERAL_ACTIONS


@pytest.mark.parametrize(
    ("name", "text", "action"),
    [
        ("appagent", "Action: back()\nAction: back()", act.Back()),
        ("appagent", "Action: FINISH\nSummary: s\nAction: FINISH", act.Done()),
        ("ui-tars-1.5", "Action: press_back()\nAction: press_back()", act.Back()),
        ("ui-tars-1.5", "Thought: t\nAction: look for the button (left)\nAction: press_back()", act.Back()),
        ("m3a", 'Reason: {"action_type":"wait"} failed\nAction: {"action_type":"navigate_back"}', act.Back()),
        ("gui-owl", OWL + 'I did {"action":"click","coordinate":[1,2]}.', act.Wait(seconds=2)),
        ("gui-owl", OWL + OWL, act.Wait(seconds=2)),
        ("json", '{"actions":[{"action":"back"}]}', act.Back()),
        ("json", '{"actions":[{"action":"back"},{"action":"back"}]}', act.Back()),
    ],
)
def test_one_action_among_other_words(name: str, text: str, action: act.Action) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == action


JSON_DIALECTS = [name for name in DIALECTS if "{" in good(name)]


@every_case("name", JSON_DIALECTS)
@every_case(
    ("how", "spoil"),
    [
        ("fenced", lambda body: f"```json\n{body}\n```"),
        ("a comma too many", lambda body: re.sub(r"([}\]])", r",\1", body)),
        ("Chinese punctuation", lambda body: body.replace('":', '"：').replace(',"', '，"')),
        ("typographic quotes", lambda body: re.sub(r'"([^"]*)"', r"“\1”", body)),
        ("single quotes", lambda body: body.replace('"', "'")),
        ("spread over lines", lambda body: body.replace(",", ",\n  ").replace("{", "{\n  ")),
    ],
)
def test_unambiguous_json_mistakes_are_accepted(name: str, how: str, spoil: Callable[[str], str]) -> None:
    dialect = DIALECTS[name]
    text = good(name)
    start, end = text.index("{"), text.rindex("}") + 1
    reply = dialect.parse(text[:start] + spoil(text[start:end]) + text[end:], view_of(dialect))
    expected = dialect.parse(text, view_of(dialect))
    assert isinstance(reply, ParsedReply) and isinstance(expected, ParsedReply), (how, reply)
    assert reply.action == expected.action


@every_case("name", JSON_DIALECTS)
def test_json_in_a_thought_is_not_an_action(name: str) -> None:
    dialect = DIALECTS[name]
    reply = dialect.parse(
        'The list holds {"title": "稻香", "n": [1, 2]} and {that}.\n' + good(name), view_of(dialect)
    )
    assert isinstance(reply, ParsedReply), reply


@every_case("name", JSON_DIALECTS)
def test_a_duplicate_key_is_rejected(name: str) -> None:
    dialect = DIALECTS[name]
    text = good(name)
    key = re.search(r'"(action|action_type|type|name|POINT)":', text)
    assert key is not None
    doubled = text[: key.start()] + f'"{key.group(1)}":"wait",' + text[key.start() :]
    reply = dialect.parse(doubled, view_of(dialect))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw in (ReplyFlaw.SEVERAL_ACTIONS, ReplyFlaw.NO_ACTION)


@every_case("name", DIALECTS)
def test_an_unknown_verb_is_reported_with_the_nearest(name: str) -> None:
    dialect = DIALECTS[name]
    verb = next(verb for verb in dialect.verbs if verb in good(name))
    reply = dialect.parse(good(name).replace(verb, verb + "x"), view_of(dialect))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw in (ReplyFlaw.UNKNOWN_ACTION, ReplyFlaw.NO_ACTION)


@every_case(
    ("name", "text", "flaw"),
    [
        ("appagent", "Action: tap(0)", ReplyFlaw.UNKNOWN_ELEMENT),
        ("appagent", "Action: tap(-1)", ReplyFlaw.UNKNOWN_ELEMENT),
        ("appagent", "Action: tap(25)", ReplyFlaw.UNKNOWN_ELEMENT),
        ("appagent", "Action: tap(1.5)", ReplyFlaw.BAD_ARGUMENT),
        ("m3a", 'Action: {"action_type":"click","index":-1}', ReplyFlaw.UNKNOWN_ELEMENT),
        ("m3a", 'Action: {"action_type":"click","index":24}', ReplyFlaw.UNKNOWN_ELEMENT),
        ("m3a", 'Action: {"action_type":"click","index":0.5}', ReplyFlaw.BAD_ARGUMENT),
        ("m3a", 'Action: {"action_type":"click","index":true}', ReplyFlaw.BAD_ARGUMENT),
        ("m3a", 'Action: {"action_type":"click","index":1e300}', ReplyFlaw.UNKNOWN_ELEMENT),
        ("json", '{"action":"tap","element":-1}', ReplyFlaw.UNKNOWN_ELEMENT),
        ("json", '{"action":"tap","element":24}', ReplyFlaw.UNKNOWN_ELEMENT),
        ("json", '{"action":"tap","element":"the first"}', ReplyFlaw.BAD_ARGUMENT),
        ("gemini", '{"action":"tap","element":NaN}', ReplyFlaw.BAD_ARGUMENT),
    ],
)
def test_an_unknown_element_number_is_rejected(name: str, text: str, flaw: ReplyFlaw) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply) and reply.flaw is flaw, reply


def test_an_unknown_app_is_reported() -> None:
    dialect = DIALECTS["ui-tars-1.5"]
    reply = dialect.parse("Action: open_app(app_name='Nonesuch')", view_of(dialect))
    assert reply == UnparsedReply(ReplyFlaw.UNKNOWN_APP, "unknown app 'Nonesuch'")


@pytest.mark.parametrize("name", DIALECTS)
@settings(max_examples=50)
@given(text=st.text(max_size=300))
def test_any_text_is_an_action_or_a_flaw(name: str, text: str) -> None:
    dialect = DIALECTS[name]
    assert isinstance(dialect.parse(text, view_of(dialect)), ParsedReply | UnparsedReply)


@pytest.mark.parametrize("name", DIALECTS)
@settings(max_examples=80)
@given(data=st.data())
def test_any_corrupted_reply_is_an_action_or_a_flaw(name: str, data: st.DataObject) -> None:
    dialect = DIALECTS[name]
    text = good(name)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    junk = data.draw(st.text(alphabet="{}[]()'\"\\,:0 9-eENa<>|/uD8“”：，\n", max_size=12))
    assert isinstance(
        dialect.parse(text[:start] + junk + text[end:], view_of(dialect)), ParsedReply | UnparsedReply
    )


@pytest.mark.parametrize("deep", ["[" * 100_000, "{" * 50_000, '{"a":' * 50_000, "f(" * 50_000])
def test_deep_nesting_is_a_flaw(deep: str) -> None:
    for dialect in DIALECTS.values():
        assert isinstance(dialect.parse(deep, view_of(dialect)), UnparsedReply)


@pytest.mark.parametrize("name", DIALECTS)
@settings(max_examples=50)
@given(text=st.text(st.characters(categories=("Cs", "L", "P", "Z")), max_size=60))
def test_surrogates_do_not_crash(name: str, text: str) -> None:
    """Return a text alone, within the text fields of a reply, and as a tool call."""
    dialect = DIALECTS[name]
    view = view_of(dialect)
    for action in (
        act.Type(text="MARK"),
        act.Type(text="MARK", at=(SPOT.x, SPOT.y)),
        act.Done(answer="MARK"),
    ):
        written = dialect.render(action, view, "why") or "MARK"
        reply = dialect.parse(written.replace("MARK", text), view)
        assert isinstance(reply, ParsedReply | UnparsedReply)
        if isinstance(reply, ParsedReply):
            (repr(reply.action) + reply.thought).encode()
    assert isinstance(dialect.parse(text, view), ParsedReply | UnparsedReply)
    assert isinstance(dialect.parse_tool_call(text, text, view, text), ParsedReply | UnparsedReply)


@every_case("name", DIALECTS)
def test_unpaired_surrogates_are_replaced_and_pairs_combined(name: str) -> None:
    dialect = DIALECTS[name]
    view = view_of(dialect)
    for action in (act.Type(text="MARK", clear=name == "autoglm-phone"), act.Type(text="MARK", at=(5, 5))):
        written = dialect.render(action, view)
        if written is None:
            continue
        for halves, whole in (("\ud800", "\ufffd"), ("\udc00a", "\ufffda"), ("\ud83d\ude00", "😀")):
            reply = dialect.parse(written.replace("MARK", halves), view)
            assert isinstance(reply, ParsedReply) and isinstance(reply.action, act.Type), reply
            assert reply.action.text == whole


def test_a_press_duration_is_clamped() -> None:
    dialect = DIALECTS["json"]
    reply = dialect.parse('{"action":"long_press","coords":[353,784],"seconds":1e308}', view_of(dialect))
    assert reply == ParsedReply(act.LongPress(x=540, y=1200, ms=10_000))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("agentcpm-gui", '{"POINT":[500,1000],"to":"down"}'),
        ("agentcpm-gui", '{"POINT":[0,500],"to":"left"}'),
        ("json", '{"action":"swipe","coords":[353,0],"direction":"up"}'),
        ("m3a", '{"action_type":"swipe","x":1079,"y":1200,"direction":"right"}'),
    ],
)
def test_a_swipe_from_the_edge_is_rejected(name: str, text: str) -> None:
    dialect = DIALECTS[name]
    reply = dialect.parse(text, view_of(dialect))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw is ReplyFlaw.BAD_ARGUMENT
    assert "starts at the edge" in reply.reason
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}
    turned = re.sub(r"\b(up|down|left|right)\b", lambda found: back[found[0]], text)
    assert isinstance(dialect.parse(turned, view_of(dialect)), ParsedReply)

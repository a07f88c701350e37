from __future__ import annotations

import pytest

from garabench.core import action as act
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.geometry import Point, Rect
from garabench.core.observation import Focus
from garabench.core.touch import touched_element
from garabench.core.tree import UiNode, UiTree
from garabench.graph.android_actions import OUTSIDE, UNKNOWN, ActionScreen, canonical_action
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.slots import slots_of

APP = "com.example.app"


def node(left: int, top: int, right: int, bottom: int, *children: UiNode, **more: object) -> UiNode:
    values: dict[str, object] = {"package": APP, "cls": "android.widget.FrameLayout", **more}
    if isinstance(values.get("id"), str):
        values["resource_id"] = f"{values['package']}:id/{values.pop('id')}"
    return UiNode(bounds=Rect(left, top, right, bottom), children=children, **values)  # type: ignore[arg-type]


def row(top: int, text: str) -> UiNode:
    title = node(10, top, 90, top + 20, text=text, id="title")
    return node(0, top, 100, top + 20, title, clickable=True, id="row")


TREE = UiTree(
    (
        node(
            0,
            0,
            100,
            200,
            node(0, 0, 100, 20, id="field", cls="android.widget.EditText", focused=True, hint="Search"),
            node(0, 20, 50, 40, node(5, 25, 45, 35, text="Go"), clickable=True, id="go"),
            node(50, 20, 100, 40, text="Help", clickable=True),
            node(0, 40, 100, 140, row(40, "Lu Xun Park"), row(60, "Zoo"), scrollable=True, id="results"),
            node(0, 140, 100, 160, clickable=True, index=4),
            node(0, 160, 50, 180, clickable=True, id="like"),
            node(0, 160, 50, 180, text="overlay"),
        ),
        node(
            60,
            160,
            100,
            200,
            node(60, 160, 100, 200, clickable=True, text="Ok", package="pop.up"),
            package="pop.up",
        ),
    )
)
SCREEN = ActionScreen(Focus(APP, f"{APP}.Main"), TREE)
SLOTS = slots_of("Find “Lu Xun Park” and “6”")
PLACE = f"{APP}/.Main"


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (act.Tap(x=10, y=30), CanonicalAction("tap", PLACE, "go")),
        (act.Tap(x=44, y=26), CanonicalAction("tap", PLACE, "go")),
        (act.LongPress(x=44, y=26), CanonicalAction("long_press", PLACE, "go")),
        (act.Tap(x=60, y=30), CanonicalAction("tap", PLACE, "FrameLayout[help]")),
        (act.Tap(x=60, y=50), CanonicalAction("tap", PLACE, "row[<1>]")),
        (act.Tap(x=60, y=70), CanonicalAction("tap", PLACE, "row[zoo]")),
        (act.Tap(x=60, y=150), CanonicalAction("tap", PLACE, "FrameLayout[0.4]")),
        (act.Tap(x=10, y=170), CanonicalAction("tap", PLACE, "like")),
        (act.Tap(x=70, y=170), CanonicalAction("tap", "pop.up", "FrameLayout[ok]")),
        (act.Tap(x=500, y=500), CanonicalAction("tap", PLACE, OUTSIDE)),
        (act.Type(text="Lu  Xun PARK", submit=True), CanonicalAction("type", PLACE, "submit+field", "<1>")),
        (act.Type(text="x", clear=True, at=(5, 5)), CanonicalAction("type", PLACE, "field", "x")),
        (act.Type(text="6"), CanonicalAction("type", PLACE, "field", "<2>")),
        (act.Scroll(direction="down", x=50, y=100), CanonicalAction("scroll", PLACE, "results", "down")),
        (act.Swipe(x1=50, y1=100, x2=50, y2=50), CanonicalAction("scroll", PLACE, "results", "down")),
        (act.Swipe(x1=90, y1=100, x2=10, y2=100), CanonicalAction("scroll", PLACE, "results", "right")),
        (act.Scroll(direction="up"), CanonicalAction("scroll", PLACE, "", "up")),
        (act.Key(name="enter"), CanonicalAction("key", PLACE, "enter")),
        (act.Back(), CanonicalAction("back", PLACE)),
        (act.Wait(seconds=3), CanonicalAction("wait", PLACE)),
        (act.OpenApp(package="a.b"), CanonicalAction("open_app", "", "a.b")),
        (act.Done(answer="27 min"), CanonicalAction("done", "", "", "27 min")),
        (act.GiveUp(reason="too hard"), CanonicalAction("give_up")),
        (act.Drag(x1=10, y1=30, x2=10, y2=170), CanonicalAction("drag", PLACE, "go", "like")),
    ],
)
def test_actions_are_named_by_what_they_reach(action: act.Action, expected: CanonicalAction) -> None:
    assert canonical_action(action, SCREEN, SLOTS) == expected


def test_ids_do_not_depend_on_the_language() -> None:
    texts = ("Go", "去")
    trees = [
        UiTree((node(0, 0, 9, 9, node(0, 0, 9, 9, text=text), clickable=True, id="go"),)) for text in texts
    ]
    made = {canonical_action(act.Tap(x=1, y=1), ActionScreen(SCREEN.focus, tree)) for tree in trees}
    assert len(made) == 1
    instructions = ("Search for “Park”", "搜索“公园”")
    typed = {
        canonical_action(act.Type(text=text), SCREEN, slots_of(instruction)).argument
        for text, instruction in zip(("Park", "公园"), instructions, strict=True)
    }
    assert typed == {"<1>"}


def test_elements_with_one_id_and_text_are_several_targets() -> None:
    edits = [
        node(0, top, 9, top + 5, text=text, clickable=True, id="edit")
        for top, text in ((0, "Edit"), (5, "Edit"), (10, "Add"))
    ]
    rows = [
        node(0, top, 9, top + 5, node(0, top, 9, top + 5, text="Row", id="name"), clickable=True)
        for top in (20, 25)
    ]
    screen = ActionScreen(SCREEN.focus, UiTree((node(0, 0, 9, 40, *edits, *rows),)))
    targets = [canonical_action(act.Tap(x=1, y=y), screen).target for y in (1, 6, 11, 21, 26)]
    assert targets == ["edit[edit#1]", "edit[edit#2]", "edit[add]", "name[row#1]", "name[row#2]"]


def test_an_action_without_a_tree_has_type_and_place() -> None:
    screen = ActionScreen(SCREEN.focus)
    assert canonical_action(act.Tap(x=1, y=1), screen) == CanonicalAction("tap", PLACE, UNKNOWN)
    assert canonical_action(act.Type(text="a"), screen) == CanonicalAction("type", PLACE, "", "a")
    assert canonical_action(act.Back(), ActionScreen(Focus("", ""))) == CanonicalAction("back")


def test_an_interruption_is_a_place() -> None:
    tree = UiTree((node(0, 0, 9, 9, clickable=True, id="button_skip", package=COMPANION),))
    screen = ActionScreen(Focus(COMPANION, f"{COMPANION}.Show"), tree, "page-failed")
    assert canonical_action(act.Tap(x=1, y=1), screen) == CanonicalAction(
        "tap", "interruption:page-failed", "button_skip"
    )


def test_a_touch_reaches_the_uppermost_element_that_reacts() -> None:
    assert touched_element(TREE, Point(10, 170)).entry == "like"  # type: ignore[union-attr]
    assert touched_element(TREE, Point(10, 195)).bounds == Rect(0, 0, 100, 200)  # type: ignore[union-attr]
    assert touched_element(TREE, Point(999, 0)) is None

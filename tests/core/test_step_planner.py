from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.core.step_planner import plan_step, target_of
from garabench.core.steps import SolutionStep
from garabench.core.tree import UiNode, UiTree
from tests.cases import every_case

SCREEN = Size(1000, 2000)
ROW = UiNode(text="Send", bounds=Rect(100, 200, 300, 400))
TREE = UiTree((UiNode(package="com.example.app", children=(ROW, UiNode(text="Send"))),))


def step(data: object) -> SolutionStep:
    read: SolutionStep = TypeAdapter(SolutionStep).validate_python(data)
    return read


@every_case(
    ("data", "action"),
    [
        ({"tap": {"text": "Send"}}, act.Tap(x=200, y=300)),
        ({"double_tap": {"text": "Send"}}, act.DoubleTap(x=200, y=300)),
        ({"long_press": {"text": "Send"}}, act.LongPress(x=200, y=300)),
        ({"type": {"text": "a"}}, act.Type(text="a")),
        (
            {"type": {"text": "a", "into": {"text": "Send"}, "clear": True, "submit": True}},
            act.Type(text="a", clear=True, submit=True, at=(200, 300)),
        ),
        ({"scroll": {"direction": "up"}}, act.Scroll(direction="up")),
        ({"scroll": {"inside": {"text": "Send"}}}, act.Scroll(direction="down", x=200, y=300)),
        ({"swipe": "left"}, act.Swipe(x1=850, y1=1000, x2=150, y2=1000)),
        ({"swipe": "down"}, act.Swipe(x1=500, y1=500, x2=500, y2=1500)),
        ({"key": "enter"}, act.Key(name="enter")),
        ("back", act.Back()),
        ("home", act.Home()),
        ({"open_app": "com.example.app"}, act.OpenApp(package="com.example.app")),
        ({"answer": "42"}, act.Done(answer="42")),
        ({"give_up": "sold out"}, act.GiveUp(reason="sold out")),
        ({"wait_for": {"text": "Send"}}, None),
    ],
)
def test_each_kind_of_step_has_its_action(data: object, action: act.Action | None) -> None:
    assert plan_step(step(data), TREE, SCREEN) == action


@pytest.mark.parametrize("kind", ["tap", "double_tap", "long_press"])
def test_a_missing_element_has_no_action(kind: str) -> None:
    missing = step({kind: {"text": "Cancel"}})
    assert plan_step(missing, TREE, SCREEN) is None
    assert target_of(missing) is not None


def test_nothing_is_typed_into_a_missing_field() -> None:
    assert plan_step(step({"type": {"text": "a", "into": {"text": "Cancel"}}}), TREE, SCREEN) is None
    assert target_of(step("back")) is None

"""Gestures become steps, and steps a solution that other screen sizes can follow."""

from __future__ import annotations

import pytest

from garabench.authoring.recording.gesture_steps import (
    PersonGesture,
    PressedKey,
    StepOnScreen,
    TouchGesture,
    TypedText,
    solution_of,
    step_of,
)
from garabench.authoring.recording.person_session import step_text
from garabench.core.geometry import Point, Rect
from garabench.core.tree import UiNode, UiTree
from garabench.errors import InputError

WIDTH, HEIGHT = 1000, 2000


def _item(number: int) -> UiNode:
    top = 200 + 300 * number
    return UiNode(
        resource_id="p:id/item",
        package="p",
        clickable=True,
        bounds=Rect(0, top, WIDTH, top + 300),
        children=(
            UiNode(
                resource_id="p:id/name",
                package="p",
                text="ABCDEFGH"[number],
                bounds=Rect(0, top, 400, top + 300),
            ),
        ),
    )


TREE = UiTree(
    (
        UiNode(
            package="p",
            bounds=Rect(0, 0, WIDTH, HEIGHT),
            children=(
                UiNode(
                    resource_id="p:id/query",
                    package="p",
                    cls="android.widget.EditText",
                    focused=True,
                    bounds=Rect(0, 0, WIDTH, 200),
                ),
                UiNode(
                    resource_id="p:id/items",
                    package="p",
                    scrollable=True,
                    bounds=Rect(0, 200, WIDTH, HEIGHT),
                    children=tuple(_item(number) for number in range(5)),
                ),
            ),
        ),
        UiNode(package="com.android.systemui", bounds=Rect(0, 2000, WIDTH, 2100)),
    )
)


def touch(
    x: int, y: int, x2: int | None = None, y2: int | None = None, *, held: bool = False
) -> TouchGesture:
    return TouchGesture(Point(x, y), Point(x if x2 is None else x2, y if y2 is None else y2), held)


@pytest.mark.parametrize(
    ("gesture", "expected"),
    [
        (touch(900, 350), "tap: {id: name, text: A}"),
        (touch(100, 350, 110, 360), "tap: {id: name, text: A}"),
        (touch(100, 350, held=True), "long_press: {id: name, text: A}"),
        (touch(500, 100), "tap: {id: query}"),
        (touch(500, 1500, 500, 500), "scroll: {direction: down}"),
        (touch(500, 500, 500, 1500), "scroll: {direction: up}"),
        (touch(800, 100, 100, 120), "swipe: left"),
        (TypedText("tea", submit=True), "type: {text: tea, into: {id: query}, submit: true}"),
        (TypedText("tea", clear=True), "type: {text: tea, into: {id: query}, clear: true}"),
        (PressedKey("back"), "back"),
        (PressedKey("enter"), "key: enter"),
    ],
)
def test_gesture_becomes_a_step(gesture: PersonGesture, expected: str) -> None:
    assert step_text(step_of(gesture, TREE, WIDTH).step) == expected


@pytest.mark.parametrize("gesture", [touch(500, 2050), touch(500, 5000), PressedKey("fly")])
def test_gesture_that_reaches_nothing_is_refused(gesture: PersonGesture) -> None:
    with pytest.raises(InputError):
        step_of(gesture, TREE, WIDTH)


def solution(*gestures: PersonGesture) -> list[str]:
    recorded = [StepOnScreen(step_of(each, TREE, WIDTH).step, TREE) for each in gestures]
    return [step_text(step) for step in solution_of(recorded)]


def test_scrolling_to_an_element_does_not_depend_on_the_size() -> None:
    scroll = touch(500, 1500, 500, 500)
    assert solution(scroll, scroll, touch(900, 350)) == [
        "scroll: {direction: down, until: {id: name, text: A}}",
        "tap: {id: name, text: A}",
    ]
    assert solution(touch(900, 1500)) == [
        "scroll: {direction: down, until: {id: name, text: E}}",
        "tap: {id: name, text: E}",
    ]
    assert solution(touch(900, 350), scroll) == ["tap: {id: name, text: A}", "scroll: {direction: down}"]


def test_tap_before_typing_is_left_out() -> None:
    assert solution(touch(500, 100), TypedText("tea")) == ["type: {text: tea, into: {id: query}}"]

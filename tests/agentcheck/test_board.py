"""The check parses the board's log and its tree."""

from __future__ import annotations

import json

import pytest

from garabench.agentcheck.board import BoardEvent, button_bounds, line_numbers, parse_board_event
from garabench.core.geometry import Point, Rect
from garabench.core.tree import UiNode, UiTree

PACKAGE = "org.garabench.board"


def line(**values: object) -> str:
    return json.dumps({"token": "t", "seq": 1, **values})


@pytest.mark.parametrize(
    ("message", "event"),
    [
        (line(event="shown"), BoardEvent("shown")),
        (line(event="touched", x=3, y=4, button=7), BoardEvent("touched", Point(3, 4), 7)),
        (line(event="touched", x=3.5, y=4), BoardEvent("touched")),
        (line(event="touched", x=True, y=4, button="7"), BoardEvent("touched")),
        (line(event="typed", field="A", text="你\n🙂"), BoardEvent("typed", field="A", text="你\n🙂")),
        (line(event="typed", field=3, text=None), BoardEvent("typed")),
        (line(event="error", reason="bad-mode"), BoardEvent("error", reason="bad-mode")),
    ],
)
def test_a_line_of_this_page_is_an_event(message: str, event: BoardEvent) -> None:
    assert parse_board_event(message, "t") == event


@pytest.mark.parametrize(
    "message", ["", "x", "[]", "3", "null", '{"event": "shown"}', line(), line(event=3), "[" * 5000]
)
def test_other_lines_are_ignored(message: str) -> None:
    assert parse_board_event(message, "t") is None
    assert parse_board_event(line(event="shown"), "another") is None


def test_buttons_and_lines_are_those_of_the_board() -> None:
    def node(entry: str, package: str = PACKAGE, text: str = "") -> UiNode:
        return UiNode(
            resource_id=f"{package}:id/{entry}", package=package, text=text, bounds=Rect(0, 0, 9, 9)
        )

    tree = UiTree(
        (
            UiNode(
                package=PACKAGE,
                children=(
                    node("button_7"),
                    node("button_x"),
                    node("7"),
                    node("button_8", "org.other"),
                    node("line", text="第12行"),
                    node("line", text="Line 13"),
                    node("line", "org.other", text="Line 14"),
                ),
            ),
        )
    )
    assert set(button_bounds(tree)) == {7}
    assert line_numbers(tree) == [12, 13]

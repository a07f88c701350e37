"""What a touch reaches."""

from __future__ import annotations

import itertools

import pytest

from garabench.core import action as act
from garabench.core.geometry import Point, Rect
from garabench.core.touch import element_paths, touch_point, touched_element
from garabench.core.tree import UiNode, UiTree

ICON = UiNode(bounds=Rect(10, 10, 20, 20), cls="android.widget.ImageView")
BUTTON = UiNode(bounds=Rect(0, 0, 50, 50), clickable=True, text="like", children=(ICON,))
BADGE = UiNode(bounds=Rect(10, 10, 20, 20), text="3")
FIELD = UiNode(bounds=Rect(0, 60, 50, 80), cls="android.widget.EditText")
GONE = UiNode(bounds=Rect(0, 0, 100, 100), clickable=True, visible=False)
WINDOW = UiNode(bounds=Rect(0, 0, 100, 100), children=(BUTTON, BADGE, FIELD, GONE))
MENU = UiNode(bounds=Rect(40, 40, 90, 90), clickable=True, text="menu")


@pytest.mark.parametrize("windows", list(itertools.permutations((WINDOW, MENU))))
@pytest.mark.parametrize(
    ("point", "element"),
    [
        (Point(15, 15), BUTTON),  # the badge above the icon does not react
        (Point(5, 65), FIELD),
        (Point(45, 45), MENU),  # the menu is a window above
        (Point(95, 95), WINDOW),
        (Point(100, 5), None),
    ],
)
def test_a_touch_reaches_the_innermost_element_that_reacts(
    windows: tuple[UiNode, ...], point: Point, element: UiNode | None
) -> None:
    assert touched_element(UiTree(windows), point) is element


def test_paths_lead_from_the_window_to_the_uppermost_element() -> None:
    assert list(element_paths(UiTree((WINDOW,)), Point(15, 15))) == [
        (WINDOW, BADGE),
        (WINDOW, BUTTON, ICON),
        (WINDOW, BUTTON),
        (WINDOW,),
    ]


@pytest.mark.parametrize(
    ("action", "point"),
    [
        (act.Tap(x=1, y=2), Point(1, 2)),
        (act.Swipe(x1=1, y1=2, x2=3, y2=4), Point(1, 2)),
        (act.Type(text="a", at=(1, 2)), Point(1, 2)),
        (act.Type(text="a"), None),
        (act.Scroll(direction="down", x=1, y=2), Point(1, 2)),
        (act.Scroll(direction="down"), None),
        (act.Back(), None),
        (None, None),
    ],
)
def test_the_point_that_an_action_touches_first(action: act.Action | None, point: Point | None) -> None:
    assert touch_point(action) == point

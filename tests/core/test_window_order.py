"""Which window is on top, for any order of a dump."""

from __future__ import annotations

import itertools

import pytest

from garabench.core.geometry import Rect
from garabench.core.tree import UiNode, UiTree
from garabench.core.window_order import top_app_window, windows_from_top

FIELD = UiNode(package="app", bounds=Rect(0, 100, 500, 200), focused=True)
PAGE = UiNode(package="app", bounds=Rect(0, 0, 1080, 2400))
DIALOG = UiNode(package="dialogs", bounds=Rect(100, 800, 980, 1600))
MENU = UiNode(package="app", bounds=Rect(200, 900, 600, 1200))
KEYBOARD = UiNode(package="com.example.inputmethod", bounds=Rect(0, 1500, 1080, 2400))
BAR = UiNode(package="com.android.systemui", bounds=Rect(0, 0, 1080, 100))
SHADE = UiNode(package="com.android.systemui", bounds=Rect(0, 0, 1080, 2400))
LEFT = UiNode(package="left", bounds=Rect(0, 0, 1080, 1200))
RIGHT = UiNode(package="right", bounds=Rect(0, 1200, 1080, 2400), children=(FIELD,))
HIDDEN = UiNode(package="hidden", bounds=Rect(10, 10, 20, 20), visible=False)
EMPTY = UiNode(package="empty")


@pytest.mark.parametrize(
    ("windows", "top"),
    [
        ((PAGE, DIALOG, BAR), DIALOG),
        ((PAGE, DIALOG, MENU), MENU),
        ((PAGE, KEYBOARD, BAR), PAGE),
        ((PAGE, DIALOG, KEYBOARD, HIDDEN, EMPTY), DIALOG),
        ((LEFT, RIGHT), RIGHT),  # it has the input focus
        ((SHADE, PAGE), PAGE),
        ((BAR,), None),
        ((EMPTY,), EMPTY),
        ((), None),
    ],
)
def test_the_topmost_app_window_does_not_depend_on_the_dump(
    windows: tuple[UiNode, ...], top: UiNode | None
) -> None:
    assert all(top_app_window(UiTree(each)) is top for each in itertools.permutations(windows))


@pytest.mark.parametrize("windows", list(itertools.permutations((PAGE, DIALOG, KEYBOARD))))
def test_the_keyboard_lies_above_a_dialog_and_a_dialog_above_its_page(windows: tuple[UiNode, ...]) -> None:
    assert windows_from_top(UiTree(windows)) == (KEYBOARD, DIALOG, PAGE)


def test_the_focused_package_precedes_and_equal_windows_are_in_the_order_of_android() -> None:
    other = UiNode(package="other", bounds=PAGE.bounds)
    assert top_app_window(UiTree((PAGE, DIALOG)), "app") is PAGE
    assert top_app_window(UiTree((PAGE, DIALOG)), "unknown") is DIALOG
    assert top_app_window(UiTree((other, PAGE))) is other

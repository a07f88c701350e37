from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from garabench.core.clock import FakeClock
from garabench.core.geometry import Rect
from garabench.core.observation import TreeSource
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree
from garabench.device.settle import settle, spinner
from garabench.device.trees import TreeReading

SPINNER = UiNode(cls="android.widget.ProgressBar", package="a.b", bounds=Rect(500, 900, 596, 996))
TEXT = UiNode(cls="android.widget.TextView", text="商品", package="a.b", bounds=Rect(0, 0, 500, 90))


def screen(*nodes: UiNode, package: str = "a.b") -> UiTree:
    return UiTree((UiNode(cls="android.widget.FrameLayout", package=package, children=nodes),))


class Screens:
    """Successive readings of 0.1 s each; the last one repeats."""

    def __init__(self, trees: Iterable[UiTree], clock: FakeClock, source: TreeSource = TreeSource.U2) -> None:
        self.trees = list(trees)
        self.clock = clock
        self.source = source
        self.pauses = 0

    def read(self) -> TreeReading:
        self.clock.advance(0.1)
        tree = self.trees.pop(0) if len(self.trees) > 1 else self.trees[0]
        return TreeReading(tree, self.source)

    def pause(self) -> None:
        self.pauses += 1
        self.clock.advance(0.25)


def run(*trees: UiTree, cap: float = 5.0, max_readings: int = 12) -> tuple[bool, int, int]:
    clock = FakeClock()
    screens = Screens(trees, clock)
    settled = settle(screens.read, clock, cap=cap, max_readings=max_readings, pause=screens.pause)
    return settled.still, settled.readings, screens.pauses


def test_still_screen_costs_one_more_reading_and_no_pause() -> None:
    assert run(screen(TEXT)) == (True, 2, 0)


def test_changing_screen_is_read_until_two_readings_are_equal() -> None:
    moved = [screen(UiNode(text=str(number), package="a.b")) for number in range(4)]
    assert run(*moved) == (True, 5, 0)


def test_screen_with_a_spinner_is_not_still() -> None:
    loading = screen(SPINNER)
    assert run(loading, loading, loading, screen(TEXT)) == (True, 5, 3)


def test_endless_spinner_ends_at_the_cap_and_is_not_still() -> None:
    still, readings, pauses = run(screen(SPINNER))
    assert not still
    assert (readings, pauses) == (12, 11)
    still, readings, _ = run(screen(SPINNER), cap=1.0)
    assert not still
    assert readings < 6


def test_number_of_readings_is_limited() -> None:
    clock = FakeClock()
    trees = iter(screen(UiNode(text=str(number))) for number in range(100))
    settled = settle(lambda: TreeReading(next(trees), TreeSource.U2), clock, cap=5, max_readings=4)
    assert (settled.still, settled.readings) == (False, 4)


def test_readings_of_two_sources_are_never_equal() -> None:
    clock = FakeClock()
    sources = iter([TreeSource.U2, TreeSource.UIAUTOMATOR_DUMP, TreeSource.UIAUTOMATOR_DUMP])
    read: Callable[[], TreeReading] = lambda: TreeReading(screen(TEXT), next(sources))  # noqa: E731
    assert settle(read, clock, cap=5).readings == 3


@pytest.mark.parametrize(
    ("node", "package", "spins"),
    [
        (SPINNER, "a.b", True),
        (UiNode(cls="android.widget.ProgressBar", bounds=Rect(0, 0, 1000, 12)), "a.b", False),
        (UiNode(cls="android.widget.ProgressBar", bounds=Rect(0, 0, 12, 900)), "a.b", False),
        (UiNode(cls="android.widget.ProgressBar", bounds=Rect(0, 0, 0, 0)), "a.b", False),
        (UiNode(cls="android.widget.ProgressBar", bounds=Rect(0, 0, 90, 90), text="40%"), "a.b", False),
        (UiNode(cls="android.widget.ProgressBar", bounds=Rect(0, 0, 90, 90), visible=False), "a.b", False),
        (UiNode(cls="android.widget.SeekBar", bounds=Rect(0, 0, 90, 90)), "a.b", False),
        (SPINNER, SYSTEM_UI, False),
        (TEXT, "a.b", False),
    ],
)
def test_spinners_are_recognized(node: UiNode, package: str, spins: bool) -> None:
    assert (spinner(screen(node, package=package)) is not None) is spins

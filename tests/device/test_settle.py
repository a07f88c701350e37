from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from garabench.core.clock import FakeClock
from garabench.core.geometry import Rect
from garabench.core.observation import Focus, TreeSource
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree
from garabench.device.focus import WindowState
from garabench.device.settle import Settled, settle, spinner
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


PAGE = WindowState(Focus(package="a.b", activity="a.b.Page"), "1 u0 a.b/a.b.Page")
OTHER = WindowState(Focus(package="a.b", activity="a.b.Other"), "2 u0 a.b/a.b.Other")
NOTHING = WindowState(Focus(package="", activity=""))


def run_dumps(
    *trees: UiTree, windows: Iterable[WindowState], seconds: float = 3.5, first: TreeReading | None = None
) -> tuple[Settled, int]:
    """Settle with dumps that take `seconds` each; return the result and how often the window was read."""
    clock, remaining, left = FakeClock(), list(trees), list(windows)
    looks = 0

    def read() -> TreeReading:
        clock.advance(seconds)
        tree = remaining.pop(0) if len(remaining) > 1 else remaining[0]
        return TreeReading(tree, TreeSource.UIAUTOMATOR_DUMP)

    def window() -> WindowState:
        nonlocal looks
        looks += 1
        return left.pop(0) if len(left) > 1 else left[0]

    return settle(read, clock, cap=5, first=first, window=window), looks


def test_one_dump_is_enough_while_the_window_stays_in_focus() -> None:
    settled, looks = run_dumps(screen(TEXT), windows=[PAGE])
    assert (settled.still, settled.readings, settled.window, looks) == (True, 1, PAGE, 2)


@pytest.mark.parametrize("before", [OTHER, NOTHING])
def test_window_that_came_during_a_dump_costs_another_one(before: WindowState) -> None:
    settled, looks = run_dumps(screen(SPINNER), screen(TEXT), windows=[before, PAGE])
    assert (settled.still, settled.readings, settled.window, looks) == (True, 2, PAGE, 3)


def test_two_equal_dumps_are_enough_while_no_window_has_the_focus() -> None:
    settled, _ = run_dumps(screen(TEXT), windows=[NOTHING])
    assert (settled.still, settled.readings, settled.window) == (True, 2, None)


def test_dump_that_was_read_before_is_enough_if_its_app_has_the_focus() -> None:
    first = TreeReading(screen(TEXT), TreeSource.UIAUTOMATOR_DUMP)
    settled, looks = run_dumps(screen(TEXT), windows=[PAGE], first=first)
    assert (settled.still, settled.readings, looks) == (True, 1, 1)
    covered = TreeReading(screen(TEXT, package="c.d"), TreeSource.UIAUTOMATOR_DUMP)
    assert run_dumps(screen(TEXT), windows=[PAGE], first=covered)[0].readings == 2


def test_dump_with_a_spinner_is_read_again() -> None:
    settled, _ = run_dumps(screen(SPINNER), screen(SPINNER), screen(TEXT), windows=[PAGE])
    assert (settled.still, settled.readings) == (True, 3)


def test_cap_leaves_a_slow_device_time_for_four_dumps() -> None:
    settled, _ = run_dumps(screen(SPINNER), windows=[PAGE])
    assert (settled.still, settled.readings, settled.seconds) == (False, 4, 14.0)


@pytest.mark.parametrize(
    ("trees", "started"),
    [([screen(TEXT)], 1), ([screen(), screen(TEXT)], 1), ([screen(SPINNER), screen(TEXT)], 0)],
)
def test_something_may_run_beside_the_second_reading(trees: list[UiTree], started: int) -> None:
    clock = FakeClock()
    screens = Screens(trees, clock)
    calls: list[int] = []
    settle(screens.read, clock, cap=5, meanwhile=lambda: calls.append(len(screens.trees)))
    assert calls == [1] * started


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

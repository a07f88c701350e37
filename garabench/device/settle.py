"""Wait until the screen is still, or the cap is reached.

There is no fixed sleep: a reading takes time on the device, so a screen that is already still costs just one
more reading, and two equal ones end the wait. ``uiautomator dump`` waits by itself until the screen has been
idle for a second, and a second dump takes seconds on old phones: there one dump is enough if the same window
has the focus before and after it, which `dumpsys` reports in a fraction of the time.

A spinner moves while its tree stays the same, and more content will follow it: a screen with a visible
spinner is not still. Other motion that the tree does not show, such as a video, is ignored, since it may
never end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.clock import Clock
from garabench.core.observation import TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.device.focus import WindowState
from garabench.device.trees import TreeReading

_PROGRESS = "ProgressBar"
_MOST_OBLONG = 1.5
_SLOW_READINGS = 4
"""Number of readings for which a cap leaves time, however slow the device is."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of waiting for a still screen.

    Attributes:
        reading: The last tree, which the next observation uses.
        still: Whether the screen was still and without a spinner; False if the cap was reached.
        readings: Number of trees read.
        seconds: Duration of the wait.
        window: The window in focus after the last tree was read; None if it was not read.
    """

    reading: TreeReading
    still: bool
    readings: int
    seconds: float
    window: WindowState | None = None


def spinner(tree: UiTree) -> UiNode | None:
    """Return an indeterminate progress bar that is visible in an app's window, or None.

    No source of the tree says whether a ``ProgressBar`` is indeterminate. In Android's style an indeterminate
    one is round and therefore about square in the tree, while a determinate one is oblong. A bar that
    publishes its progress in its text or description changes the tree by itself.
    """
    for node in tree.app_nodes:
        # "SeekBar" and "RatingBar" are separate classes, which the user moves.
        if node.cls.endswith(_PROGRESS) and node.visible and not (node.text or node.desc):
            width, height = node.bounds.width, node.bounds.height
            if min(width, height) > 0 and max(width, height) <= _MOST_OBLONG * min(width, height):
                return node
    return None


def settle(
    read: Callable[[], TreeReading],
    clock: Clock,
    *,
    cap: float,
    max_readings: int = 12,
    pause: Callable[[], None] = lambda: None,
    first: TreeReading | None = None,
    window: Callable[[], WindowState] | None = None,
    before: WindowState | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Settled:
    """Read trees until the screen is still and shows no spinner.

    Args:
        read: Reads a tree.
        clock: Measures the wait.
        cap: Seconds after which the wait ends, but not before the time of four of this device's readings.
        max_readings: Maximum number of readings; at least 2.
        pause: Waits before the tree is read again while a spinner is visible.
        first: A tree that was just read, used as the first reading.
        window: Reads the window in focus, where trees come from ``uiautomator dump``; None if they come from
            a source that does not wait for an idle screen.
        before: The window in focus, if it was read after the last action; None reads it.
        meanwhile: Starts something that runs while the second tree is read; not called with a spinner.

    Raises:
        DeviceError: A tree could not be read.
    """
    started = clock.monotonic()
    slowest = 0.0

    def timed_read() -> TreeReading:
        nonlocal slowest
        begun = clock.monotonic()
        reading = read()
        slowest = max(slowest, clock.monotonic() - begun)
        return reading

    if window is not None and first is None:
        before = before or window()
    last, count, still = first or timed_read(), 1, False
    while True:
        spinning = spinner(last.tree) is not None
        after = None
        if window is not None and last.source is TreeSource.UIAUTOMATOR_DUMP and not still:
            after = window()
            still = not spinning and _unmoved(before, after, last.tree)
        seconds = clock.monotonic() - started
        over = count >= max(2, max_readings) or (count > 1 and seconds >= max(cap, _SLOW_READINGS * slowest))
        if still or over:
            return Settled(last, still, count, seconds, after)
        if spinning:
            pause()
        elif count == 1:
            meanwhile()
        count += 1
        before, fresh = after, timed_read()
        same = fresh.tree is last.tree or fresh.tree.signature == last.tree.signature
        equal = fresh.source is last.source and same
        last, still = fresh, equal and not spinning


def _unmoved(before: WindowState | None, after: WindowState, tree: UiTree) -> bool:
    """Return whether a dump shows the window in focus, in the display's rotation.

    Where the window before the dump is unknown, its package has to be in the tree.
    """
    if after.display is not None and after.display.rotation not in (None, tree.rotation):
        return False
    if before is None:
        return after.focus.package in tree.packages
    return bool(after.token) and after.token == before.token

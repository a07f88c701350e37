"""Wait until the screen is still: two consecutive readings of the tree are equal, or the cap is reached.

There is no fixed sleep: a reading takes time on the device (and a dump itself waits for the screen to be
idle), so a screen that is already still costs just one more reading.

A spinner moves while its tree stays the same, and more content will follow it: a screen with a visible
spinner is not still. Other motion that the tree does not show, such as a video, is ignored, since it may
never end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.clock import Clock
from garabench.core.tree import UiNode, UiTree
from garabench.device.trees import TreeReading

_PROGRESS = "ProgressBar"
_MOST_OBLONG = 1.5


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of waiting for a still screen.

    Attributes:
        reading: The last tree, which the next observation uses.
        still: Whether the last two readings were equal and without a spinner; False if the cap was reached.
        readings: Number of trees read.
        seconds: Duration of the wait.
    """

    reading: TreeReading
    still: bool
    readings: int
    seconds: float


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
) -> Settled:
    """Read trees until two consecutive ones are equal and show no spinner.

    Args:
        read: Reads a tree.
        clock: Measures the wait.
        cap: Seconds after which the wait ends.
        max_readings: Maximum number of readings; at least 2.
        pause: Waits before the tree is read again while a spinner is visible.
        first: A tree that was just read, used as the first reading.

    Raises:
        DeviceError: A tree could not be read.
    """
    started = clock.monotonic()
    last, count, still = first or read(), 1, False
    while not still and count < max(2, max_readings):
        spinning = spinner(last.tree) is not None
        if spinning:
            pause()
        count += 1
        fresh = read()
        equal = fresh.source is last.source and fresh.tree.signature == last.tree.signature
        still = equal and not spinning
        last = fresh
        if clock.monotonic() - started >= cap:
            break
    return Settled(last, still, count, clock.monotonic() - started)

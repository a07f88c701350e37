"""Wait until the screen is still: two readings of the tree in a row are equal, or the cap is reached.

There is no fixed sleep: a reading takes its own time on the device (and a dump waits for the screen to
rest by itself), so that a screen which is already still costs one more reading and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.clock import Clock
from garabench.device.trees import TreeReading


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of a wait for stillness.

    Attributes:
        reading: The last tree, which the next observation uses.
        still: Whether the last two readings were equal; False when the cap ended the wait.
        readings: How many trees were read.
        seconds: How long it took.
    """

    reading: TreeReading
    still: bool
    readings: int
    seconds: float


def settle(read: Callable[[], TreeReading], clock: Clock, *, cap: float, most: int = 12) -> Settled:
    """Read trees until two in a row are equal.

    Args:
        read: Reads a tree.
        clock: Measures the wait.
        cap: Seconds after which the wait ends.
        most: The largest number of readings; at least 2.

    Raises:
        DeviceError: A tree could not be read.
    """
    started = clock.monotonic()
    last, count, still = read(), 1, False
    while not still and count < max(2, most):
        count += 1
        fresh = read()
        still = fresh.source is last.source and fresh.tree.signature == last.tree.signature
        last = fresh
        if clock.monotonic() - started >= cap:
            break
    return Settled(last, still, count, clock.monotonic() - started)

"""Wait until the screen is still: two readings of the tree in a row are equal, or the cap is reached.

There is no fixed sleep: a reading takes its own time on the device (and a dump waits for the screen to
rest by itself), so that a screen which is already still costs one more reading and nothing else.

A spinner turns while its tree stays equal, and says that more is to come: while one is in view the screen
is not still. Other motion that the tree does not tell, such as a video, does not count: it has no end that
could be waited for.
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
    """The end of a wait for stillness.

    Attributes:
        reading: The last tree, which the next observation uses.
        still: Whether the last two readings were equal and without a spinner; False when the cap ended it.
        readings: How many trees were read.
        seconds: How long it took.
    """

    reading: TreeReading
    still: bool
    readings: int
    seconds: float


def spinner(tree: UiTree) -> UiNode | None:
    """A progress bar without end that is in view in an app's window, or None.

    Neither form of the tree says whether a ``ProgressBar`` is indeterminate. Android's style for one without
    end is round and therefore about square in the tree, its bars that fill are oblong; a bar that tells how
    far it is (as `ProgressBar` does by its text or description) changes the tree by itself.
    """
    for node in tree.app_nodes:
        # "SeekBar" and "RatingBar" are classes of their own, which a finger moves.
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
    most: int = 12,
    pause: Callable[[], None] = lambda: None,
    first: TreeReading | None = None,
) -> Settled:
    """Read trees until two in a row are equal and show no spinner.

    Args:
        read: Reads a tree.
        clock: Measures the wait.
        cap: Seconds after which the wait ends.
        most: The largest number of readings; at least 2.
        pause: Lets time pass before a spinner is looked at again.
        first: A reading that was made just now, which counts as the first one.

    Raises:
        DeviceError: A tree could not be read.
    """
    started = clock.monotonic()
    last, count, still = first or read(), 1, False
    while not still and count < max(2, most):
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

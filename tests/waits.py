"""Wait for other threads and processes.

The limit only ends a hang: it is far longer than a busy machine needs, and costs nothing if all is well.
A test of one of the program's own limits lets the other side hang forever, and asserts what was recorded,
or that it took less than `AMPLE`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from garabench.core.clock import SystemClock

AMPLE = 120.0
"""Seconds to wait before something counts as hanging."""
CLOCK = SystemClock()


def until(holds: Callable[[], object], what: str = "the condition", *, seconds: float = AMPLE) -> None:
    """Wait until a condition holds.

    Raises:
        AssertionError: It does not hold in time.
    """
    limit = CLOCK.monotonic() + seconds
    for attempt in itertools.count():
        if holds():
            return
        assert CLOCK.monotonic() < limit, f"timed out after {seconds:g} s: {what}"
        CLOCK.sleep(min(0.2, 0.01 * (attempt + 1)))

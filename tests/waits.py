"""How tests wait for what other threads and processes do.

A limit here ends only what hangs: it is far beyond what a machine needs that does much else at the same time,
and costs nothing when all is well. A test that proves a limit of the program's lets the other side hang for
ever, and then asserts what was recorded, or that it took less than `AMPLE`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from garabench.core.clock import SystemClock

AMPLE = 120.0
"""Seconds to wait for what comes sooner or later."""
CLOCK = SystemClock()


def until(holds: Callable[[], object], what: str = "what was waited for", *, seconds: float = AMPLE) -> None:
    """Wait until something holds.

    Raises:
        AssertionError: It does not in that time.
    """
    limit = CLOCK.monotonic() + seconds
    for turn in itertools.count():
        if holds():
            return
        assert CLOCK.monotonic() < limit, f"in vain after {seconds:g} s: {what}"
        CLOCK.sleep(min(0.2, 0.01 * (turn + 1)))

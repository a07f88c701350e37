"""How often Python searches for unreachable cycles of objects."""

from __future__ import annotations

import gc

_NEW_OBJECTS = 50_000


def collect_rarely() -> None:
    """Let more objects be created between two searches for unreachable cycles.

    A suite and UI trees are many small objects without cycles. With Python's default, a search after each 700
    new objects, a quarter of the time in which a suite is loaded is spent in vain. A larger number that was
    set before stays.
    """
    newest, *older = gc.get_threshold()
    gc.set_threshold(max(newest, _NEW_OBJECTS), *older)

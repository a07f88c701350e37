"""The usage of models by several workers of a run, so that each knows how much of the budget is left."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from garabench.agents.models.budget import Meter
from garabench.core.usage import Usage


class UsageLedger:
    """Adds the workers' usage to the meter of the run, and says what each has not heard of; thread-safe."""

    def __init__(self, meter: Meter) -> None:
        """Begin without any usage of this invocation.

        Args:
            meter: The meter of the run, which has the usage of earlier invocations.
        """
        self._meter = meter
        self._entries: list[tuple[str, Usage]] = []
        self._read: dict[str, int] = {}
        self._lock = threading.Lock()

    def add(self, worker: str, usages: Iterable[Usage]) -> None:
        """Add what a worker has used."""
        with self._lock:
            for usage in usages:
                self._meter.add(usage)
                self._entries.append((worker, usage))

    def news(self, worker: str) -> tuple[Usage, ...]:
        """Return the usage of which a worker does not know yet: everything, or what others have added."""
        with self._lock:
            read = self._read.get(worker)
            self._read[worker] = len(self._entries)
            if read is None:
                return (self._meter.total,)
            return tuple(usage for name, usage in self._entries[read:] if name != worker)

    def forget(self, worker: str) -> None:
        """Note that a worker has started anew, and knows of nothing."""
        with self._lock:
            self._read.pop(worker, None)

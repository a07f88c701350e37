"""What a measurement is, and how several are shown."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure.

    Attributes:
        name: What was measured.
        value: The figure.
        unit: ``s``, ``ms``, ``MB``, ``x`` (a ratio in one run) or ``times``.
        limit: What it must keep to, or None when it is only reported.
        at_least: Whether the limit is a floor instead of a ceiling.
        note: How it came about.
    """

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def kept(self) -> bool:
        """Whether the limit is kept; true without one."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def median_ms(call: Callable[[], object], times: int) -> float:
    """Median duration of a call in milliseconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def worked_ms(call: Callable[[], object], times: int) -> float:
    """Least processor time of a call in milliseconds: other work on the machine lengthens that, too."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append((time.process_time() - start) * 1000)
    return min(taken)


def machine() -> dict[str, object]:
    """The machine, in general terms."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}


def table(measures: Sequence[Measure]) -> None:
    """Print the figures."""
    shown = Table(title=", ".join(f"{key} {value}" for key, value in machine().items()))
    for column in ("measure", "figure", "limit", "kept", "note"):
        shown.add_column(column, justify="right" if column in ("figure", "limit") else "left")
    for item in measures:
        sign = "≥" if item.at_least else "≤"
        limit = "" if item.limit is None else f"{sign} {item.limit:g} {item.unit}"
        kept = "" if item.limit is None else "yes" if item.kept else "NO"
        shown.add_row(item.name, f"{item.value:.3g} {item.unit}", limit, kept, item.note)
    Console(width=130).print(shown)


def as_json(measures: Sequence[Measure]) -> str:
    """The figures and the machine, as JSON."""
    rows = [asdict(item) | {"kept": item.kept} for item in measures]
    return json.dumps({"machine": machine(), "measures": rows}, indent=2)

"""Measures of the benchmarks: values, limits, table and JSON."""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

DOCS = Path("docs/performance.md")
"""The page with the figures, relative to the repository."""
PAGES = {
    "faults": Path("docs/reliability.md"),
    "kills": Path("docs/reliability.md"),
    "many-episodes": Path("docs/reliability.md"),
    "health-check": Path("docs/reliability.md"),
    "whole-campaign": Path("docs/reliability.md"),
    "many-phones": Path("docs/scale.md"),
    "ray": Path("docs/scale.md"),
    "authoring": Path("docs/authoring-rules.md"),
}
"""The pages of the parts that have one."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    Attributes:
        name: What was measured.
        value: The value.
        unit: ``s``, ``ms``, ``MB``, ``x`` (a ratio within one run), ``%`` or ``times``.
        limit: The limit; None if the value is only reported.
        at_least: Whether the limit is a minimum instead of a maximum.
        note: How it was measured.
    """

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def within_limit(self) -> bool:
        """Whether the value is within its limit; true without one."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def median_ms(call: Callable[[], object], times: int) -> float:
    """Return the median duration of a call in milliseconds."""
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        durations.append((time.perf_counter() - start) * 1000)
    return statistics.median(durations)


def cpu_ms(call: Callable[[], object], times: int) -> float:
    """Return the minimum processor time of a call in milliseconds, which other load disturbs least."""
    durations = []
    for _ in range(times):
        start = time.process_time()
        call()
        durations.append((time.process_time() - start) * 1000)
    return min(durations)


def machine() -> dict[str, object]:
    """Describe the machine."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}


def figure(value: float) -> str:
    """Return a value with three digits, or as a whole number from 1,000: ``16.8``, ``1,850``."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def table(measures: Sequence[Measure]) -> None:
    """Print the measures as a table."""
    rendered = Table(title=", ".join(f"{key} {value}" for key, value in machine().items()))
    for column in ("measure", "value", "limit", "ok", "note"):
        rendered.add_column(column, justify="right" if column in ("value", "limit") else "left")
    for item in measures:
        sign = "≥" if item.at_least else "≤"
        limit = "" if item.limit is None else f"{sign} {item.limit:g} {item.unit}"
        ok = "" if item.limit is None else "yes" if item.within_limit else "NO"
        rendered.add_row(item.name, f"{figure(item.value)} {item.unit}", limit, ok, item.note)
    Console(width=130).print(rendered)


def as_json(measures: Sequence[Measure]) -> str:
    """Return the measures and the machine as JSON."""
    rows = [asdict(item) | {"within_limit": item.within_limit} for item in measures]
    return json.dumps({"machine": machine(), "measures": rows}, indent=2)


def markdown(measures: Sequence[Measure]) -> str:
    """Return the measures as a Markdown table."""
    rows = ["| measure | figure | limit | how |", "|---|---:|---:|---|"]
    for item in measures:
        sign = "≥" if item.at_least else "≤"
        unit = {"x": "×", "%": "%"}.get(item.unit, f" {item.unit}")
        limit = "" if item.limit is None else f"{sign} {item.limit:g}{unit}"
        rows.append(f"| {item.name} | {figure(item.value)}{unit} | {limit} | {item.note} |")
    return "\n".join(rows)


def with_table(page: str, part: str, measures: Sequence[Measure]) -> str:
    """Return a page with the table of a part replaced; see `with_block`."""
    return with_block(page, part, markdown(measures))


def with_block(page: str, part: str, block: str) -> str:
    """Return a page with the text of a part replaced, between its two comments.

    Raises:
        ValueError: The page has no such comments.
    """
    start, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    replaced, count = pattern.subn(lambda _: f"{start}\n{block}\n{end}", page)
    if count != 1:
        raise ValueError(f"{count} tables between {start} and {end}")
    return replaced


def update_docs(part: str, measures: Sequence[Measure]) -> None:
    """Replace the table of a part in the documentation; report a part that has none.

    Rows that people write from several runs, as in `DOCS`, have no comments.
    """
    path = PAGES.get(part, DOCS)
    page = path.read_text(encoding="utf-8")
    try:
        path.write_text(with_table(page, part, measures), encoding="utf-8")
    except ValueError as error:
        print(f"{path} is not updated: {error}", file=sys.stderr)

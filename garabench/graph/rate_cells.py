"""What the report's tables and charts show of a rate."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.sections import ChartPoint
from garabench.stats.rates import Rate


def counts_text(rate: Rate) -> str:
    """Return the successes and trials of a rate, such as ``3/6``."""
    return f"{rate.successes}/{rate.trials}"


def rate_points(name: str, rate: Rate) -> Iterator[ChartPoint]:
    """Yield the point of a rate with its interval; none without trials."""
    interval = rate.interval()
    if rate.value is not None and interval is not None:
        yield ChartPoint(name, rate.value, *interval)

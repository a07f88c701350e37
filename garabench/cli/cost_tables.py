"""Tables of model usage and of estimated model costs."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from garabench.agents.models.cost import format_cost
from garabench.campaign.estimate import ASSUMPTIONS, EstimateRow
from garabench.cli.table_formats import Grid, make_grid
from garabench.stats.usage_rows import UsageRow


def usage_table(rows: Sequence[UsageRow]) -> Grid:
    """Return the tokens, cost and mean times of the models, by agent and condition."""
    columns = (
        "agent",
        "condition",
        "sent",
        "cached",
        "received",
        "cost",
        "per episode",
        "model",
        "device",
        "repairs",
    )
    return make_grid(
        "Model usage",
        columns,
        (
            (
                f"{row.agent}*" if row.reference else row.agent,
                row.condition,
                format_tokens(row.sent),
                format_tokens(row.cached),
                format_tokens(row.received),
                format_cost(row.cost),
                f"{format_cost(row.cost_per_episode)} ({row.episodes})",
                _mean(row.model_seconds, row.requests),
                _mean(row.device_seconds, row.requests),
                f"{row.repairs}/{row.requests}",
            )
            for row in rows
        ),
        [
            "sent, cached, received: tokens, as reported by the endpoint; cost: by the price table",
            "per episode: mean (of N episodes with reported usage); repairs: of N replies",
            "model: mean time to a reply; device: mean of the remaining time per reply",
            "includes episodes that ended in error, but not earlier attempts that were retried",
        ],
    )


def estimate_table(rows: Sequence[EstimateRow]) -> Grid:
    """Return the estimated model usage and its assumptions."""
    total = None if any(row.cost is None for row in rows) else sum(row.cost or Decimal(0) for row in rows)
    notes = [*ASSUMPTIONS]
    if len(rows) > 1:
        notes.insert(0, f"total: {format_cost(None if total is None else Decimal(total))}")
    return make_grid(
        "Estimated model usage",
        ("agent", "model", "episodes", "requests", "sent", "received", "cost"),
        (
            (
                row.agent,
                row.model,
                str(row.episodes),
                str(row.requests),
                format_tokens(row.sent),
                format_tokens(row.received),
                format_cost(row.cost),
            )
            for row in rows
        ),
        notes,
    )


def format_tokens(number: int) -> str:
    """Format a number of tokens: ``950``, ``12.3k``, ``4.56M``."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 1_000_000 else f"{number / 1_000_000:.2f}M"


def _mean(seconds: float, requests: int) -> str:
    return f"{seconds / requests:.1f}s" if requests else "–"

"""Tables of what models took, and of what they will take."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from garabench.agents.chat.cost import in_words
from garabench.campaign.estimate import ASSUMPTIONS, EstimateRow
from garabench.cli.tables import render
from garabench.stats.spending import SpendingRow


def spending_table(rows: Sequence[SpendingRow]) -> str:
    """Tokens, money, and the model's time beside the device's, by agent and condition."""
    columns = (
        "agent",
        "condition",
        "sent",
        "cached",
        "received",
        "cost",
        "an episode",
        "model",
        "device",
        "repairs",
    )
    return render(
        "What the models took",
        columns,
        (
            (
                row.agent,
                row.condition,
                count(row.sent),
                count(row.cached),
                count(row.received),
                in_words(row.cost),
                in_words(row.cost_per_episode),
                _share(row.model_seconds, row.requests),
                _share(row.device_seconds, row.requests),
                f"{row.repairs}/{row.requests}",
            )
            for row in rows
        ),
        [
            "sent, cached, received: tokens, as the endpoint counts them; cost: by the table of prices",
            "model: seconds of waiting for a reply; device: all other seconds for each reply, means",
            "episodes that ended in error are counted here, too; attempts that were repeated are not",
        ],
    )


def estimate_table(rows: Sequence[EstimateRow]) -> str:
    """What the models will take, with the assumptions."""
    total = None if any(row.cost is None for row in rows) else sum(row.cost or Decimal(0) for row in rows)
    told = [*ASSUMPTIONS]
    if len(rows) > 1:
        told.insert(0, f"in all: {in_words(None if total is None else Decimal(total))}")
    return render(
        "What the models will take, about",
        ("agent", "model", "episodes", "requests", "sent", "received", "cost"),
        (
            (
                row.agent,
                row.model,
                str(row.episodes),
                str(row.requests),
                count(row.sent),
                count(row.received),
                in_words(row.cost),
            )
            for row in rows
        ),
        told,
    )


def count(number: int) -> str:
    """A number of tokens, short: ``950``, ``12.3k``, ``4.56M``."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 1_000_000 else f"{number / 1_000_000:.2f}M"


def _share(seconds: float, requests: int) -> str:
    return f"{seconds / requests:.1f}s" if requests else "–"

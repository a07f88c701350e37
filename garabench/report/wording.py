"""Words of the report: counts, names of outcomes and reasons, and shares in running text."""

from __future__ import annotations

from garabench.core.sections import CellFormat
from garabench.stats.means import Mean
from garabench.stats.rates import Rate
from garabench.web.cell_text import cell_text

REASONS = {
    "goal_met": "goal met",
    "gave_up_rightly": "gave up rightly",
    "false_done": "reported success wrongly",
    "ambiguous_answer": "ambiguous answer",
    "gave_up": "gave up",
    "did_harm": "did harm",
    "step_limit": "step limit",
    "time_limit": "time limit",
    "unparseable": "unparseable reply",
    "refused": "model refused",
    "agent_timeout": "agent missed its deadline",
    "agent_failed": "agent crashed",
    "fault": "fault",
}
"""Reasons of the end of an episode, for people."""


def reason_words(reason: str) -> str:
    """Return a reason for people."""
    return REASONS.get(reason, reason)


def share(value: float | None) -> str:
    """Return a share as a percentage."""
    return cell_text(value, CellFormat.PERCENT)


def points(value: float) -> str:
    """Return a difference of shares in percentage points: ``6.1``."""
    return cell_text(value * 100, CellFormat.SECONDS).removesuffix(" s")


def interval_text(interval: tuple[float, float] | None) -> str | None:
    """Return an interval of shares: ``50.2% to 93.4%``; None without one."""
    return None if interval is None else f"{share(interval[0])}\u00a0to\u00a0{share(interval[1])}"


def rate_text(rate: Rate) -> str | None:
    """Return a rate with its counts: ``83.3% (10/12)``; None without a trial."""
    return f"{share(rate.value)}\u00a0({rate.successes}/{rate.trials})" if rate.trials else None


def mean_text(mean: Mean) -> str | None:
    """Return a mean with the number of its values: ``7.41 (38)``; None without a value."""
    return f"{cell_text(mean.value, CellFormat.NUMBER)}\u00a0({mean.count:,})" if mean.count else None


def agent_label(name: str, reference: bool) -> str:
    """Return an agent's name, with a star for a reference agent."""
    return f"{name}*" if reference else name

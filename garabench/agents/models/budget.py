"""A run's budget, and the meter of its models' usage."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from pathlib import Path

from garabench.agents.models.cost import format_cost
from garabench.agents.models.transcript import read_step
from garabench.core.clock import Clock
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import BudgetExceededError
from garabench.records.run_layout import earlier_attempts, episode_folders, transcripts

_CENT = Decimal("0.01")
MAX_REPLIES_WITHOUT_USAGE = 3
"""Replies without token usage in one invocation: one may be an accident, three mean it is never reported."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run; None for no limit.

    Attributes:
        cost: US dollars over the whole run, including the time before it was resumed.
        tokens: Tokens sent and received over the whole run.
        seconds: Duration of this invocation; a resumed run starts at 0 again.
    """

    cost: Decimal | None = None
    tokens: int | None = None
    seconds: float | None = None

    @property
    def counts_models(self) -> bool:
        """Whether earlier usage counts towards it."""
        return self.cost is not None or self.tokens is not None


class Meter:
    """Adds up the usage of a run's models; thread-safe."""

    def __init__(
        self,
        budget: Budget,
        clock: Clock,
        before: Iterable[Usage] = (),
        on_usage: Callable[[Usage], None] = lambda usage: None,
    ) -> None:
        """Start the clock.

        Args:
            budget: The limits.
            clock: The clock for the time limit, which starts now.
            before: The usage of each reply before this invocation.
            on_usage: Called with the usage of each reply of this invocation.
        """
        self._on_usage = on_usage
        self._budget = budget
        self._clock = clock
        self._begun = clock.monotonic()
        self._total = NO_USAGE
        self._known = Decimal(0)
        self._uncounted = 0
        self._lock = threading.Lock()
        for usage in before:
            self.add_earlier(usage)

    def add(self, usage: Usage) -> None:
        """Add the usage of a reply."""
        self.add_earlier(usage)
        self._on_usage(usage)
        if usage.requests > usage.from_cache and not usage.tokens and usage.cost is None:
            with self._lock:
                self._uncounted += 1

    def add_earlier(self, usage: Usage) -> None:
        """Add the usage of a reply before this invocation, or of another process of it."""
        with self._lock:
            self._total += usage
            self._known += usage.cost or 0

    @property
    def total(self) -> Usage:
        """The usage so far, including earlier invocations."""
        with self._lock:
            return self._total

    def limit_error(self, *, progressed: bool) -> BudgetExceededError | None:
        """Return the error that ends the run, with limits to resume it; None while no limit is reached.

        Cost and tokens count over the whole run, so the same limit would stop a resumed run at once. The
        suggested limit is twice the usage, which exceeds any episode after a few repetitions. Time starts
        anew, and is doubled only if it was too short for an episode.

        Args:
            progressed: Whether an episode has ended in this invocation.
        """
        reached = self.exceeded()
        if not reached:
            return None
        total, budget = self.total, self._budget
        cost = self._known if _is_used_up(self._known, budget.cost) else None
        late = not progressed and _is_used_up(self._clock.monotonic() - self._begun, budget.seconds)
        return BudgetExceededError(
            reached,
            cost=(2 * cost).quantize(_CENT, ROUND_UP) if cost is not None else None,
            tokens=2 * total.tokens if _is_used_up(total.tokens, budget.tokens) else None,
            seconds=2 * budget.seconds if late and budget.seconds is not None else None,
        )

    def exceeded(self) -> str:
        """Describe the limit that is reached; empty while none is.

        Only known costs count. Replies without token usage end a run that has a cost or token budget, since
        the budget cannot be enforced.
        """
        total, budget = self.total, self._budget
        if budget.cost is not None and self._known >= budget.cost:
            return (
                f"the budget of {format_cost(budget.cost)} is used up: {format_cost(self._known)} was spent"
            )
        if budget.tokens is not None and total.tokens >= budget.tokens:
            return f"the budget of {budget.tokens:,} tokens is used up: {total.tokens:,} were used"
        if budget.seconds is not None and self._clock.monotonic() - self._begun >= budget.seconds:
            return f"the time budget of {budget.seconds:g} s is used up"
        if budget.counts_models and self._uncounted >= MAX_REPLIES_WITHOUT_USAGE:
            return (
                f"the budget cannot be enforced: {self._uncounted} replies reported no token usage. "
                "Use --max-time instead, or an endpoint that reports usage"
            )
        return ""


def _is_used_up(used: Decimal | float | None, limit: Decimal | float | None) -> bool:
    return used is not None and limit is not None and used >= limit


def recorded_usage(folder: Path) -> tuple[Usage, ...]:
    """Read the usage of each reply from a run's record, including interrupted attempts.

    Args:
        folder: The run folder.

    Raises:
        InputError: A file of the record is malformed.
    """
    return tuple(
        exchange.usage
        for episode in episode_folders(folder)
        for attempt in (*earlier_attempts(episode), episode)
        for path in transcripts(attempt)
        for exchange in read_step(path).exchanges
        if exchange.usage is not None
    )

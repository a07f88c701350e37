"""A run's budget: what its models may take in all, and what they have taken so far."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from garabench.agents.chat.cost import in_words
from garabench.agents.chat.kept import REQUESTS, read_step
from garabench.core.clock import Clock
from garabench.core.spending import NOTHING, Spent


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may take; None for no limit.

    Attributes:
        cost: US dollars, over all that the run has done, also before it was gone on with.
        tokens: Sent and received, counted like the money.
        seconds: Of this call: a run that is gone on with begins at 0 again.
    """

    cost: Decimal | None = None
    tokens: int | None = None
    seconds: float | None = None

    @property
    def counts_models(self) -> bool:
        """Whether what was spent earlier matters to it."""
        return self.cost is not None or self.tokens is not None


class Meter:
    """Adds up what a run's models take; may be shared by threads."""

    def __init__(self, budget: Budget, clock: Clock, before: Spent = NOTHING) -> None:
        """Begin.

        Args:
            budget: What may be taken.
            clock: For the limit of time, which begins now.
            before: What was taken before this call.
        """
        self._budget = budget
        self._clock = clock
        self._begun = clock.monotonic()
        self._total = before
        self._lock = threading.Lock()

    def add(self, took: Spent) -> None:
        """Take in what one answer took."""
        with self._lock:
            self._total += took

    @property
    def total(self) -> Spent:
        """What was taken so far, also before this call."""
        with self._lock:
            return self._total

    def exceeded(self) -> str:
        """Which limit is reached, in words; empty while none is.

        Money that is not known reaches no limit: whoever gives a limit of money is told before the run
        that a price is missing.
        """
        total, budget = self.total, self._budget
        if budget.cost is not None and total.cost is not None and total.cost >= budget.cost:
            return f"the budget of {in_words(budget.cost)} is used up: {in_words(total.cost)} were spent"
        if budget.tokens is not None and total.tokens >= budget.tokens:
            return f"the budget of {budget.tokens:,} tokens is used up: {total.tokens:,} were used"
        if budget.seconds is not None and self._clock.monotonic() - self._begun >= budget.seconds:
            return f"the time of {budget.seconds:g} s is over"
        return ""


def spent_in(folder: Path) -> Spent:
    """What a run's models have taken so far by its record, attempts that were cut off among it.

    Args:
        folder: The run's folder.

    Raises:
        InputError: A file of the record is broken.
    """
    return total(
        exchange.spent
        for path in sorted((folder / "episodes").glob(f"**/{REQUESTS}/*.json"))
        for exchange in read_step(path).exchanges
        if exchange.spent is not None
    )


def total(parts: Iterable[Spent]) -> Spent:
    """The sum."""
    return sum(parts, NOTHING)

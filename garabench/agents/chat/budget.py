"""A run's budget: what its models may take in all, and what they have taken so far."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from pathlib import Path

from garabench.agents.chat.cost import in_words
from garabench.agents.chat.kept import REQUESTS, read_step
from garabench.core.clock import Clock
from garabench.core.spending import NOTHING, Spent
from garabench.errors import RunStopped

_CENT = Decimal("0.01")
MOST_UNCOUNTED = 3
"""Replies that tell no tokens, of one call of a run: one may be an accident, three are an endpoint's way."""


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

    def __init__(self, budget: Budget, clock: Clock, before: Iterable[Spent] = ()) -> None:
        """Begin.

        Args:
            budget: What may be taken.
            clock: For the limit of time, which begins now.
            before: What each answer before this call took.
        """
        self._budget = budget
        self._clock = clock
        self._begun = clock.monotonic()
        self._total = NOTHING
        self._known = Decimal(0)
        self._uncounted = 0
        self._lock = threading.Lock()
        for took in before:
            self.add_earlier(took)

    def add(self, took: Spent) -> None:
        """Take in what one answer took."""
        self.add_earlier(took)
        if took.requests > took.from_cache and not took.tokens and took.cost is None:
            with self._lock:
                self._uncounted += 1

    def add_earlier(self, took: Spent) -> None:
        """Take in what one answer before this call took."""
        with self._lock:
            self._total += took
            self._known += took.cost or 0

    @property
    def total(self) -> Spent:
        """What was taken so far, also before this call."""
        with self._lock:
            return self._total

    def stopped(self, *, got_on: bool) -> RunStopped | None:
        """The run's end by its budget, with what it takes to go on; None while no limit is reached.

        Money and tokens count over the whole run, so that the same limit would stop it at once again: twice
        what was used lets it go on, and grows past any episode when it is given again and again. Time
        begins anew, and is doubled only where it was too short.

        Args:
            got_on: Whether an episode has ended since this call began.
        """
        reached = self.exceeded()
        if not reached:
            return None
        total, budget = self.total, self._budget
        cost = self._known if _is_used_up(self._known, budget.cost) else None
        late = not got_on and _is_used_up(self._clock.monotonic() - self._begun, budget.seconds)
        return RunStopped(
            reached,
            cost=(2 * cost).quantize(_CENT, ROUND_UP) if cost is not None else None,
            tokens=2 * total.tokens if _is_used_up(total.tokens, budget.tokens) else None,
            seconds=2 * budget.seconds if late and budget.seconds is not None else None,
        )

    def exceeded(self) -> str:
        """Which limit is reached, in words; empty while none is.

        Of money, what is known counts. Replies that tell no tokens end a run that has a budget of money or
        tokens: it cannot be kept.
        """
        total, budget = self.total, self._budget
        if budget.cost is not None and self._known >= budget.cost:
            return f"the budget of {in_words(budget.cost)} is used up: {in_words(self._known)} were spent"
        if budget.tokens is not None and total.tokens >= budget.tokens:
            return f"the budget of {budget.tokens:,} tokens is used up: {total.tokens:,} were used"
        if budget.seconds is not None and self._clock.monotonic() - self._begun >= budget.seconds:
            return f"the time of {budget.seconds:g} s is over"
        if budget.counts_models and self._uncounted >= MOST_UNCOUNTED:
            return (
                f"the budget cannot be kept: {self._uncounted} replies told no tokens. "
                "Give a limit of time by --max-time in its place, or ask an endpoint that tells its usage"
            )
        return ""


def _is_used_up(used: Decimal | float | None, limit: Decimal | float | None) -> bool:
    return used is not None and limit is not None and used >= limit


def spent_in(folder: Path) -> tuple[Spent, ...]:
    """What each reply of a run's models has taken so far by its record, of attempts that were cut off, too.

    Args:
        folder: The run's folder.

    Raises:
        InputError: A file of the record is broken.
    """
    return tuple(
        exchange.spent
        for path in sorted((folder / "episodes").glob(f"**/{REQUESTS}/*.json"))
        for exchange in read_step(path).exchanges
        if exchange.spent is not None
    )

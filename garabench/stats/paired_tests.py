"""Paired tests: outcomes of the same tasks and seeds under two conditions; pure functions of values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """Outcomes of the same trials under two conditions.

    Attributes:
        both: Trials that succeeded under both.
        only_first, only_second: Trials that succeeded under one only.
        neither: Trials that failed under both.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def trials(self) -> int:
        """The number of pairs."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def p_value(self) -> float:
        """P-value of the exact two-sided McNemar test (binomial over the discordant pairs); 1 without any.

        Source: McNemar (1947), Note on the sampling error of the difference between correlated proportions,
        Psychometrika 12:153-157; exact form in Fagerland, Lydersen and Laake (2013), BMC Medical Research
        Methodology 13:91.
        """
        n = self.only_first + self.only_second
        if n == 0:
            return 1.0
        k = min(self.only_first, self.only_second)
        tail = sum(math.comb(n, i) for i in range(k + 1))
        return float(min(1.0, 2 * tail / 2**n))


def count_pairs(outcomes: Iterable[tuple[bool, bool]]) -> PairedOutcomes:
    """Count the pairs of outcomes (first condition, second condition)."""
    outcomes = list(outcomes)
    return PairedOutcomes(
        both=sum(a and b for a, b in outcomes),
        only_first=sum(a and not b for a, b in outcomes),
        only_second=sum(b and not a for a, b in outcomes),
        neither=sum(not a and not b for a, b in outcomes),
    )

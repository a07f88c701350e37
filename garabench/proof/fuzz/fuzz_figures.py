"""The figures of fuzzed walks: how many of each verdict, by app."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from garabench.proof.fuzz.accepted_findings import AcceptedFinding, covering
from garabench.proof.fuzz.walk import FuzzedTask, WalkVerdict

NOT_JUDGED = (WalkVerdict.BLOCKED, WalkVerdict.UNKNOWN, WalkVerdict.REFUSED_ELSEWHERE)
"""Verdicts on walks of which it is unknown whether the goal was right."""


@dataclass(frozen=True, slots=True)
class FuzzFigures:
    """The figures of some tasks.

    Attributes:
        tasks: Number of tasks.
        verdicts: Number of walks by verdict.
        known: Number of judged walks with harmless actions only, whose effects are therefore known.
        exact: How many of these changed exactly what their task asks for.
        findings: Number of different findings.
        accepted: How many of these are accepted.
    """

    tasks: int
    verdicts: Mapping[str, int]
    known: int
    exact: int
    findings: int
    accepted: int

    @property
    def walks(self) -> int:
        """Number of walks."""
        return sum(self.verdicts.values())


def fuzz_figures(fuzzed: Sequence[FuzzedTask], accepted: Sequence[AcceptedFinding] = ()) -> FuzzFigures:
    """Return the figures of some tasks.

    Args:
        fuzzed: Their results.
        accepted: The accepted findings.
    """
    walks = [walk for each in fuzzed for walk in each.walks]
    known = [each.exact for each in walks if each.walk.harmless and each.exact is not None]
    findings = [finding for each in fuzzed for finding in each.findings]
    return FuzzFigures(
        tasks=len(fuzzed),
        verdicts=dict(Counter(each.verdict.value for each in walks)),
        known=len(known),
        exact=sum(known),
        findings=len(findings),
        accepted=sum(covering(finding, accepted) is not None for finding in findings),
    )

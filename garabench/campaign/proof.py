"""What is proven of a task, and what was found: values, written as JSON and read back."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any


class Check(enum.StrEnum):
    """What is proven of a task."""

    UNMET_BEFORE = "unmet-before"
    SOLVED = "solved"
    RULE_FIRES = "rule-fires"
    RULE_KINDS = "rule-kinds"
    OTHER_WAY = "other-way"
    NEAR_MISS = "near-miss"
    KINDS = "near-miss-kinds"
    PART_NEEDED = "part-needed"
    EXIT = "exit"
    IN_FORCE = "in-force"
    OTHER_GOAL = "other-goal"


@dataclass(frozen=True, slots=True)
class Variant:
    """A phone on which a task is proven.

    Attributes:
        profile: Which phone: ``android-34``; empty for a device that is taken as it is.
        lang: The phone's language; empty likewise.
        seed: Of everything random on it.
    """

    profile: str = ""
    lang: str = ""
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.profile} {self.lang} seed {self.seed}" if self.profile else "as it is"


VARIANTS = (
    Variant("android-34", "zh", 0),
    Variant("android-30", "en", 0),
    Variant("android-34", "en", 1),
    Variant("android-30", "zh", 1),
)
"""Two profiles, two languages, two seeds: each value of one meets each value of the others.

The first is the one on which near misses and interruptions are performed.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check came to.

    Attributes:
        check: Which one.
        subject: The name of the rule, the way, the exit or the part; empty for the others.
        ok: Whether it is proven.
        why: What was seen.
        step: The step that shows it, from 1 in the way's order; 0 is before the first, None is all of it.
        evidence: Where the screen and the tree are kept: of the way that failed, or, of what several ways
            together show, the end of the solution. Empty when it is proven, and where nothing is kept.
        variant: The phone on which it was seen, where there are several.
    """

    check: Check
    subject: str
    ok: bool
    why: str
    step: int | None = None
    evidence: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """A task and what was found of it.

    Attributes:
        task: Its id.
        findings: One for each check; never empty.
        cached: Whether it was proven before, and nothing that it depends on has changed since.
    """

    task: str
    findings: tuple[Finding, ...]
    cached: bool = False

    @property
    def ok(self) -> bool:
        """Whether every check is proven."""
        return all(finding.ok for finding in self.findings)

    @property
    def failures(self) -> tuple[Finding, ...]:
        """What is not proven."""
        return tuple(finding for finding in self.findings if not finding.ok)

    def with_findings(self, more: Sequence[Finding]) -> Proof:
        """The proof with further findings."""
        return replace(self, findings=(*self.findings, *more))

    def to_json(self) -> dict[str, Any]:
        """As JSON-like data."""
        return {**asdict(self), "ok": self.ok}


def read_finding(data: dict[str, Any]) -> Finding:
    """Read a finding back from JSON-like data.

    Raises:
        ValueError, TypeError, KeyError: It is none.
    """
    return Finding(**{**data, "check": Check(data["check"])})


def merged(found: Sequence[tuple[Variant, Sequence[Finding]]]) -> tuple[Finding, ...]:
    """One finding for each check and subject: of those of several phones the first that is not proven.

    Args:
        found: The phones and what was found on each, in the order in which it is told.
    """
    result: dict[tuple[Check, str], Finding] = {}
    for variant, findings in found:
        for finding in findings:
            key = (finding.check, finding.subject)
            named = replace(finding, variant=str(variant)) if len(found) > 1 and not finding.ok else finding
            if key not in result or (result[key].ok and not finding.ok):
                result[key] = named
    return tuple(result.values())


def summary(proof: Proof) -> str:
    """One line about a proof: ``proven: goal, 3 rules with 8 exits, 2 near misses``."""
    bad = proof.failures
    if bad:
        return f"{len(bad)} of {len(proof.findings)} not proven"
    count = {check: sum(f.check is check for f in proof.findings) for check in Check}
    rules = _some(count[Check.RULE_FIRES], "rule")
    if exits := count[Check.EXIT]:
        rules += f" with {_some(exits, 'exit')}"
    before = "proven before" if proof.cached else "proven"
    return f"{before}: goal, {rules}, {_some(count[Check.NEAR_MISS], 'near miss', 'near misses')}"


def _some(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"

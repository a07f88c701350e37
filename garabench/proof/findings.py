"""Findings and proofs: what was checked of a task, with which result; convertible to and from JSON."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any


class ProofCheck(enum.StrEnum):
    """One property of a task that a proof checks."""

    UNMET_BEFORE = "unmet-before"
    SOLVED = "solved"
    RULE_FIRES = "rule-fires"
    RULE_KINDS = "rule-kinds"
    ALTERNATIVE = "alternative"
    NEAR_MISS = "near-miss"
    NEAR_MISS_KINDS = "near-miss-kinds"
    PART_NEEDED = "part-needed"
    EXIT = "exit"
    IN_FORCE = "in-force"
    CROSS_TASK = "other-goal"
    EFFECTS = "effects"


_FORMER_CHECKS = {"other-way": "alternative"}
"""Names of checks in older proof records, with the present names."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A phone configuration on which a task is proven.

    Attributes:
        profile: Phone profile, such as ``android-34``; empty for a device that is used as it is.
        lang: Language of the phone; empty for a device that is used as it is.
        seed: Random seed of the phone.
    """

    profile: str = ""
    lang: str = ""
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.profile} {self.lang} seed {self.seed}" if self.profile else "unchanged"


VARIANTS = (
    Variant("android-34", "zh", 0),
    Variant("android-30", "en", 0),
    Variant("android-34", "en", 1),
    Variant("android-30", "zh", 1),
)
"""Two profiles, two languages, two seeds: every pair of values of two factors occurs once.

Near misses and interruptions run on the first variant only.
"""


@dataclass(frozen=True, slots=True)
class ProofFinding:
    """The result of one check.

    Attributes:
        check: The property that was checked.
        subject: The rule, alternative, near miss, exit or goal part that was checked; empty if there is
            only one.
        ok: Whether the property is proven.
        reason: The observation that decided it.
        step: The step that shows it, from 1; 0 is before the first step, None is the whole path.
        evidence: Path of the saved screenshot, next to the tree. For a failure that several paths show
            together it is the end of the solution. Empty for a proven finding, or if no evidence is saved.
        variant: The phone configuration that showed it, if there are several.
    """

    check: ProofCheck
    subject: str
    ok: bool
    reason: str
    step: int | None = None
    evidence: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """The findings of one task.

    Attributes:
        task: Id of the task.
        findings: At least one finding.
        cached: Whether the proof comes from the cache.
    """

    task: str
    findings: tuple[ProofFinding, ...]
    cached: bool = False

    @property
    def ok(self) -> bool:
        """Whether every finding is proven."""
        return all(finding.ok for finding in self.findings)

    @property
    def failures(self) -> tuple[ProofFinding, ...]:
        """The findings that are not proven."""
        return tuple(finding for finding in self.findings if not finding.ok)

    def with_findings(self, more: Sequence[ProofFinding]) -> Proof:
        """Return the proof with more findings appended."""
        return replace(self, findings=(*self.findings, *more))

    def to_json(self) -> dict[str, Any]:
        """Return the proof as JSON-compatible data."""
        return {**asdict(self), "ok": self.ok}


def finding_from_json(data: dict[str, Any]) -> ProofFinding:
    """Read a finding from JSON-compatible data.

    Raises:
        ValueError, TypeError, KeyError: The data is malformed.
    """
    name = data["check"]
    return ProofFinding(**{**data, "check": ProofCheck(_FORMER_CHECKS.get(name, name))})


def merge_findings(found: Sequence[tuple[Variant, Sequence[ProofFinding]]]) -> tuple[ProofFinding, ...]:
    """Merge the findings of several variants: one per check and subject, the first failure if there is one.

    Args:
        found: Each variant with its findings, in the order in which they are reported.
    """
    result: dict[tuple[ProofCheck, str], ProofFinding] = {}
    for variant, findings in found:
        for finding in findings:
            key = (finding.check, finding.subject)
            named = replace(finding, variant=str(variant)) if len(found) > 1 and not finding.ok else finding
            if key not in result or (result[key].ok and not finding.ok):
                result[key] = named
    return tuple(result.values())


def summary_line(proof: Proof) -> str:
    """Summarize a proof in one line: ``proven: goal, 3 rules with 8 exits, 2 near misses``."""
    bad = proof.failures
    if bad:
        return f"{len(bad)} of {len(proof.findings)} not proven"
    count = {check: sum(f.check is check for f in proof.findings) for check in ProofCheck}
    rules = _count(count[ProofCheck.RULE_FIRES], "rule")
    if exits := count[ProofCheck.EXIT]:
        rules += f" with {_count(exits, 'exit')}"
    proven = "proven (cached)" if proof.cached else "proven"
    return f"{proven}: goal, {rules}, {_count(count[ProofCheck.NEAR_MISS], 'near miss', 'near misses')}"


def _count(number: int, singular: str, plural: str = "") -> str:
    return f"{number} {singular if number == 1 else plural or singular + 's'}"

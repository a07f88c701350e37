"""Findings with the reason of a verdict and, for a failure, the saved screen."""

from __future__ import annotations

from dataclasses import replace

from garabench.core.evaluate import Verdict
from garabench.core.goal import Goal
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.proof.path_performer import EvidenceSource


def with_evidence(finding: ProofFinding, performer: EvidenceSource | None) -> ProofFinding:
    """Return a finding with saved evidence if it is a failure."""
    if finding.ok or performer is None:
        return finding
    name = "-".join(part for part in (finding.check.value, *finding.subject.split()) if part)
    return replace(finding, evidence=performer.save_evidence(name.replace("+", "-")))


def unmet_finding(
    check: ProofCheck, subject: str, verdict: Verdict, step: int, goal: Goal, performer: EvidenceSource | None
) -> ProofFinding:
    """Return the finding that a goal does not hold; an unknown verdict is not a proof."""
    ok = verdict.holds is False
    reason = verdict.reason if ok else f"goal {goal.id} {describe_verdict(verdict)}"
    return with_evidence(ProofFinding(check, subject, ok, reason, step), performer)


def describe_verdict(verdict: Verdict) -> str:
    """Describe a verdict in words."""
    word = {True: "holds", False: "does not hold", None: "is unknown"}[verdict.holds]
    return f"{word}: {verdict.reason}"

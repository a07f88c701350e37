"""Check that the end of a task's solution meets no goal of another task of the same app."""

from __future__ import annotations

from garabench.core.evaluate import evaluate
from garabench.core.recorded_facts import RecordedFacts
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.suite.suite import Suite, SuiteTask


def cross_task_findings(item: SuiteTask, suite: Suite, end: RecordedFacts) -> tuple[ProofFinding, ...]:
    """Evaluate the goals of the app's other tasks at the end of a task's solution.

    A task that another task's solution also solves cannot distinguish two agents. A task may declare such a
    goal in ``also_meets``.

    Args:
        item: The task.
        suite: The suite that contains it.
        end: The facts at the end of the solution.

    Returns:
        One failure per goal that holds or is unknown without being declared, or is declared and does not
        hold; otherwise a single proven finding.
    """
    declared = set(item.task.also_meets)
    bad = []
    for name, other in suite.tasks.items():
        if name == item.task.id or other.app != item.app:
            continue
        verdict = evaluate(other.goal.condition, end, end.earlier.verdict)
        if name in declared and not verdict.holds:
            bad.append(
                ProofFinding(
                    ProofCheck.CROSS_TASK,
                    name,
                    False,
                    f"declared in also_meets, but does not hold: {verdict.reason}",
                )
            )
        elif name not in declared and verdict.holds is None:
            bad.append(
                ProofFinding(
                    ProofCheck.CROSS_TASK,
                    name,
                    False,
                    f"unknown at the end of this solution: {verdict.reason}",
                )
            )
        elif name not in declared and verdict.holds:
            reason = f"holds at the end of this solution: {verdict.reason}"
            bad.append(ProofFinding(ProofCheck.CROSS_TASK, name, False, reason))
    if bad:
        return tuple(bad)
    reason = (
        f"no other goal holds, except {', '.join(sorted(declared))}" if declared else "no other goal holds"
    )
    return (ProofFinding(ProofCheck.CROSS_TASK, "", True, reason),)

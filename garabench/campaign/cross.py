"""Ask the goals of an app's other tasks at the end of a task's solution: none of them may hold."""

from __future__ import annotations

from garabench.campaign.kept import KeptFacts
from garabench.campaign.proof import Check, Finding
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.verdict import evaluate


def other_goals(item: SuiteTask, suite: Suite, end: KeptFacts) -> tuple[Finding, ...]:
    """What the end of a task's solution means for the other tasks of its app.

    A task that is done by doing another one cannot tell two agents apart; where that is meant, the task says
    so: ``also_meets``.

    Args:
        item: The task.
        suite: The suite that it is of.
        end: The facts at its solution's end.

    Returns:
        A finding for each goal that holds or could not be established without being declared, and for each
        that is declared and does not hold; or a single one that there is none.
    """
    declared = set(item.task.also_meets)
    bad = []
    for name, other in suite.tasks.items():
        if name == item.task.id or other.app != item.app:
            continue
        verdict = evaluate(other.goal.condition, end)
        if name in declared and not verdict.holds:
            bad.append(Finding(Check.OTHER_GOAL, name, False, f"is declared to hold, too: {verdict.why}"))
        elif name not in declared and verdict.holds is None:
            bad.append(Finding(Check.OTHER_GOAL, name, False, f"could not be established: {verdict.why}"))
        elif name not in declared and verdict.holds:
            why = f"its goal holds at the end of this solution: {verdict.why}"
            bad.append(Finding(Check.OTHER_GOAL, name, False, why))
    if bad:
        return tuple(bad)
    said = (
        f"no other goal holds, but for {', '.join(sorted(declared))}" if declared else "no other goal holds"
    )
    return (Finding(Check.OTHER_GOAL, "", True, said),)

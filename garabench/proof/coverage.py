"""Check that each condition of a goal is needed.

A condition is needed if it alone rejects some near miss; or, if the goal would be stricter without it, if it
alone lets some correct path pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from garabench.proof.condition_mutants import HARM, SEEN, WHOLE, Change, Mutant, condition_mutants
from garabench.proof.field_mutants import field_mutants
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.suite.suite import Suite, SuiteTask

NeededParts = Mapping[str, str]
"""Parts of a task's goal, each with a path of the task that would be misjudged without it."""

_IDLE_INFEASIBLE = {
    SEEN: "every near miss sees the cause; add one that gives up without having seen it",
    HARM: "no near miss does harm; add one that sees the cause, does harm and gives up",
}

NO_PARTS: NeededParts = MappingProxyType({})


def goal_mutants(item: SuiteTask, suite: Suite) -> tuple[Mutant, ...]:
    """Return a task's goal without each of its parts, and with each parameter left open in each field.

    An infeasible task has two more mutants: without the evidence of the cause, and without the harm.
    """
    schema = suite.goals.get(item.goal.id)
    parts = condition_mutants(item.goal.condition, schema.guards if schema else ())
    if schema is not None:
        parts += field_mutants(schema, item.task.goal.with_)
    if item.task.infeasible is None:
        return parts
    within = (each for each in parts if each.part != WHOLE)  # `SEEN` covers it
    return (*within, Mutant(SEEN, item.goal.condition), Mutant(HARM, item.goal.condition))


def coverage_findings(
    item: SuiteTask, suite: Suite, own: NeededParts, others: Callable[[SuiteTask], NeededParts]
) -> tuple[ProofFinding, ...]:
    """Check that each condition of a task's goal is needed.

    Tasks share goals, and a part that distinguishes look-alikes may be idle in a task without look-alikes. So
    a part is needed if a near miss of any task with this goal would pass without it, or, if the goal would be
    stricter, if the solution of any of them would be refused on some phone.

    Args:
        item: The task.
        suite: The suite that contains it.
        own: The parts that the task's own paths need.
        others: Returns the parts that another task's paths need; called only if that matters.
    """
    return tuple(_finding(item, suite, mutant, own, others) for mutant in goal_mutants(item, suite))


def _finding(
    item: SuiteTask,
    suite: Suite,
    mutant: Mutant,
    own: NeededParts,
    others: Callable[[SuiteTask], NeededParts],
) -> ProofFinding:
    def finding(ok: bool, reason: str) -> ProofFinding:
        return ProofFinding(ProofCheck.PART_NEEDED, mutant.subject, ok, reason)

    if (path := own.get(mutant.part)) is not None:
        return finding(True, _without(mutant, path))
    if mutant.guard:
        return finding(True, f"a guard: {mutant.guard}")
    if mutant.part in _IDLE_INFEASIBLE:
        return finding(False, _IDLE_INFEASIBLE[mutant.part])
    for other in suite.every_task.values():
        if other.goal.id == item.goal.id and other.task.id != item.task.id:
            path = others(other).get(mutant.part)
            if path is not None:
                return finding(True, _without(mutant, f"{path} of {other.task.id}"))
    return finding(False, f"idle: {_IDLE_BECAUSE[mutant.change].format(goal=item.goal.id)}")


_IDLE_BECAUSE = {
    Change.LOOSER: "no near miss of a task with the goal {goal} would pass without it; "
    "add one that only it rejects, or declare it a guard",
    Change.STRICTER: "no correct path of a task with the goal {goal} would be refused without it; "
    "add one that only it accepts, remove it, or declare it a guard",
    Change.MIXED: "without it no near miss of a task with the goal {goal} would pass, and no correct path "
    "would be refused; add one, remove it, or declare it a guard",
}


def _without(mutant: Mutant, path: str) -> str:
    if mutant.part == WHOLE:
        return f"every near miss would pass without it: {path}"
    return f"without it {path} would {_MISJUDGED[mutant.change]}"


_MISJUDGED = {
    Change.LOOSER: "pass",
    Change.STRICTER: "be refused",
    Change.MIXED: "be misjudged",
}

"""Check that each condition of a goal is needed.

A condition is needed if it alone rejects some near miss; or, if the goal would be stricter without it, if it
alone lets some correct path pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from garabench.core.condition import Condition
from garabench.core.goal import bind, with_earlier
from garabench.proof.condition_mutants import HARM, SEEN, WHOLE, Change, Mutant, condition_mutants
from garabench.proof.field_mutants import field_mutants
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.suite.suite import Suite, SuiteTask

NeededParts = Mapping[str, str]
"""Parts of a task's goal, each with a path of the task that would be decided wrongly without it."""

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
    if schema is None:
        parts = condition_mutants(item.goal.condition)
    else:
        own = bind(schema, item.task.goal.with_).condition
        parts = condition_mutants(own, schema.guards) + field_mutants(schema, item.task.goal.with_)
        parts = tuple(
            each
            if each.condition is None
            else _with_condition(each, with_earlier(each.condition, item.earlier))
            for each in parts
        )
        parts += tuple(
            mutant for place in range(len(item.earlier)) for mutant in _step_mutants(item, suite, place)
        )
    if item.task.infeasible is None:
        return parts
    within = (each for each in parts if each.part != WHOLE)  # `SEEN` covers it
    return (*within, Mutant(SEEN, item.goal.condition), Mutant(HARM, item.goal.condition))


def _step_mutants(item: SuiteTask, suite: Suite, place: int) -> Iterator[Mutant]:
    """Yield the mutants of one goal for earlier screens: without it, and without each of its parts."""
    use, step = item.task.earlier[place], item.earlier[place]
    schema = suite.goals[step.id]
    own = bind(suite.goals[item.goal.id], item.task.goal.with_).condition
    before, after = item.earlier[:place], item.earlier[place + 1 :]
    yield Mutant(step.id, with_earlier(own, (*before, *after)), step=step.id)
    inner = condition_mutants(step.condition, schema.guards) + field_mutants(schema, use.with_)
    for mutant in inner:
        if mutant.condition is not None:
            changed = step.model_copy(update={"condition": mutant.condition})
            named = replace(mutant, part=f"{step.id} {mutant.part}", step=step.id)
            yield _with_condition(named, with_earlier(own, (*before, changed, *after)))


def _with_condition(mutant: Mutant, condition: Condition) -> Mutant:
    return replace(mutant, condition=condition)


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
        if (mutant.step or item.goal.id) in other.uses and other.task.id != item.task.id:
            path = others(other).get(mutant.part)
            if path is not None:
                return finding(True, _without(mutant, f"{path} of {other.task.id}"))
    return finding(False, f"idle: {_IDLE_BECAUSE[mutant.change].format(goal=mutant.step or item.goal.id)}")


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
    return f"without it {path} would {_DECIDED_WRONGLY[mutant.change]}"


_DECIDED_WRONGLY = {
    Change.LOOSER: "pass",
    Change.STRICTER: "be refused",
    Change.MIXED: "be decided wrongly",
}

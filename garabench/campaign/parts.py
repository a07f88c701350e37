"""Which conditions of a goal are needed.

Each has to be the only thing that rejects some near miss; or, when the goal is stricter without it, the only
thing that lets some right way pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from garabench.campaign.field_mutants import field_mutants
from garabench.campaign.mutants import HARM, SEEN, WHOLE, Change, Mutant, mutants
from garabench.campaign.proof import Check, Finding
from garabench.campaign.suite import Suite, SuiteTask

Needed = Mapping[str, str]
"""The parts of a task's goal, each with a way of the task that would be judged wrongly without it."""

_IDLE = {
    SEEN: "every near miss sees why it cannot be done; add one that gives up without having seen it",
    HARM: "no near miss does harm; add one that sees why it cannot be done, does harm, and gives up",
}

NONE_NEEDED: Needed = MappingProxyType({})


def parts_of(item: SuiteTask, suite: Suite) -> tuple[Mutant, ...]:
    """A task's goal without each of its parts in turn, and with each parameter left open in each field.

    Of a task that cannot be done also: without that it is seen why, and without the harm.
    """
    schema = suite.goals.get(item.goal.id)
    parts = mutants(item.goal.condition, schema.guards if schema else ())
    if schema is not None:
        parts += field_mutants(schema, item.task.goal.with_)
    if item.task.infeasible is None:
        return parts
    within = (each for each in parts if each.part != WHOLE)  # it is what shows why: `SEEN`
    return (*within, Mutant(SEEN, item.goal.condition), Mutant(HARM, item.goal.condition))


def part_findings(
    item: SuiteTask, suite: Suite, own: Needed, others: Callable[[SuiteTask], Needed]
) -> tuple[Finding, ...]:
    """Whether each condition of a task's goal is needed.

    A goal is shared by tasks: a part that tells apart the look-alikes of one is idle in another whose objects
    have none. It is needed when a near miss of any of them would pass without it, or, for one without which
    the goal is stricter, when the solution of any of them would be refused on some phone.

    Args:
        item: The task.
        suite: The suite that it is of.
        own: The parts that its own ways need.
        others: Tells the parts that another task's ways need; asked only when it matters.
    """
    return tuple(_finding(item, suite, mutant, own, others) for mutant in parts_of(item, suite))


def _finding(
    item: SuiteTask, suite: Suite, mutant: Mutant, own: Needed, others: Callable[[SuiteTask], Needed]
) -> Finding:
    def told(ok: bool, why: str) -> Finding:
        return Finding(Check.PART_NEEDED, mutant.subject, ok, why)

    if (way := own.get(mutant.part)) is not None:
        return told(True, _without(mutant, way))
    if mutant.guard:
        return told(True, f"a guard: {mutant.guard}")
    if mutant.part in _IDLE:
        return told(False, _IDLE[mutant.part])
    for other in suite.every_task.values():
        if other.goal.id == item.goal.id and other.task.id != item.task.id:
            way = others(other).get(mutant.part)
            if way is not None:
                return told(True, _without(mutant, f"{way} of {other.task.id}"))
    return told(False, f"idle: {_MISSING[mutant.change].format(goal=item.goal.id)}")


_MISSING = {
    Change.LOOSER: "no near miss of a task with the goal {goal} would pass without it; "
    "add one that only it rejects, or declare it a guard",
    Change.STRICTER: "no right way of a task with the goal {goal} would be refused without it; "
    "add one that only it accepts, leave it out, or declare it a guard",
    Change.MIXED: "no near miss of a task with the goal {goal} would pass without it, and no right way be "
    "refused; add one, leave it out, or declare it a guard",
}


def _without(mutant: Mutant, way: str) -> str:
    if mutant.part == WHOLE:
        return f"every near miss would pass without it: {way}"
    return f"without it {way} would {_WRONGLY[mutant.change]}"


_WRONGLY = {
    Change.LOOSER: "pass",
    Change.STRICTER: "be refused",
    Change.MIXED: "be judged the other way",
}

"""Which parts of a goal are needed: each has to be the only thing that rejects some near miss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from garabench.campaign.mutants import HARM, SEEN, Mutant, mutants
from garabench.campaign.proof import Check, Finding
from garabench.campaign.suite import Suite, SuiteTask

Needed = Mapping[int, str]
"""The parts of a task's goal, each with a near miss of the task that would pass without it."""

_IDLE = {
    SEEN: "every near miss sees why it cannot be done; add one that gives up without having seen it",
    HARM: "no near miss does harm; add one that sees why it cannot be done, does harm, and gives up",
}

NONE_NEEDED: Needed = MappingProxyType({})


def parts_of(item: SuiteTask, suite: Suite) -> tuple[Mutant, ...]:
    """A task's goal without each of its parts in turn.

    Of a task that cannot be done also: without that it is seen why, and without the harm.
    """
    schema = suite.goals.get(item.goal.id)
    parts = mutants(item.goal.condition, schema.guards if schema else ())
    if item.task.infeasible is None:
        return parts
    return (*parts, Mutant(SEEN, item.goal.condition), Mutant(HARM, item.goal.condition))


def part_findings(
    item: SuiteTask, suite: Suite, own: Needed, others: Callable[[SuiteTask], Needed]
) -> tuple[Finding, ...]:
    """Whether each part of a task's goal is needed.

    A goal is shared by tasks: a part that tells apart the look-alikes of one is idle in another whose objects
    have none. It is needed when a near miss of any of them would pass without it.

    Args:
        item: The task.
        suite: The suite that it is of.
        own: The parts that its own near misses need.
        others: Tells the parts that another task's near misses need; asked only when it matters.
    """
    return tuple(_finding(item, suite, mutant, own, others) for mutant in parts_of(item, suite))


def _finding(
    item: SuiteTask, suite: Suite, mutant: Mutant, own: Needed, others: Callable[[SuiteTask], Needed]
) -> Finding:
    subject = mutant.subject
    if (miss := own.get(mutant.part)) is not None:
        return Finding(Check.PART_NEEDED, subject, True, f"without it {miss} would pass")
    if mutant.guard:
        return Finding(Check.PART_NEEDED, subject, True, f"a guard: {mutant.guard}")
    if mutant.part in _IDLE:
        return Finding(Check.PART_NEEDED, subject, False, _IDLE[mutant.part])
    for other in suite.every_task.values():
        if other.goal.id == item.goal.id and other.task.id != item.task.id:
            miss = others(other).get(mutant.part)
            if miss is not None:
                why = f"without it {miss} of {other.task.id} would pass"
                return Finding(Check.PART_NEEDED, subject, True, why)
    why = (
        f"idle: no near miss of a task with the goal {item.goal.id} would pass without it; "
        "add one that only it rejects, or declare it a guard"
    )
    return Finding(Check.PART_NEEDED, subject, False, why)

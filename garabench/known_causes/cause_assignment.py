"""Draw the causes of a data set: for each task a defect and a fault of the agent, each used evenly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from garabench.agents.faulty.agent_fault import AgentFaultKind
from garabench.core.seeds import derive, generator
from garabench.core.steps import AnswerStep, ScrollStep, SolutionStep, TypeStep
from garabench.core.task import Task
from garabench.known_causes.cause import Cause, CauseKind
from garabench.records.plan import CLEAN

BREAKING_IMPACTS = frozenset({"impossible", "flaky"})
"""Impacts that make a failure the environment's; with a workaround, an agent can still succeed."""
_ONLY_WITH: Mapping[AgentFaultKind, type] = {
    AgentFaultKind.NO_SCROLL: ScrollStep,
    AgentFaultKind.WRONG_ANSWER: AnswerStep,
    AgentFaultKind.WRONG_TEXT: TypeStep,
    AgentFaultKind.IGNORES_KEYBOARD: TypeStep,
}


def assign_defects(
    tasks: Iterable[str], broken_by: Mapping[str, Mapping[str, str]], seed: int, *, number: int = 0
) -> dict[str, Cause]:
    """Draw a defect for each task that one breaks, each defect about equally often.

    Args:
        tasks: Ids of the tasks.
        broken_by: The defects that break each task, with the impact.
        seed: Seed of the data set.
        number: Number of the draw; another one gives other pairs.
    """
    used: Counter[str] = Counter()
    drawn: dict[str, Cause] = {}
    for task in _shuffled(tasks, seed, f"defects-{number}"):
        offered = broken_by.get(task, {})
        if offered:
            name = min(offered, key=lambda each: (used[each], derive(seed, "defect", number, task, each)))
            used[name] += 1
            drawn[task] = Cause(CauseKind.DEFECT, name, offered[name])
    return drawn


def applicable_faults(task: Task, condition: str) -> tuple[AgentFaultKind, ...]:
    """Return the faults that matter in a task: a text can be wrong only where one is typed."""
    kinds = {type(step) for step in task.solution}
    return tuple(
        fault
        for fault in AgentFaultKind
        if (fault not in _ONLY_WITH or _ONLY_WITH[fault] in kinds)
        and (fault is not AgentFaultKind.TAPS_THROUGH or condition != CLEAN)
        and (fault is not AgentFaultKind.FORGETS_SUBMIT or _commits(task.solution))
    )


def _commits(solution: Sequence[SolutionStep]) -> bool:
    return any(isinstance(step, TypeStep) for step in solution)


def assign_faults(tasks: Iterable[Task], condition: str, seed: int, *, number: int = 0) -> dict[str, Cause]:
    """Draw a fault of the agent for each task, each fault about equally often."""
    by_id = {task.id: task for task in tasks}
    used: Counter[AgentFaultKind] = Counter()
    drawn: dict[str, Cause] = {}
    for name in _shuffled(by_id, seed, f"faults-{condition}-{number}"):
        offered = applicable_faults(by_id[name], condition)
        fault = min(
            offered, key=lambda each: (used[each], derive(seed, "fault", condition, number, name, each))
        )
        used[fault] += 1
        drawn[name] = Cause(CauseKind.AGENT_FAULT, fault.value)
    return drawn


def _shuffled(names: Iterable[str], seed: int, purpose: str) -> list[str]:
    found = sorted(names)
    generator(seed, "known-causes", purpose).shuffle(found)
    return found

"""Faults of references: missing and unused entries, tasks without a goal, duplicate instructions."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from garabench.authoring.d_gara.data_fault import DataFault, DataFaultKind
from garabench.authoring.d_gara.released_data import ReleasedData

HUMAN_VALIDATION = "human_validation"
"""The goal of tasks that a person must validate; it never holds."""
_LETTERS = re.compile(r"\w")


def reference_faults(data: ReleasedData) -> Iterator[DataFault]:
    """Find missing rules, tasks that a person must validate, duplicates and unused entries."""
    first: dict[str, int] = {}
    for number, task in enumerate(data.tasks):
        for rule in task.rules:
            if rule not in data.rules:
                yield DataFault(
                    DataFaultKind.MISSING_RULE,
                    str(task.id),
                    f"task {task.id} names the rule {rule}, which does not exist; it runs uninterrupted",
                    data.task_place(number, "target_rule_ids"),
                    (task.id,),
                )
        if task.goal == HUMAN_VALIDATION or task.goal not in data.goals:
            missing = task.goal not in data.goals
            yield DataFault(
                DataFaultKind.HUMAN_VALIDATION,
                str(task.id),
                f"task {task.id} has the goal {task.goal}, which "
                + ("does not exist" if missing else "is a placeholder for a person's verdict"),
                data.task_place(number, "rule_key"),
                (task.id,),
            )
        earlier = first.setdefault(letters(task.instruction), task.id)
        if earlier != task.id:
            yield DataFault(
                DataFaultKind.DUPLICATE_INSTRUCTION,
                str(task.id),
                f"task {task.id} has the instruction of task {earlier}",
                data.task_place(number, "description"),
                (earlier, task.id),
            )
    yield from _unused(data)


def tasks_by_interruption(data: ReleasedData) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the tasks that each entry of the interference library can interrupt."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for task in data.tasks:
        for rule in (data.rules[name] for name in task.rules if name in data.rules):
            for action in rule.actions:
                found[action.interference_id].add(task.id)
    return {entry: tuple(sorted(tasks)) for entry, tasks in found.items()}


def letters(text: str) -> str:
    """Return a text's letters and digits alone, as spaces and quotation marks tell no two tasks apart."""
    return "".join(_LETTERS.findall(unicodedata.normalize("NFKC", text).casefold()))


def _unused(data: ReleasedData) -> Iterator[DataFault]:
    rules = {rule for task in data.tasks for rule in task.rules}
    for rule in data.rules.keys() - rules:
        yield DataFault(
            DataFaultKind.UNUSED_RULE, rule, f"no task uses the rule {rule}", data.rule_place(rule)
        )
    goals = {task.goal for task in data.tasks}
    for goal in data.goals.keys() - goals:
        yield DataFault(
            DataFaultKind.UNUSED_GOAL, goal, f"no task uses the goal {goal}", data.goal_place(goal)
        )
    for entry in data.library.keys() - tasks_by_interruption(data).keys():
        yield DataFault(
            DataFaultKind.UNUSED_INTERRUPTION,
            entry,
            f"no rule of a task injects {entry}",
            data.interference_place(entry),
        )

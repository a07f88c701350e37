"""Find rules whose schedule none of their tasks can reach."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.rule import When
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources


def unreachable_schedules(sources: SuiteSources) -> Iterator[InputError]:
    """Find steps and action counts beyond the step limit of every task with the rule."""
    longest: dict[str, tuple[int, str]] = {}
    for item in sources.suite.every_task.values():
        for name in item.task.rules:
            longest[name] = max(longest.get(name, (0, "")), (item.task.max_steps, item.task.id))
    for name, bound in sources.own.rules.items():
        if name not in longest:
            continue  # an unused rule is reported elsewhere
        limit, task = longest[name]
        doc, at = sources.places["rule", name]
        for path, number in _moments(bound.rule.when):
            # An episode's last observation is at step limit - 1, after as many actions.
            if number >= limit:
                never = f"{number} actions can never be reached"
                what = never if path[-1] == "at_least" else f"step {number} can never be reached"
                whose = f"{task}, the longest task with this rule, has max_steps {limit}"
                hint = f"Use at most {limit - 1}, or raise max_steps of a task."
                yield doc.error((*at, "when", *path), f"{what}: {whose}", hint=hint)


def _moments(when: When) -> Iterator[tuple[DocPath, int]]:
    """Iterate over the step and action counts of ``when``, with their locations."""
    if when.min_step:
        yield ("min_step",), when.min_step
    if when.at_step is not None:
        yield ("at_step",), when.at_step
    if when.after_action is not None:
        yield ("after_action", "at_least"), when.after_action.at_least

"""Rules that are due at a moment that comes in none of their tasks."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.campaign.suite import Sources
from garabench.core.rule import When
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError


def never_due(sources: Sources) -> Iterator[InputError]:
    """Steps and numbers of actions that lie beyond the limit of every task that names the rule."""
    longest: dict[str, tuple[int, str]] = {}
    for item in sources.suite.every_task.values():
        for name in item.task.rules:
            longest[name] = max(longest.get(name, (0, "")), (item.task.max_steps, item.task.id))
    for name, bound in sources.suite.rules.items():
        if name not in longest:
            continue  # that no task names it is told elsewhere
        limit, task = longest[name]
        doc, at = sources.places["rule", name]
        for path, number in _moments(bound.rule.when):
            # An episode's last look is at step limit - 1, after as many actions.
            if number >= limit:
                never = f"{number} actions are never done before it"
                what = never if path[-1] == "at_least" else f"step {number} never comes"
                whose = f"{task}, the longest task of this rule, ends after {limit} steps"
                hint = f"Write {limit - 1} at most, or give a task a larger max_steps."
                yield doc.error((*at, "when", *path), f"{what}: {whose}", hint=hint)


def _moments(when: When) -> Iterator[tuple[DocPath, int]]:
    """What counts steps, with its place within ``when``."""
    if when.min_step:
        yield ("min_step",), when.min_step
    if when.at_step is not None:
        yield ("at_step",), when.at_step
    if when.after_action is not None:
        yield ("after_action", "at_least"), when.after_action.at_least

"""Shell completion of tasks, apps, rules, goals, agents and conditions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from garabench.errors import GaraError
from garabench.suite.project import find_project
from garabench.suite.suite import Suite

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


def _suite_names(names: Callable[[Suite], Iterable[str]], context: click.Context) -> tuple[str, ...]:
    """Return names of the suite that the command's ``--suite``, or else the project, selects."""
    try:
        root = context.params.get("root") or find_project(Path.cwd()).suite
        return tuple(dict.fromkeys(names(Suite.load(root))))
    except GaraError:
        return ()  # the command itself reports the mistakes in the suite


def _selectors(suite: Suite) -> Iterable[str]:
    items = suite.every_task.values()
    return (
        "all",
        *(item.group for item in items),
        *(item.app for item in items),
        *(tag for item in items for tag in item.task.tags),
        *suite.every_task,
    )


def _completer(names: Callable[[click.Context], Iterable[str]], *, several: bool = False) -> Completer:
    """Return a completer; with ``several``, it completes the part after the last comma."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
        return [f"{before}{comma}{name}" for name in names(context) if name.startswith(last)]

    return complete


task_selector = _completer(functools.partial(_suite_names, _selectors), several=True)
"""Completes tasks, apps and tags, also in comma lists."""
task_name = _completer(functools.partial(_suite_names, lambda suite: suite.every_task))
"""Completes tasks."""
task_names = _completer(functools.partial(_suite_names, lambda suite: suite.every_task), several=True)
"""Completes tasks, also in comma lists."""
rule_name = _completer(functools.partial(_suite_names, lambda suite: suite.rules))
"""Completes rules."""
goal_name = _completer(functools.partial(_suite_names, lambda suite: suite.goals))
"""Completes goals."""
app_name = _completer(
    functools.partial(
        _suite_names,
        lambda suite: (
            "all",
            *(item.group for item in suite.tasks.values()),
            *(item.app for item in suite.tasks.values()),
        ),
    )
)
"""Completes apps, by short name and package."""


def _agent_names(_: click.Context) -> Iterable[str]:
    """Return the names of all agents."""
    # Imported here: the agents' clients take longer to import than most commands run.
    from garabench.agents.registry import names

    return names()


agent_names = _completer(_agent_names, several=True)
"""Completes agents, also in comma lists."""


def _condition_names(_: click.Context) -> Iterable[str]:
    """Return the conditions of a run."""
    # Imported here: most commands have no plan.
    from garabench.records.plan import CONDITIONS

    return CONDITIONS


condition_names = _completer(_condition_names, several=True)
"""Completes conditions, also in comma lists."""

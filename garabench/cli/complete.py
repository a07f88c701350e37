"""What the shell completes: names of the suite and of agents, alone or after commas."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

import click

from garabench.agents.registry import names
from garabench.campaign.plan import CONDITIONS
from garabench.campaign.suite import Suite
from garabench.errors import GaraError

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


def _suite_names(names: Callable[[Suite], Iterable[str]]) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(names(Suite.load())))
    except GaraError:
        return ()  # a suite that is broken completes nothing; the command itself will tell what is wrong


def _selectors(suite: Suite) -> Iterable[str]:
    items = suite.every_task.values()
    return (
        "all",
        *(item.group for item in items),
        *(item.app for item in items),
        *(tag for item in items for tag in item.task.tags),
        *suite.every_task,
    )


def _completer(names: Callable[[], Iterable[str]], *, several: bool = False) -> Completer:
    """A completer; with ``several``, of the part after the last comma."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
        return [f"{before}{comma}{name}" for name in names() if name.startswith(last)]

    return complete


task_selector = _completer(functools.partial(_suite_names, _selectors), several=True)
"""Tasks, apps and tags, after commas too."""
task_name = _completer(functools.partial(_suite_names, lambda suite: suite.every_task))
"""Tasks."""
rule_name = _completer(functools.partial(_suite_names, lambda suite: suite.rules))
"""Rules."""
goal_name = _completer(functools.partial(_suite_names, lambda suite: suite.goals))
"""Goals."""
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
"""Apps, by nickname and package."""
agent_names = _completer(names, several=True)
"""Agents, after commas too."""
condition_names = _completer(lambda: CONDITIONS, several=True)
"""Conditions of a run, after commas too."""

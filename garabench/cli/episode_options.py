"""Command-line options that select episodes of a run."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from garabench.cli.completion import agent_names, condition_names, task_names
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.suggestions import did_you_mean
from garabench.errors import CombinedInputError, InputError
from garabench.records.episode_selection import EpisodeSelection, matches_any, split_names
from garabench.records.run_layout import EpisodeKey
from garabench.suite.suite import Suite

_R = TypeVar("_R")
SELECTION_HINT = "Check --tasks, --agents, --conditions and --episode."


def episode_options(command: Callable[..., _R]) -> Callable[..., _R]:
    """Add the options to a command, which receives them as ``selection``, an `EpisodeSelection`.

    Apps and tags are looked up in the suite of ``--suite``, which a command with ``root`` receives too.
    """
    reads_suite = "root" in inspect.signature(command).parameters

    @suite_option
    @click.option(
        "--tasks",
        default="",
        metavar="LIST",
        shell_complete=task_names,
        help="Select episodes of these tasks: ids, globs, or apps and tags of --suite, separated by commas.",
    )
    @click.option(
        "--agents",
        default="",
        metavar="LIST",
        shell_complete=agent_names,
        help="Select episodes of these agents.",
    )
    @click.option(
        "--conditions",
        default="",
        metavar="LIST",
        shell_complete=condition_names,
        help="Select episodes under these conditions.",
    )
    @click.option(
        "--episode",
        "episode_globs",
        multiple=True,
        metavar="GLOB",
        help="Select episodes whose TASK/AGENT/CONDITION/SEED matches GLOB; repeatable.",
    )
    @report_errors
    @functools.wraps(command)
    def wrapped(
        *args: Any,
        root: Path | None,
        tasks: str,
        agents: str,
        conditions: str,
        episode_globs: tuple[str, ...],
        **kwargs: Any,
    ) -> _R:
        names = _with_tasks_of(root, split_names(tasks))
        selection = EpisodeSelection(names, split_names(agents), split_names(conditions), episode_globs)
        if reads_suite:
            kwargs["root"] = root
        return command(*args, selection=selection, **kwargs)

    return wrapped


def require_known(selection: EpisodeSelection, run: Path, keys: Iterable[EpisodeKey]) -> None:
    """Refuse names that select no episode of a run.

    Of the tasks, one must be known: the others may be apps and tags of the suite.

    Args:
        selection: The selection.
        run: The run's folder.
        keys: All episodes of the run.

    Raises:
        InputError: A name is unknown; the hint names the nearest one.
    """
    known = tuple(keys)
    tasks = {key.task for key in known}
    if selection.tasks and not any(matches_any(task, selection.tasks) for task in tasks):
        raise _unknown(run, "task", selection.tasks[0], tasks)
    for what, names, valid in (
        ("agent", selection.agents, {key.agent for key in known}),
        ("condition", selection.conditions, {key.condition for key in known}),
        ("episode", selection.episodes, {str(key) for key in known}),
    ):
        for name in names:
            if not any(matches_any(each, (name,)) for each in valid):
                raise _unknown(run, what, name, valid)


def _unknown(run: Path, what: str, name: str, valid: Iterable[str]) -> InputError:
    return InputError(f"{run} has no {what} {name!r}", hint=did_you_mean(name, valid))


def _with_tasks_of(root: Path | None, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of tasks, with the ids that apps and tags among them select in a suite.

    A run may have tasks of another suite, so that an unknown name stays as it is.
    """
    if not names:
        return ()
    suite = Suite.load(root)
    found = dict.fromkeys(names)
    for name in names:
        with contextlib.suppress(CombinedInputError):
            found |= dict.fromkeys(item.task.id for item in suite.select(name))
    return tuple(found)

"""Command-line options that select episodes of a run."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from garabench.cli.completion import agent_names, condition_names, task_names
from garabench.records.episode_selection import EpisodeSelection, split_names

_R = TypeVar("_R")
SELECTION_HINT = "Check --tasks, --agents, --conditions and --episode."


def episode_options(command: Callable[..., _R]) -> Callable[..., _R]:
    """Add the options to a command, which receives them as ``selection``, an `EpisodeSelection`."""

    @click.option(
        "--tasks",
        default="",
        metavar="LIST",
        shell_complete=task_names,
        help="Select episodes of these tasks: ids or globs, separated by commas.",
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
    @functools.wraps(command)
    def wrapped(
        *args: Any, tasks: str, agents: str, conditions: str, episode_globs: tuple[str, ...], **kwargs: Any
    ) -> _R:
        selection = EpisodeSelection(
            split_names(tasks), split_names(agents), split_names(conditions), episode_globs
        )
        return command(*args, selection=selection, **kwargs)

    return wrapped

"""``garabench goals``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import Group
from garabench.cli.completion import goal_name
from garabench.cli.counts import counted
from garabench.cli.error_exits import report_errors
from garabench.core.identifiers import did_you_mean
from garabench.errors import InputError
from garabench.suite.suite import Suite

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.group(cls=Group)
def goals() -> None:
    """List and check goals.

    A goal is a condition on the state of the device; it decides whether an episode succeeds.

    \b
    Example:
        garabench goals list
    """


@goals.command()
@click.argument("root", required=False, type=_FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def check(root: Path | None, as_json: bool) -> None:
    """Check the goals of a suite and list the unused ones.

    ROOT is the folder of the suite; the default is the bundled suite.

    \b
    Example:
        garabench goals check
    """
    suite = Suite.load(root)
    uses = [use for item in suite.every_task.values() for use in item.uses]
    unused = sorted(suite.goals.keys() - set(uses))
    if as_json:
        click.echo(json.dumps({"goals": len(suite.goals), "unused": unused}, ensure_ascii=False, indent=2))
        return
    click.echo(f"{len(suite.goals)} goals and their {len(uses)} uses are valid.")
    if unused:
        click.echo(f"Unused: {', '.join(unused)}")


@goals.command("list")
@click.argument("names", nargs=-1, metavar="[GOAL]...", shell_complete=goal_name)
@click.option("--suite", "root", type=_FOLDER, help="Folder of the suite; default: the bundled suite.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_(names: tuple[str, ...], root: Path | None, as_json: bool) -> None:
    """List all goals, or the given ones, with their parameters.

    \b
    Example:
        garabench goals list bili-video-liked
    """
    suite = Suite.load(root)
    for name in names:
        if name not in suite.goals:
            raise InputError(f"unknown goal {name!r}", hint=did_you_mean(name, suite.goals))
    chosen = [goal for name, goal in suite.goals.items() if not names or name in names]
    tasks: dict[str, list[str]] = {goal.id: [] for goal in chosen}
    for key, item in suite.every_task.items():
        for use in item.uses:
            if use in tasks:
                tasks[use].append(key)
    if as_json:
        rows = [
            {
                "id": goal.id,
                "description": goal.description,
                "params": {name: each.model_dump(mode="json") for name, each in goal.params.items()},
                "tasks": tasks[goal.id],
            }
            for goal in chosen
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for goal in chosen:
        uses = counted(len(tasks[goal.id]), "task")
        click.echo(f"{goal.id:32} {uses:9} {', '.join(goal.params) or '-':24} {goal.description}")

"""``garabench goals``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.cli.check_output import check_files, check_options, checked_entries, report
from garabench.cli.command_classes import LazyGroup
from garabench.cli.completion import goal_name
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.phrases import counted
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.lint.finding_formats import FindingFormat
from garabench.suite.suite import Suite


@click.group(cls=LazyGroup, modules={"new": "garabench.cli.goals_new", "test": "garabench.cli.goals_test"})
def goals() -> None:
    """List, check, propose and test goals.

    A goal is a condition on the state of the device; it decides whether an episode succeeds.

    \b
    Example:
        garabench goals list
    """


@goals.command()
@suite_option
@check_options
@report_errors
def check(paths: tuple[Path, ...], root: Path | None, format_: str, as_json: bool) -> None:
    """Check goals.

    Each PATH is a suite, a file in one, or a single file; the default is the suite that --suite selects.
    For a suite, all errors and the warnings in goals and tasks are reported. The exit status is 2 if there
    are errors, and 1 if there are only warnings.

    \b
    Example:
        garabench goals check
    """
    results = check_files(paths or (root,), ("goal_schemas", "tasks"))
    suites = [each.suite for each in results if each.suite is not None]
    uses = {id(each): sum(len(item.uses) for item in each.every_task.values()) for each in suites}
    results = tuple(
        dataclasses.replace(
            each,
            summary=_summary(len(each.suite.own.goals), uses[id(each.suite)]),
        )
        if each.suite is not None and not each.findings
        else each
        for each in results
    )
    counts = checked_entries(results, ("goals",))
    if suites:  # other files may use the goals of a single file
        counts["uses"] = sum(uses.values())
    report(results, FindingFormat.JSON if as_json else FindingFormat(format_), counts=counts)


def _summary(goals: int, uses: int) -> str:
    verb = "is" if goals + uses == 1 else "are"
    return f"{counted(goals, 'goal')} and {counted(uses, 'use')} {verb} valid."


@goals.command("list")
@click.argument("names", nargs=-1, metavar="[GOAL]...", shell_complete=goal_name)
@suite_option
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

"""``garabench tasks``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from garabench.cli.command_classes import Group
from garabench.cli.completion import task_name, task_selector
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.cli.tasks_fuzz import fuzz
from garabench.cli.tasks_import import import_
from garabench.cli.tasks_page import page
from garabench.cli.tasks_prove import prove
from garabench.cli.tasks_record import new, record
from garabench.cli.tasks_replay import one_task, replay, write_sheet
from garabench.cli.tasks_texts import texts
from garabench.core.goal import GoalUse
from garabench.core.task import INFEASIBLE
from garabench.suite.suite import Suite, SuiteTask


@click.group(cls=Group)
def tasks() -> None:
    """List, show and prove the tasks of the suite.

    \b
    Example:
        garabench tasks list
    """


tasks.add_command(prove)
tasks.add_command(fuzz)
tasks.add_command(page)
tasks.add_command(texts)
tasks.add_command(import_)
tasks.add_command(new)
tasks.add_command(record)
tasks.add_command(replay)


@tasks.command("list")
@click.argument("selector", default="all", shell_complete=task_selector)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_tasks(selector: str, root: Path | None, as_json: bool) -> None:
    """List the tasks that SELECTOR selects.

    SELECTOR is an id, an app, a tag, a glob, `all`, or several of these separated by commas; `-` before
    one excludes its tasks. Only the tag `infeasible` and the ids of infeasible tasks select infeasible
    tasks.

    \b
    Example:
        garabench tasks list all
    """
    suite = Suite.load(root)
    chosen = suite.select(selector)
    if as_json:
        rows = [
            {
                "id": i.task.id,
                "app": i.app,
                "tags": i.task.tags,
                "steps": len(i.task.solution),
                "infeasible": i.task.infeasible is not None,
            }
            for i in chosen
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for item in chosen:
        mark = "  [infeasible]" if item.task.infeasible is not None else ""
        click.echo(f"{item.task.id:40} {len(item.task.solution):2} steps  {_instruction(item)}{mark}")
    if selector == "all" and suite.infeasible:
        number = len(suite.infeasible)
        click.echo(f"Not listed: {number} infeasible tasks (garabench tasks list {INFEASIBLE})", err=True)


@tasks.command()
@click.argument("name", shell_complete=task_name)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--sheet",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a contact sheet of the solution's screens as an HTML page.",
)
@click.option(
    "--device",
    default="virtual",
    show_default=True,
    metavar="DEVICE",
    help="Perform the solution for --sheet on this device.",
)
@click.option(
    "--recording",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Show the screens of this recording in --sheet, instead of performing the solution.",
)
@click.option("--yes", is_flag=True, help="Allow wiping the data of the app on a real device.")
@report_errors
def show(
    name: str,
    root: Path | None,
    as_json: bool,
    sheet: Path | None,
    device: str,
    recording: Path | None,
    yes: bool,
) -> None:
    """Show the instruction, goal, rules and solution of a task.

    NAME is an id, or any selector of `garabench tasks list`. With --sheet it is the id of one task, whose
    solution is performed on a virtual phone.

    \b
    Example:
        garabench tasks show bili-like-song-live
    """
    suite = Suite.load(root)
    chosen = suite.select(name)
    if sheet is not None:
        number = write_sheet(one_task(suite, name), suite, sheet, device, recording, yes=yes)
        click.echo(f"{sheet}: {number} screens")
        return
    if as_json:
        rows = [{**_plain(item.task), "app": item.app} for item in chosen]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for item in chosen:
        task = item.task
        click.echo(f"{task.id}  ({item.app})")
        for language, text in task.instruction.items():
            click.echo(f"  {language}: {text}")
        if task.infeasible is not None:
            because = task.infeasible.because
            click.echo(f"  infeasible: {because.get('en') or next(iter(because.values()))}")
            click.echo(f"  harm: {_goal(task.infeasible.harm)}")
        click.echo(f"  goal: {_goal(task.goal)}")
        for use in task.earlier:
            click.echo(f"  earlier: {_goal(use)}")
        click.echo(f"  rules: {', '.join(task.rules) or 'none'}")
        click.echo(f"  limit: {task.max_steps} steps")
        for number, step in enumerate(task.solution, start=1):
            click.echo(f"  {number}. {json.dumps(_plain(step), ensure_ascii=False)}")


def _goal(goal: GoalUse) -> str:
    return f"{goal.use} {json.dumps(goal.with_, ensure_ascii=False)}" if goal.with_ else goal.use


def _plain(model: BaseModel) -> dict[str, Any]:
    """Return the fields that were set in the YAML file."""
    return model.model_dump(mode="json", exclude_unset=True, by_alias=True)


def _instruction(item: SuiteTask) -> str:
    return next(iter(item.task.instruction.values()))

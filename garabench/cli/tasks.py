"""``garabench tasks``."""

from __future__ import annotations

import json

import click

from garabench.campaign.suite import Suite, SuiteTask
from garabench.cli.errors import plainly


@click.group()
def tasks() -> None:
    """The suite's tasks."""


@tasks.command("list")
@click.argument("selector", default="all")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def list_tasks(selector: str, as_json: bool) -> None:
    """List the tasks that SELECTOR selects: an id, an app, a tag, a glob, or several with commas.

    \b
    Example:
        garabench tasks list all
    """
    chosen = Suite.load().select(selector)
    if as_json:
        rows = [
            {"id": i.task.id, "app": i.app, "tags": i.task.tags, "steps": len(i.task.solution)}
            for i in chosen
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for item in chosen:
        click.echo(f"{item.task.id:40} {len(item.task.solution):2} steps  {_instruction(item)}")


@tasks.command()
@click.argument("name")
@plainly
def show(name: str) -> None:
    """Show one task: its instruction, goal, rules and solution.

    \b
    Example:
        garabench tasks show NAME
    """
    for item in Suite.load().select(name):
        task = item.task
        click.echo(f"{task.id}  ({item.app})")
        for language, text in task.instruction.items():
            click.echo(f"  {language}: {text}")
        click.echo(f"  goal: {task.goal.use} {task.goal.with_}")
        click.echo(f"  rules: {', '.join(task.rules) or 'none'}")
        click.echo(f"  limit: {task.max_steps} steps")
        for number, step in enumerate(task.solution, start=1):
            shown = step.model_dump(mode="json", exclude_unset=True, exclude_none=True, by_alias=True)
            click.echo(f"  {number}. {json.dumps(shown, ensure_ascii=False)}")


def _instruction(item: SuiteTask) -> str:
    return next(iter(item.task.instruction.values()))

"""``garabench agents``."""

from __future__ import annotations

import json

import click

from garabench.agents.reference.policy import Policy
from garabench.agents.registry import REFERENCE
from garabench.cli.errors import plainly

_ABOUT = {
    Policy.DISMISS: "takes the easy exit of an interruption, where there is one",
    Policy.ACCEPT: "takes what an interruption offers, with its consequences",
    Policy.IGNORE: "taps on as if no interruption were there",
    Policy.RANDOM: "presses a button at random",
}


@click.group()
def agents() -> None:
    """Agents that a run can name.

    \b
    Example:
        garabench agents list
    """


@agents.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def list_(as_json: bool) -> None:
    """List the agents. A reference agent follows a task's solution.

    \b
    Example:
        garabench agents list --json
    """
    rows = [{"name": name, "kind": "reference", "about": _ABOUT[Policy(name)]} for name in REFERENCE]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo(f"{row['name']:12} {row['kind']:10} {row['about']}")

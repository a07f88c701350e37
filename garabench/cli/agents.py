"""``garabench agents``."""

from __future__ import annotations

import json

import click

from garabench.agents import registry
from garabench.agents.own.classes import FORM
from garabench.agents.spec import Kind
from garabench.cli.errors import plainly
from garabench.cli.lazy import LazyGroup

_ELSEWHERE = {
    "show": "agent_show",
    "parse": "agent_show",
    "check": "agent_check",
    "fake-server": "fake_server",
    "replay": "agent_replay",
}


@click.group(cls=LazyGroup, places={name: f"garabench.cli.{module}" for name, module in _ELSEWHERE.items()})
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
    found = [(name, kind, about) for name, kind, about in registry.rows()]
    found += [(scheme.form, scheme.kind, scheme.about) for scheme in registry.schemes()]
    found.append((FORM, Kind.CLASS, "a Python class of your own, in this folder or installed"))
    rows = [{"name": name, "kind": kind.value, "about": about} for name, kind, about in found]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        click.echo(f"{row['name']:{width}} {row['kind']:10} {row['about']}")

"""``garabench agents``."""

from __future__ import annotations

import json

import click

from garabench.agents import registry
from garabench.agents.external.python_agent import FORM
from garabench.agents.faulty.agent_fault import FORM as FAULTY_FORM
from garabench.agents.faulty.agent_fault import AgentFaultKind
from garabench.agents.spec import AgentKind
from garabench.cli.command_classes import LazyGroup
from garabench.cli.error_exits import report_errors

_MODULES = {
    "show": "agents_show",
    "parse": "agents_show",
    "check": "agents_check",
    "fake-server": "agents_fake_server",
    "replay": "agents_replay",
}


@click.group(cls=LazyGroup, modules={name: f"garabench.cli.{module}" for name, module in _MODULES.items()})
def agents() -> None:
    """List, inspect and test agents.

    \b
    Example:
        garabench agents list
    """


@agents.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_(as_json: bool) -> None:
    """List the agents that `garabench run --agents` accepts.

    A reference agent follows the reference solution of a task; it needs no model.

    \b
    Example:
        garabench agents list --json
    """
    found = [(name, kind, about) for name, kind, about in registry.rows()]
    found += [(scheme.form, scheme.kind, scheme.about) for scheme in registry.schemes()]
    found.append((FORM, AgentKind.CLASS, "a Python class that is installed or in the current folder"))
    rows = [{"name": name, "kind": kind.value, "about": about} for name, kind, about in found]
    rows.append(
        {"name": FAULTY_FORM, "kind": "faulty", "about": f"AGENT with a fault: {', '.join(AgentFaultKind)}"}
    )
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        click.echo(f"{row['name']:{width}} {row['kind']:10} {row['about']}")

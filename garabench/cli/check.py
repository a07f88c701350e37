"""``garabench check``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly


@click.command()
@click.argument("root", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def check(root: Path | None, as_json: bool) -> None:
    """Check every file of a suite: the one that comes with GaraBench, or the one in ROOT.

    \b
    Example:
        garabench check
    """
    suite = Suite.load(root)
    if as_json:
        parts = ("tasks", "goals", "rules", "interruptions")
        counts = {name: len(getattr(suite, name)) for name in parts}
        click.echo(json.dumps({**counts, "suite": suite.digest}, indent=2))
        return
    click.echo(
        f"{len(suite.tasks)} tasks, {len(suite.goals)} goals, {len(suite.rules)} rules and "
        f"{len(suite.interruptions)} interruptions are in order (suite {suite.digest[:12]})."
    )

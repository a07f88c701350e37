"""``garabench check``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly


@click.command()
@click.argument("root", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@plainly
def check(root: Path | None) -> None:
    """Check every file of a suite: the one that comes with GaraBench, or the one in ROOT.

    \b
    Example:
        garabench check
    """
    suite = Suite.load(root)
    click.echo(
        f"{len(suite.tasks)} tasks, {len(suite.goals)} goals, {len(suite.rules)} rules and "
        f"{len(suite.interruptions)} interruptions are in order (suite {suite.digest[:12]})."
    )

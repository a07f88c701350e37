"""``garabench schemas``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.agents import profile_schema as profiles
from garabench.agents.external import schemas as protocol
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.output_files import write
from garabench.core import schemas as suite
from garabench.report import leaderboard

KINDS = (*suite.KINDS, *profiles.KINDS, *protocol.KINDS, *leaderboard.KINDS)


def text_of(kind: str) -> str:
    """Return the published JSON Schema of a kind."""
    owner = next((each for each in (protocol, profiles, leaderboard) if kind in each.KINDS), suite)
    return str(owner.text_of(kind))


@click.command(cls=Command)
@click.argument("kind", metavar="[KIND]", required=False, type=click.Choice(KINDS))
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Write all schemas to this folder."
)
@report_errors
def schemas(kind: str | None, out: Path | None) -> None:
    """Print the JSON Schema of a kind of file or message.

    Without KIND, list the kinds.

    \b
    Example:
        garabench schemas rules
    """
    if out is not None:
        for each in KINDS:
            write(out / f"{each}.schema.json", text_of(each).encode())
        click.echo(f"{len(KINDS)} schemas written to {out}")
    elif kind is not None:
        click.echo(text_of(kind), nl=False)
    else:
        click.echo("\n".join(KINDS))

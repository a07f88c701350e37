"""``garabench schemas``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.agents import profile_schema as profiles
from garabench.agents.own import schemas as protocol
from garabench.cli.errors import plainly
from garabench.cli.files import write
from garabench.core import schemas as suite

KINDS = (*suite.KINDS, *profiles.KINDS, *protocol.KINDS)


def text_of(kind: str) -> str:
    """The schema as it is published."""
    owner = next((each for each in (protocol, profiles) if kind in each.KINDS), suite)
    return str(owner.text_of(kind))


@click.command()
@click.argument("kind", required=False, type=click.Choice(KINDS))
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Write all of them to a folder."
)
@plainly
def schemas(kind: str | None, out: Path | None) -> None:
    """Print the JSON Schema of a KIND of file or message, or write all of them.

    \b
    Example:
        garabench schemas rules
    """
    if out is not None:
        for each in KINDS:
            write(out / f"{each}.schema.json", text_of(each).encode())
        click.echo(f"{len(KINDS)} schemas are in {out}")
    elif kind is not None:
        click.echo(text_of(kind), nl=False)
    else:
        click.echo("\n".join(KINDS))

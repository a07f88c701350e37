"""``garabench schemas``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.cli.errors import plainly
from garabench.core.schemas import KINDS, text_of


@click.command()
@click.argument("kind", required=False, type=click.Choice(KINDS))
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Write all of them to a folder."
)
@plainly
def schemas(kind: str | None, out: Path | None) -> None:
    """Print the JSON Schema of a KIND of file, or write all of them.

    \b
    Example:
        garabench schemas rules
    """
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for each in KINDS:
            (out / f"{each}.schema.json").write_text(text_of(each), encoding="utf-8")
        click.echo(f"{len(KINDS)} schemas are in {out}")
    elif kind is not None:
        click.echo(text_of(kind), nl=False)
    else:
        click.echo("\n".join(KINDS))

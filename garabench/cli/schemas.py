"""``garabench schemas``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from garabench.agents import profile_schema as profiles
from garabench.agents.external import schemas as protocol
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.output_files import write_file
from garabench.core import schemas as suite
from garabench.report import leaderboard
from garabench.virtual.app_files import app_schema

_MAKERS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    **dict.fromkeys(suite.KINDS, suite.suite_schema),
    **dict.fromkeys(app_schema.KINDS, app_schema.app_file_schema),
    **dict.fromkeys(profiles.KINDS, profiles.profile_schema),
    **dict.fromkeys(protocol.KINDS, protocol.message_schema),
    **dict.fromkeys(leaderboard.KINDS, leaderboard.submission_schema),
}
KINDS = tuple(_MAKERS)


def published_text(kind: str) -> str:
    """Return the text of the published JSON Schema of a kind."""
    return suite.schema_text(_MAKERS[kind](kind))


def title_of(kind: str) -> str:
    """Return what the schema of a kind describes."""
    return str(_MAKERS[kind](kind)["title"])


def file_name(kind: str) -> str:
    """Return the name of the file with the schema of a kind."""
    return f"{kind}.schema.json"


@click.command(cls=Command)
@click.argument("kind", metavar="[KIND]", required=False, type=click.Choice(KINDS))
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write all schemas to this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the list of kinds as JSON.")
@report_errors
def schemas(kind: str | None, out: Path | None, as_json: bool) -> None:
    """Print the JSON Schema of a kind of file or message.

    Without KIND, list the kinds with what they describe.

    \b
    Example:
        garabench schemas rules
    """
    if out is not None:
        for each in KINDS:
            write_file(out / file_name(each), published_text(each).encode())
        click.echo(f"{len(KINDS)} schemas written to {out}")
    elif kind is not None:
        click.echo(published_text(kind), nl=False)
    elif as_json:
        rows = [{"kind": each, "file": file_name(each), "title": title_of(each)} for each in KINDS]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        width = max(map(len, KINDS))
        for each in KINDS:
            click.echo(f"{each:{width}}  {title_of(each)}")

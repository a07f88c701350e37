"""``garabench export``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.core.phrases import counted
from garabench.export.export_run import ExportFormat, export_run


@click.command(cls=Command)
@click.argument("run", metavar="RUN", type=RUN_FOLDER)
@click.option(
    "--to",
    "format_",
    required=True,
    type=click.Choice([each.value for each in ExportFormat]),
    help="Write this format.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Write this file, or for inspect-eval this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def export(run: Path, format_: str, out: Path, as_json: bool) -> None:
    """Export RUN to the format of another tool.

    inspect-eval writes logs for Inspect, junit writes XML for CI systems. csv, parquet and jsonl have a row
    per episode, and trajectories has every step of every episode.

    \b
    Example:
        garabench export runs/first --to junit --out first.xml
    """
    episodes = export_run(run, format_, out)
    if as_json:
        click.echo(json.dumps({"out": str(out), "format": format_, "episodes": episodes}))
    else:
        click.echo(f"{counted(episodes, 'episode')} written to {out}.")

"""``garabench compare``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.comparison import comparison_data, comparison_tables
from garabench.cli.error_exits import report_errors
from garabench.cli.tables import left_out_list
from garabench.stats.comparison import compare as compare_runs


@click.command(cls=Command)
@click.argument(
    "runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False)
)
@click.option("--strict", is_flag=True, help="Refuse runs that are not fully comparable.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def compare(runs: tuple[Path, ...], strict: bool, as_json: bool) -> None:
    """Compare agents and conditions over runs.

    Each RUN is the folder of a run. Runs of different suites, kinds of device, GaraBench versions, stress
    levels, time limits or --end cannot be compared.

    \b
    Example:
        garabench compare runs/first
    """
    compared = compare_runs(runs, strict=strict)
    if as_json:
        rows = {
            "kind": compared.kind,
            "suite": compared.suite_hash,
            "interruptions": compared.stress_level,
            "end": compared.end,
            "left_out": {str(run.folder): dict(run.file.device.left_out or {}) for run in compared.runs},
            **comparison_data(compared.summaries),
        }
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    if not compared.summaries:
        click.echo("No episode has ended yet.")
        return
    click.echo(comparison_tables(compared.summaries, compared.kind, compared.stress_level, compared.end))
    for run in compared.runs:
        if left_out := run.file.device.left_out:
            click.echo(f"\n{left_out_list(left_out, run.folder.name if len(compared.runs) > 1 else '')}")

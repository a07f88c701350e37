"""``garabench report``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.records.remote_runs import fetched_runs_folder
from garabench.records.run_layout import REPORT
from garabench.report.html_report import write_report


@click.command(cls=Command)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=RUN_FOLDER)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write this HTML file; default: report.html in the folder of the first RUN, or here "
    "if that is a URL.",
)
@click.option("--pictures/--no-pictures", default=True, help="Show thumbnails of screens, or leave them out.")
@click.option(
    "--redact",
    is_flag=True,
    help="Remove typed texts, account names, serial numbers, keys, addresses, paths and all pictures, for "
    "publishing.",
)
@click.option("--strict", is_flag=True, help="Refuse runs that are not comparable.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def report(
    runs: tuple[Path, ...], out: Path | None, pictures: bool, redact: bool, strict: bool, as_json: bool
) -> None:
    """Write a report of runs as one HTML file.

    The file opens from disk and needs no network. It compares agents and conditions, and shows every task,
    what agents did with interruptions, failures, cost, methods and versions. Runs of virtual and of real
    devices are never combined. Other differences are stated at the top.

    \b
    Example:
        garabench report runs/first --out report.html
    """
    if out is None:
        out = Path(REPORT) if runs[0].is_relative_to(fetched_runs_folder()) else runs[0] / REPORT
    path = write_report(runs, out, pictures=pictures, redact=redact, strict=strict)
    size = path.stat().st_size
    if as_json:
        click.echo(json.dumps({"report": str(path), "bytes": size}))
    else:
        click.echo(f"Report: {path} ({size / 1_000_000:.1f} MB)")

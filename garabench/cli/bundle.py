"""``garabench bundle``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.core.phrases import counted
from garabench.records.bundle import BundledStore, write_bundle
from garabench.records.reader import load_run


@click.command(cls=Command)
@click.argument("folder", metavar="RUN", type=RUN_FOLDER)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Write this zip file."
)
@click.option(
    "--store",
    type=click.Choice([each.value for each in BundledStore]),
    default=BundledStore.ALL.value,
    show_default=True,
    help="Include all screenshots and trees, the trees only, or none of them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def bundle(folder: Path, out: Path, store: str, as_json: bool) -> None:
    """Write RUN as one zip file for another machine.

    It has a manifest with the hash of every file. `garabench runs import` opens it. Screenshots, trees and
    logs are not redacted: check them before publishing.

    \b
    Example:
        garabench bundle runs/first --out run.zip
    """
    manifest = write_bundle(load_run(folder), out, store=BundledStore(store))
    size = out.stat().st_size
    if as_json:
        click.echo(json.dumps({"bundle": str(out), "files": len(manifest.files), "bytes": size}))
    else:
        click.echo(f"{counted(len(manifest.files), 'file')} in {out} ({size / 1_000_000:.1f} MB).")

"""``garabench tasks import``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from garabench.authoring.d_gara.data_fault import MEANINGS
from garabench.authoring.d_gara.import_suite import REPORT, import_d_gara
from garabench.cli.command_classes import Group
from garabench.cli.error_exits import report_errors


@click.group("import", cls=Group)
def import_() -> None:
    """Import tasks of other benchmarks.

    \b
    Example:
        garabench tasks import d-gara --help
    """


@import_.command("d-gara")
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=Path("suites/d-gara"),
    show_default=True,
    help="Folder of the new suite.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def d_gara(source: Path, out: Path, as_json: bool) -> None:
    """Import the released D-GARA data as a suite and report its faults.

    DIR holds tasks.json, rules.yaml, interference_library.yaml and success_conditions.yaml. The new suite
    has the tasks without solutions, the goals, the rules and the interruptions; import-report.md in it lists
    every fault of the data with its file and line.

    \b
    Example:
        garabench tasks import d-gara --help
    """
    imported = import_d_gara(source, out)
    if as_json:
        click.echo(json.dumps(imported.to_json(), ensure_ascii=False, indent=2))
        return
    counts = Counter(fault.kind for fault in imported.faults)
    width = max((len(kind.value) for kind in counts), default=0)
    for kind in counts:
        click.echo(f"{counts[kind]:4}  {kind.value:{width}}  {MEANINGS[kind]}")
    click.echo(f"\n{imported.suite.tasks} tasks imported: {out}")
    if imported.suite.left_out:
        click.echo(f"{len(imported.suite.left_out)} entries could not be imported.")
    click.echo(f"Each fault with its location: {out / REPORT}")

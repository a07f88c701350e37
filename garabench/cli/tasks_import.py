"""``garabench tasks import``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from garabench.authoring.d_gara.data_fault import MEANINGS
from garabench.authoring.d_gara.import_suite import REPORT, import_d_gara
from garabench.cli.command_classes import Group
from garabench.cli.error_exits import print_error, report_errors
from garabench.core.phrases import counted
from garabench.errors import InputError
from garabench.verifier.trajectory import TrajectorySource


@click.group("import", cls=Group)
def import_() -> None:
    """Import tasks and trajectories of other benchmarks.

    \b
    Example:
        garabench tasks import androidworld results --out runs/androidworld
    """


@import_.command("d-gara")
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=Path("suites/d-gara"),
    show_default=True,
    help="Write the new suite into this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def d_gara(source: Path, out: Path, as_json: bool) -> None:
    """Import D-GARA's data as a suite and report its faults.

    DIR holds tasks.json, rules.yaml, interference_library.yaml and success_conditions.yaml. The new suite
    has the tasks without solutions, the goals, the rules and the interruptions; import-report.md in it lists
    every fault of the data with its file and line.

    \b
    Example:
        garabench tasks import d-gara released --out suites/d-gara
    """
    imported = import_d_gara(source, out)
    if as_json:
        click.echo(json.dumps(imported.to_json(), ensure_ascii=False, indent=2))
        return
    counts = Counter(fault.kind for fault in imported.faults)
    width = max((len(kind.value) for kind in counts), default=0)
    for kind in counts:
        click.echo(f"{counts[kind]:4}  {kind.value:{width}}  {MEANINGS[kind]}")
    suspected = f", {len(imported.suspected)} more suspected" if imported.suspected else ""
    click.echo(f"\n{counted(len(imported.faults), 'fault')} in the data{suspected}.")
    click.echo(f"{imported.suite.tasks} tasks imported: {out}")
    if imported.suite.left_out:
        count = counted(len(imported.suite.left_out), "task or step", "tasks and steps")
        click.echo(f"{count} could not be imported; the report lists them.")
    if imported.suite.missing_rules:
        rules = counted(len(imported.suite.missing_rules), "task")
        click.echo(f"{rules} imported without a rule that does not exist.")
    click.echo(f"Each fault with its location: {out / REPORT}")


def _trajectory_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments of an import of trajectories."""
    for decorate in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option(
            "--agent", default="", metavar="NAME", help="Set the agent's name; default: as recorded."
        ),
        click.option(
            "--out",
            metavar="DIR",
            type=click.Path(path_type=Path, file_okay=False),
            required=True,
            help="Write the new run into this folder.",
        ),
        click.argument(
            "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR"
        ),
    ):
        command = decorate(command)
    return command


@import_.command("aitk")
@_trajectory_options
@report_errors
def aitk(folder: Path, out: Path, agent: str, as_json: bool) -> None:
    """Import trajectories of AITK, the toolkit of A3, as a run.

    DIR is searched for history.json files with their screenshots and UI trees, of agents and of people. AITK
    records no result, so the outcome of each episode is unknown.

    \b
    Example:
        garabench tasks import aitk saves --out runs/a3
    """
    _import_run(folder, TrajectorySource.AITK, out, agent, as_json=as_json)


@import_.command("androidworld")
@_trajectory_options
@report_errors
def androidworld(folder: Path, out: Path, agent: str, as_json: bool) -> None:
    """Import episodes of AndroidWorld as a run.

    DIR is searched for its checkpoints (*.pkl.gz) and for the same episodes as JSON. A checkpoint is read as
    plain data; no code in it is run.

    \b
    Example:
        garabench tasks import androidworld results --out runs/androidworld
    """
    _import_run(folder, TrajectorySource.ANDROIDWORLD, out, agent, as_json=as_json)


def _import_run(folder: Path, source: TrajectorySource, out: Path, agent: str, *, as_json: bool) -> None:
    from garabench.verifier.imports.imported_run import import_run  # slow: pictures

    done = import_run(folder, source, out, agent=agent)
    if as_json:
        data = {name: getattr(done, name) for name in ("episodes", "unknown", "actions", "unconverted")}
        broken = [error.message for error in done.broken]
        click.echo(json.dumps({**data, "folder": str(out), "broken": broken}, ensure_ascii=False, indent=2))
        _report_broken(done.broken)
        return
    click.echo(f"{counted(done.episodes, 'episode')} with {counted(done.actions, 'action')} imported: {out}")
    if done.unconverted:
        click.echo(f"{counted(done.unconverted, 'action')} without a counterpart recorded as waiting.")
    if done.unknown:
        click.echo(f"The outcome of {counted(done.unknown, 'episode')} is unknown.")
    click.echo(f"Next: garabench view {out}")
    _report_broken(done.broken)


def _report_broken(broken: Sequence[InputError]) -> None:
    """Print why trajectories could not be read, and exit with status 1 if there are any."""
    for error in broken:
        print_error(error)
    if broken:
        raise click.exceptions.Exit(1)

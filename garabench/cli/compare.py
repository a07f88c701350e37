"""``garabench compare``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from garabench.cli.command_classes import Command
from garabench.cli.comparison import comparison_blocks
from garabench.cli.comparison_csv import comparison_csv
from garabench.cli.completion import task_selector
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.cli.measure_tables import warning_list
from garabench.cli.number_range import NumberRange
from garabench.cli.suite_option import suite_option
from garabench.cli.table_formats import Block, TableFormat, TextList, grid_of, render_blocks
from garabench.cli.tables import left_out_list
from garabench.errors import InputError
from garabench.records.remote_runs import is_url
from garabench.records.run_layout import DIAGNOSIS
from garabench.stats.breakdown import GroupedBy
from garabench.stats.comparison import Comparison
from garabench.stats.comparison import compare as compare_runs
from garabench.stats.result_tables import comparison_data
from garabench.suite.suite import Suite

if TYPE_CHECKING:
    from garabench.diagnosis.attribution_rows import AttributionRow


class _NamedRun(click.ParamType[str]):
    """A run's folder, which may be at a URL, with or without a name in front."""

    name = "run"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text with the local folder of the run."""
        label, separator, url = value.partition("=")
        if not separator or not is_url(url) or is_url(label):
            label, separator, url = "", "", value
        return f"{label}{separator}{RUN_FOLDER.convert(url, param, ctx)}" if is_url(url) else value


@click.command(cls=Command)
@click.argument(
    "runs",
    metavar="[NAME=]RUN...",
    nargs=-1,
    required=True,
    type=_NamedRun(),
    shell_complete=click.Path(file_okay=False).shell_complete,
)
@click.option(
    "--by",
    metavar="GROUP",
    type=click.Choice([by.value for by in GroupedBy]),
    multiple=True,
    help=f"Also break success down by {', '.join(GroupedBy)}; repeatable.",
)
@click.option(
    "--power",
    metavar="POINTS",
    type=NumberRange(0, 100, min_open=True, max_open=True),
    help="Also print how many tasks or seeds a difference of POINTS percentage points needs.",
)
@click.option(
    "--tasks",
    "selector",
    metavar="SELECTOR",
    shell_complete=task_selector,
    help="Compare only these tasks of the suite: ids, apps, tags or globs, separated by commas.",
)
@suite_option
@click.option("--strict", is_flag=True, help="Refuse runs that are not fully comparable.")
@click.option(
    "--format",
    "format_",
    type=click.Choice([each.value for each in TableFormat]),
    default=TableFormat.TEXT.value,
    show_default=True,
    help="Choose the output format.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON; the same as --format json.")
@report_errors
def compare(
    runs: tuple[str, ...],
    by: tuple[str, ...],
    power: float | None,
    selector: str | None,
    root: Path | None,
    strict: bool,
    format_: str,
    as_json: bool,
) -> None:
    """Compare agents and conditions over runs.

    Each RUN is the folder of a run. Agents are compared pair by pair, on the same tasks and seeds, and each
    with itself without interruptions. The output states which differences are established.
    With names, one agent can be compared over several runs: before=runs/first after=runs/second.

    Runs on different kinds of devices, with different stress levels or with different --end cannot be
    compared. Different suites, versions, limits, devices and models are reported as warnings.

    \b
    Example:
        garabench compare runs/first --by category --power 5
    """
    tasks = None if selector is None else [item.task.id for item in Suite.load(root).select(selector)]
    compared = compare_runs(_named(runs), strict=strict, tasks=tasks)
    wanted = TableFormat.JSON if as_json else TableFormat(format_)
    difference = None if power is None else power / 100
    match wanted:
        case TableFormat.JSON:
            click.echo(json.dumps(_data(compared, difference), ensure_ascii=False, indent=2))
        case TableFormat.CSV:
            _warn(compared)
            click.echo(comparison_csv(compared), nl=False)
        case _ if not compared.summaries:
            click.echo("\n".join(("No episode has ended yet.", *compared.notes)))
        case _:
            blocks = _blocks(compared, [GroupedBy(each) for each in by], difference)
            click.echo(render_blocks(blocks, wanted))


def _named(runs: tuple[str, ...]) -> Sequence[str] | Mapping[str, str]:
    """Return the runs, by their names if they have names.

    Raises:
        InputError: Only some have names, or two have the same.
    """
    if all(Path(run).exists() or "=" not in run for run in runs):
        return runs
    named = dict(run.split("=", 1) for run in runs if "=" in run)
    if len(named) < len(runs) or not all(named):
        raise InputError("name all runs or none: before=runs/first …")
    return named


def _warn(compared: Comparison) -> None:
    if compared.warnings:
        click.echo(str(warning_list(compared.warnings)), err=True)
    for note in compared.notes:
        click.echo(note, err=True)


def _data(compared: Comparison, power: float | None) -> dict[str, object]:
    return {
        "kind": compared.kind,
        "suite": compared.suite_hash,
        "interruptions": compared.stress_level,
        "end": compared.end,
        "warnings": [{"difference": each.difference, "message": each.message} for each in compared.warnings],
        "planned": compared.completeness.planned,
        "ended": compared.completeness.ended,
        "missing": compared.completeness.missing,
        "unfinished": [str(key) for key in compared.completeness.unfinished],
        "truncated": [str(key) for key in compared.completeness.truncated],
        "notes": list(compared.notes),
        "left_out": {str(run.folder): dict(run.file.device.left_out or {}) for run in compared.runs},
        **comparison_data(compared, power),
        "attribution": [
            {
                **asdict(row),
                "episodes": row.episodes,
                "success": row.success.value,
                "success_without_environment": row.success_without_environment.value,
            }
            for row in _attribution_rows(compared)
        ],
    }


def _blocks(compared: Comparison, by: list[GroupedBy], power: float | None) -> list[Block]:
    blocks: list[Block] = [warning_list(compared.warnings)] if compared.warnings else []
    if compared.notes:
        blocks.append(TextList("Limits of these results", compared.notes, wrapped=True))
    blocks += comparison_blocks(
        compared, compared.kind, compared.stress_level, compared.end, by=by, power=power
    )
    for run in compared.runs:
        if left_out := run.file.device.left_out:
            blocks.append(left_out_list(left_out, run.folder.name if len(compared.runs) > 1 else ""))
    if rows := _attribution_rows(compared):
        from garabench.diagnosis.report_section import attribution_table

        blocks.append(grid_of(attribution_table(rows)))
    return blocks


def _attribution_rows(compared: Comparison) -> tuple[AttributionRow, ...]:
    if not any((run.folder / DIAGNOSIS).is_dir() for run in compared.runs):
        return ()
    from garabench.diagnosis.report_section import compared_attribution_rows  # most runs have no diagnoses

    return compared_attribution_rows(compared)

"""``garabench compare``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.campaign.store import RunStore, read_results
from garabench.cli.errors import plainly
from garabench.cli.tables import condition_table, drop_table
from garabench.errors import InputError
from garabench.stats.measures import Summary, by_condition, drops


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def compare(runs: tuple[Path, ...], as_json: bool) -> None:
    """Compare agents and conditions over one or several RUNS of the same suite.

    \b
    Example:
        garabench compare runs/first
    """
    stores = [RunStore.open(path) for path in runs]
    if len({(store.run.suite_hash, store.run.device.get("kind")) for store in stores}) > 1:
        raise InputError(
            "these runs are of different suites or kinds of device, and cannot be compared in one table"
        )
    summaries: list[Summary] = [item for path in runs for item in read_results(path)]
    if as_json:
        rows = {
            "conditions": [dataclasses.asdict(row) for row in by_condition(summaries)],
            "drops": [dataclasses.asdict(row) for row in drops(summaries)],
        }
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    kind = stores[0].run.device.get("kind", "real")
    click.echo(condition_table(by_condition(summaries), kind))
    if rows_of_drops := drops(summaries):
        click.echo(drop_table(rows_of_drops))

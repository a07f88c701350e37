"""``garabench compare``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from garabench.campaign.store import RunStore, read_results
from garabench.cli.errors import plainly
from garabench.cli.figures import figures, figures_data
from garabench.errors import InputError
from garabench.stats.measures import Summary


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
    _check_comparable(stores)
    summaries = [item for path in runs for item in read_results(path)]
    _check_distinct(summaries)
    if as_json:
        rows = {
            "kind": _kind(stores[0]),
            "suite": stores[0].run.suite_hash,
            "interruptions": stores[0].run.plan.interruptions,
            **figures_data(summaries),
        }
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    if not summaries:
        click.echo("No episode of these runs has ended yet.")
        return
    click.echo(figures(summaries, _kind(stores[0]), stores[0].run.plan.interruptions))


def _kind(store: RunStore) -> str:
    return str(store.run.device.get("kind", "real"))


def _level(store: RunStore) -> str:
    wanted = store.run.plan.interruptions
    return "as many interruptions as the rules say" if wanted is None else f"--interruptions {wanted}"


def _check_comparable(stores: Sequence[RunStore]) -> None:
    """Refuse runs whose figures mean different things."""
    first = stores[0]
    for other in stores[1:]:
        if _kind(other) != _kind(first):
            raise InputError(
                f"{first.folder} ran on a {_kind(first)} device and {other.folder} on a {_kind(other)} one: "
                "results of the two are never compared",
                hint="Compare runs of one kind of device.",
            )
        if other.run.suite_hash != first.run.suite_hash:
            raise InputError(
                f"{first.folder} and {other.folder} are of different suites "
                f"({first.run.suite_hash[:12]} and {other.run.suite_hash[:12]})",
                hint="Compare runs of the same version of the suite's files.",
            )
        if other.run.plan.interruptions != first.run.plan.interruptions:
            raise InputError(
                f"{first.folder} has {_level(first)} and {other.folder} {_level(other)}: "
                "figures of different stress levels are never mixed",
                hint="Compare runs of one level, each level by itself.",
            )


def _check_distinct(summaries: Sequence[Summary]) -> None:
    """Refuse the same episode in two runs: it would be counted twice, and repetitions need other seeds."""
    for item, count in Counter((s.task, s.agent, s.condition, s.seed) for s in summaries).items():
        if count > 1:
            task, agent, condition, _ = item
            raise InputError(
                f"{agent} on {task}, {condition}, is in more than one of these runs with the same seed",
                hint="Repeat a run with another --seed, or with --seeds N, to compare them together.",
            )

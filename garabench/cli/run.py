"""``garabench run``."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from garabench.agents.registry import parse_agents
from garabench.campaign import local
from garabench.campaign.plan import Plan, make_plan, parse_conditions
from garabench.campaign.store import RunFile, RunStore
from garabench.campaign.suite import Suite
from garabench.cli.errors import INTERRUPTED, plainly
from garabench.cli.tables import condition_table, drop_table
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.stats.measures import Summary, by_condition, drops
from garabench.virtual.launcher import VirtualPhone


@click.command()
@click.option(
    "--device",
    "name",
    default="virtual",
    show_default=True,
    metavar="DEVICE",
    help="virtual, virtual:PROFILE, or a serial of `garabench device list`.",
)
@click.option(
    "--tasks", "selector", default="all", show_default=True, help="Id, app, tag, glob or a comma list."
)
@click.option("--agents", default="reference", show_default=True, help="Comma list.")
@click.option("--conditions", default="clean,dual,forced", show_default=True)
@click.option("--seeds", default=1, show_default=True, help="Repetitions of every episode.")
@click.option(
    "--seed", default=0, show_default=True, help="The run's seed: the same seed gives the same run."
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first tasks.")
@click.option("--shuffle", is_flag=True, help="Take the tasks in an order drawn from the seed.")
@click.option("--out", default=Path("runs/latest"), show_default=True, type=click.Path(path_type=Path))
@click.option("--resume", is_flag=True, help="Go on with the run in --out.")
@plainly
def run(
    name: str,
    selector: str,
    agents: str,
    conditions: str,
    seeds: int,
    seed: int,
    limit: int | None,
    shuffle: bool,
    out: Path,
    resume: bool,
) -> None:
    """Run tasks on a device, with and without interruptions.

    \b
    Example:
        garabench run --tasks bilibili --agents dismiss,ignore --out runs/first
    """
    suite = Suite.load()
    plan = make_plan(
        suite.select(selector),
        parse_agents(agents),
        conditions=parse_conditions(conditions),
        seeds=seeds,
        seed=seed,
        shuffle=shuffle,
        limit=limit,
    )
    clock = SystemClock()
    try:
        with opened(name, seed) as (serial, kind):

            def connect() -> Device:
                return Device.connect(serial, clock)

            store = _store(out, plan, suite, connect, resume, kind)
            summaries = _perform(store, suite, connect, clock)
    except KeyboardInterrupt as error:
        click.echo(
            f"\nInterrupted; what was done is kept in {out}.\nGo on: add --resume to the command.", err=True
        )
        raise click.exceptions.Exit(INTERRUPTED) from error
    click.echo(condition_table(by_condition(summaries), str(store.run.device.get("kind", "real"))))
    if rows := drops(summaries):
        click.echo(drop_table(rows))
    click.echo(f"\nRecords: {out}\nNext: garabench compare {out}")
    if any(item.outcome == "error" for item in summaries):
        raise click.exceptions.Exit(1)


def _store(
    out: Path, plan: Plan, suite: Suite, connect: local.Reconnect, resume: bool, kind: str
) -> RunStore:
    if resume:
        store = RunStore.open(out)
        store.check_resumable(plan, suite)
        return store
    device = connect()
    info = dataclasses.asdict(device.info) | {"size": str(device.info.size), "kind": kind}
    version = importlib.metadata.version("garabench")
    return RunStore.create(out, RunFile(garabench=version, plan=plan, suite_hash=suite.digest, device=info))


@contextlib.contextmanager
def opened(name: str, seed: int) -> Iterator[tuple[str, str]]:
    """Open the device that a person named: its serial, and whether it is ``virtual`` or ``real``."""
    word, _, profile = name.partition(":")
    if word != "virtual":
        yield name, "real"
        return
    with VirtualPhone(profile or "android-34", seed=seed) as phone:
        yield phone.serial, "virtual"


def _perform(
    store: RunStore, suite: Suite, connect: local.Reconnect, clock: SystemClock
) -> tuple[Summary, ...]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        job = bar.add_task("episodes", total=None)

        def tell(progress: local.Progress) -> None:
            s = progress.summary
            bar.update(job, total=progress.total, completed=progress.done, description=s.task)
            if not console.is_terminal:
                line = f"{progress.done}/{progress.total} {s.task} {s.agent} {s.condition}: {s.outcome}"
                click.echo(f"{line} ({s.reason}, {s.steps} steps)", err=True)

        return local.perform(store, suite, connect, clock, tell=tell)

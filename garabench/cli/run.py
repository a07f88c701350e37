"""``garabench run``."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from garabench.agents.registry import parse_agents
from garabench.campaign import local
from garabench.campaign.devices import Lease, open_devices
from garabench.campaign.plan import Plan, make_plan, parse_conditions
from garabench.campaign.store import RunFile, RunStore
from garabench.campaign.suite import Suite
from garabench.cli.errors import INTERRUPTED, plainly
from garabench.cli.tables import condition_table, drop_table
from garabench.core.clock import SystemClock
from garabench.stats.measures import Summary, by_condition, drops

MOST_PHONES = 4
"""Virtual phones at once, unless more are asked for: each takes a quarter of a gigabyte."""


@click.command()
@click.option(
    "--device",
    "names",
    multiple=True,
    default=("virtual",),
    show_default=True,
    metavar="DEVICE",
    help="virtual, virtual:PROFILE, or a serial of `garabench device list`; may be given several times.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=64),
    help="Virtual phones at once; default: one for each core, at most 4.",
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
    names: tuple[str, ...],
    jobs: int | None,
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
    phones = jobs or min(os.cpu_count() or 1, MOST_PHONES)
    try:
        with open_devices(names, clock, phones=phones, seed=seed) as leases:
            store = _store(out, plan, suite, leases[0], resume)
            summaries = _perform(store, suite, leases, clock)
    except KeyboardInterrupt as error:
        click.echo(f"\nInterrupted; what was done is kept in {out}.\nGo on: {_resume_command(out)}", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from error
    click.echo(condition_table(by_condition(summaries), str(store.run.device.get("kind", "real"))))
    if rows := drops(summaries):
        click.echo(drop_table(rows))
    click.echo(f"\nRecords: {out}")
    click.echo(f"Next:    garabench compare {out} --json        the same figures for a program")
    click.echo(
        f"         garabench tasks show {plan.tasks[0]}   what one of the tasks asks, and its solution"
    )
    click.echo("         garabench phone start && garabench phone ui   use the virtual phone yourself")
    if any(item.outcome == "error" for item in summaries):
        raise click.exceptions.Exit(1)


def _resume_command(out: Path) -> str:
    """The command that goes on with this run: the options as they were given, and ``--resume``."""
    context = click.get_current_context()
    words = ["garabench", "run"]
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in ("out", "resume") or context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params[name]
        if value is True:
            words.append(parameter.opts[0])
            continue
        for each in value if isinstance(value, tuple) else (value,):
            words += [parameter.opts[0], str(each)]
    return shlex.join([*words, "--out", str(out), "--resume"])


def _store(out: Path, plan: Plan, suite: Suite, lease: Lease, resume: bool) -> RunStore:
    if resume:
        store = RunStore.open(out)
        store.check_resumable(plan, suite)
        return store
    device = lease.connect()
    info = dataclasses.asdict(device.info) | {"size": str(device.info.size), "kind": lease.kind}
    device.close()
    version = importlib.metadata.version("garabench")
    return RunStore.create(out, RunFile(garabench=version, plan=plan, suite_hash=suite.digest, device=info))


def _perform(
    store: RunStore, suite: Suite, leases: Sequence[Lease], clock: SystemClock
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

        return local.perform(store, suite, leases, clock, tell=tell)

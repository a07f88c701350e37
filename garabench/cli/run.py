"""``garabench run``."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from garabench.agents.chat.cost import load_prices
from garabench.agents.chat.desk import ModelOptions
from garabench.agents.registry import check_agents, parse_agents
from garabench.agents.setting import DECISION_SECONDS, START_SECONDS
from garabench.campaign import local
from garabench.campaign.estimate import estimate as about
from garabench.campaign.plan import MOST_INTERRUPTIONS, Plan, make_plan, parse_conditions
from garabench.campaign.run import Run
from garabench.campaign.run import run as perform
from garabench.campaign.store import RUN_FILE
from garabench.campaign.suite import Suite
from garabench.cli.complete import agent_names, condition_names, task_selector
from garabench.cli.consent import ask_to_wipe, real_devices
from garabench.cli.errors import INTERRUPTED, plainly
from garabench.cli.figures import figures
from garabench.cli.models import model_options
from garabench.cli.spending import estimate_table
from garabench.errors import DeviceError, HarnessError, ModelError, RunStopped
from garabench.stats.unreached import unreached

_RAISED = {
    "max_cost": "twice what the models have cost so far, since money counts over the whole run",
    "max_tokens": "twice what was used so far, since tokens count over the whole run",
    "max_time": "twice the time, in which no episode came to its end",
}


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
    "--tasks",
    "selector",
    default="all",
    show_default=True,
    shell_complete=task_selector,
    help="Id, app, tag, glob or a comma list.",
)
@click.option(
    "--agents",
    multiple=True,
    default=("reference",),
    show_default=True,
    shell_complete=agent_names,
    help="Comma list of names of `garabench agents list`, or of your own: module:Class, process:COMMAND, "
    "http://…, owning:COMMAND, each also with a name before it, NAME=…; may be given several times.",
)
@click.option(
    "--decision-seconds",
    type=click.FloatRange(min=0, min_open=True, max=3600),
    default=DECISION_SECONDS,
    show_default=True,
    help="How long an agent may take for a decision.",
)
@click.option(
    "--start-seconds",
    type=click.FloatRange(min=0, min_open=True, max=86_400),
    default=START_SECONDS,
    show_default=True,
    help="How long an agent may take to get ready in each episode.",
)
@click.option("--conditions", default="clean,dual,forced", show_default=True, shell_complete=condition_names)
@click.option(
    "--seeds",
    type=click.IntRange(min=1, max=1000),
    default=1,
    show_default=True,
    help="Repetitions of every episode.",
)
@click.option(
    "--seed", default=0, show_default=True, help="The run's seed: the same seed gives the same run."
)
@click.option(
    "--interruptions",
    type=click.IntRange(min=1, max=MOST_INTERRUPTIONS),
    help="The stress level: how many interruptions an episode is to have; default: as the rules say.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first tasks.")
@click.option("--shuffle", is_flag=True, help="Take the tasks in an order drawn from the seed.")
@model_options
@click.option("--estimate", is_flag=True, help="Only tell what the models would take, and do nothing.")
@click.option("--out", default=Path("runs/latest"), show_default=True, type=click.Path(path_type=Path))
@click.option("--resume", is_flag=True, help="Go on with the run in --out.")
@click.option("--yes", is_flag=True, help="Agree to wipe the tested apps' data on a real device.")
@plainly
def run(
    names: tuple[str, ...],
    jobs: int | None,
    selector: str,
    agents: tuple[str, ...],
    decision_seconds: float,
    start_seconds: float,
    conditions: str,
    seeds: int,
    seed: int,
    limit: int | None,
    shuffle: bool,
    interruptions: int | None,
    out: Path,
    resume: bool,
    yes: bool,
    estimate: bool,
    models: ModelOptions,
) -> None:
    """Run tasks on a device, with and without interruptions.

    It ends with status 1 when an episode ended in error, and with 3 when the device or an agent's model
    could not be reached, so that no episode of that agent could be performed.

    \b
    Example:
        garabench run --tasks bilibili --limit 1 --agents dismiss,ignore --out runs/first
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
        decision_seconds=decision_seconds,
        start_seconds=start_seconds,
        interruptions=interruptions,
    )
    expected = about(plan, suite, check_agents(plan.agents), load_prices(models.prices))
    if estimate or (expected and models.replay is None and not resume):
        click.echo(
            estimate_table(expected) if expected else "No agent of this run is a model.", err=not estimate
        )
    if estimate:
        return
    ask_to_wipe(real_devices(names), sorted({suite.every_task[name].app for name in plan.tasks}), yes=yes)
    try:
        done = _perform(plan, suite, out, names, jobs, resume, models)
    except KeyboardInterrupt as error:
        click.echo("\nInterrupted.", err=True)
        _tell_to_go_on(out)
        raise click.exceptions.Exit(INTERRUPTED) from error
    except RunStopped as error:
        click.echo(f"Stopped: {error}.", err=True)
        budget = {"max_cost": error.cost, "max_tokens": error.tokens, "max_time": error.seconds}
        _tell_to_go_on(out, {name: value for name, value in budget.items() if value is not None})
        raise click.exceptions.Exit(error.exit_status) from error
    except (DeviceError, ModelError, HarnessError) as error:
        click.echo(f"Error: {error}", err=True)
        _tell_to_go_on(out)
        raise click.exceptions.Exit(error.exit_status) from error
    click.echo(figures(done.summaries, done.kind, plan.interruptions))
    failed = [item for item in done.summaries if item.outcome == "error"]
    click.echo(f"\nRecords: {out}")
    us = _program()
    click.echo(f"Next:    {us} compare {out}   these figures with drops, exits and intervals, for any run")
    click.echo(f"         {us} tasks show {plan.tasks[0]}   what one of the tasks asks, and its solution")
    click.echo(f"         {us} phone start && {us} phone ui   use the virtual phone yourself")
    if failed:
        click.echo(f"\nTry again what ended in error: {_resume_command(out)}")
        never = unreached(done.summaries)
        for agent, fault in never.items():
            click.echo(f"Error: no episode of {agent} could be performed: {fault}", err=True)
        raise click.exceptions.Exit(ModelError.exit_status if never else 1)


def _tell_to_go_on(out: Path, raised: Mapping[str, object] = MappingProxyType({})) -> None:
    """What was kept of a run that was broken off, and how to go on; nothing where it never began.

    Args:
        out: The run's folder.
        raised: Options whose values have to be others than before.
    """
    if (out / RUN_FILE).is_file():
        click.echo(f"What was done is kept in {out}.", err=True)
        for name in raised:
            click.echo(f"The budget below is {_RAISED[name]}; choose your own.", err=True)
        click.echo(f"Go on: {_resume_command(out, raised)}", err=True)


def _program() -> str:
    """How this program can be called from here: by its name where it is found, else by its path."""
    mine = Path(sys.executable).with_name("garabench")
    found = shutil.which("garabench")
    if not mine.exists() or (found is not None and Path(found).samefile(mine)):
        return "garabench"
    return str(mine.relative_to(Path.cwd())) if mine.is_relative_to(Path.cwd()) else str(mine)


def _resume_command(out: Path, instead: Mapping[str, object] = MappingProxyType({})) -> str:
    """The command that goes on with this run: the options as they were given, and ``--resume``.

    Args:
        out: The run's folder.
        instead: Values in place of those that were given, by the options' names.
    """
    context = click.get_current_context()
    words = [_program(), "run"]
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in ("out", "resume") or context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = instead.get(name, context.params.get(name))
        if value is True:
            words.append(parameter.opts[0])
            continue
        for each in value if isinstance(value, tuple) else (value,):
            words += [parameter.opts[0], str(each)]
    return shlex.join([*words, "--out", str(out), "--resume"])


def _perform(
    plan: Plan,
    suite: Suite,
    out: Path,
    names: tuple[str, ...],
    jobs: int | None,
    resume: bool,
    models: ModelOptions,
) -> Run:
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

        return perform(
            plan,
            out,
            devices=names,
            jobs=jobs,
            resume=resume,
            suite=suite,
            models=models,
            tell=tell,
            say=lambda words: click.echo(words, err=True),
        )

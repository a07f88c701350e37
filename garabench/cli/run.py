"""``garabench run``."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import click
from click.core import ParameterSource
from rich.console import Console

from garabench.agents.models.cost import load_prices
from garabench.agents.models.session import ModelOptions
from garabench.agents.registry import resolve_all, resolve_lists
from garabench.campaign.device_kind import is_virtual
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.engines.ray_cluster import AUTO
from garabench.campaign.episode_queue import parse_shard
from garabench.campaign.estimate import estimate_usage
from garabench.campaign.event_sinks import EventSink, to_file, to_stream, to_webhook
from garabench.campaign.metrics_endpoint import metrics_endpoint
from garabench.campaign.planner import make_plan, parse_conditions
from garabench.campaign.resume import check_plan, open_to_resume
from garabench.campaign.run import ENGINES
from garabench.campaign.run import run as perform
from garabench.cli.command_classes import Command
from garabench.cli.comparison import run_summary
from garabench.cli.completion import agent_names, condition_names, task_selector
from garabench.cli.confirm import ask_to_wipe
from garabench.cli.cost_tables import estimate_table
from garabench.cli.error_exits import INTERRUPTED, discard_output, print_error, report_errors, write_traceback
from garabench.cli.local_path import RunTarget
from garabench.cli.model_options import model_options
from garabench.cli.number_range import NumberRange
from garabench.cli.run_progress import RunProgress
from garabench.cli.suite_option import BUILTIN, suite_option
from garabench.core.campaign_events import CampaignEvent
from garabench.core.clock import Clock, SystemClock
from garabench.core.end_criterion import EndCriterion
from garabench.core.progress import Progress
from garabench.errors import (
    BudgetExceededError,
    DeviceError,
    GaraError,
    HarnessError,
    InputError,
    ModelError,
)
from garabench.records.plan import DECISION_SECONDS, MAX_INTERRUPTIONS, RETRIES, START_SECONDS
from garabench.records.reader import Run
from garabench.records.remote_runs import shown_url
from garabench.records.results import Summary
from garabench.records.run_layout import REPORT, RUN_FILE
from garabench.records.run_upload import RunUpload, copy_rest, prepare_working_folder, working_folder
from garabench.stats.never_reached import never_reached_agents
from garabench.suite.suite import Suite

_PLAN_OPTIONS = (
    "selector",
    "agents",
    "decision_seconds",
    "start_seconds",
    "conditions",
    "seeds",
    "seed",
    "interruptions",
    "end",
    "retries",
    "limit",
    "shuffle",
)
"""The options that a run's plan records; a resumed run needs none of them."""
_RAISED = {
    "max_cost": "twice the cost so far, since the budget covers the whole run",
    "max_tokens": "twice the tokens used so far, since the budget covers the whole run",
    "max_time": "twice the time, in which no episode ended",
}


@click.command(cls=Command)
@click.option(
    "--device",
    "names",
    multiple=True,
    default=(),
    metavar="DEVICE",
    help="Use this device: virtual, virtual:PROFILE, emulators:COUNT or a serial; repeatable; "
    "default: virtual, or with --engine ray all devices of the cluster.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    show_default=True,
    help="Use the devices of this computer, or those of a Ray cluster.",
)
@click.option(
    "--ray-address",
    default=AUTO,
    show_default=True,
    metavar="HOST:PORT",
    help="Connect to the Ray cluster at this address; auto for the one that runs on this computer.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=64),
    help="Use this number of parallel virtual phones; default: one per core, at most 4.",
)
@suite_option
@click.option(
    "--tasks",
    "selector",
    default="all",
    show_default=True,
    metavar="SELECTOR",
    shell_complete=task_selector,
    help="Run these tasks: ids, apps, tags or globs, separated by commas; - before one excludes "
    "its tasks. The tag sample selects two tasks per app.",
)
@click.option(
    "--agents",
    multiple=True,
    default=("reference",),
    show_default=True,
    metavar="LIST",
    shell_complete=agent_names,
    help="Run these agents, separated by commas: those of `garabench agents list`, or your own as "
    "module:Class, process:COMMAND, http://… or autonomous:COMMAND, optionally with a label in front "
    "(LABEL=…); repeatable.",
)
@click.option(
    "--decision-seconds",
    type=NumberRange(min=0, min_open=True, max=3600),
    default=DECISION_SECONDS,
    show_default=True,
    help="Limit the time of each decision, in seconds.",
)
@click.option(
    "--start-seconds",
    type=NumberRange(min=0, min_open=True, max=86_400),
    default=START_SECONDS,
    show_default=True,
    help="Limit the time in which an agent starts in each episode, in seconds.",
)
@click.option(
    "--conditions",
    default="clean,dual,forced",
    show_default=True,
    metavar="LIST",
    shell_complete=condition_names,
    help="Run under these conditions, separated by commas: clean (no interruptions), dual (easy exit), "
    "forced (no easy exit).",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1, max=1000),
    default=1,
    show_default=True,
    help="Perform each episode this many times, each with its own seed.",
)
@click.option("--seed", default=0, show_default=True, help="Set the random seed of the run.")
@click.option(
    "--interruptions",
    type=click.IntRange(min=1, max=MAX_INTERRUPTIONS),
    help="Set the stress level, the number of interruptions per episode; default: as the rules decide.",
)
@click.option(
    "--end",
    type=click.Choice([each.value for each in EndCriterion]),
    default=EndCriterion.GOAL.value,
    show_default=True,
    help="End an episode at the first screen that meets the goal, or when the agent says that it is done.",
)
@click.option(
    "--retries",
    type=click.IntRange(min=0, max=10),
    default=RETRIES,
    show_default=True,
    help="Retry an episode that ends in error at most this many times.",
)
@click.option(
    "--task-faults",
    type=click.IntRange(min=1),
    default=DeviceRecoveryPolicy().task_faults,
    show_default=True,
    help="Stop retrying the episodes of a task after this number of faults on healthy devices.",
)
@click.option(
    "--max-wait",
    type=NumberRange(min=0, max=86_400),
    default=DeviceRecoveryPolicy().wait_limit,
    show_default=True,
    help="Limit the recovery of a failing device to this time, in seconds; then the run continues "
    "without it.",
)
@click.option(
    "--recycle-after",
    type=click.IntRange(min=0),
    default=DeviceRecoveryPolicy().recycle_after,
    show_default=True,
    help="Restart an emulator after this number of snapshot loads; 0 for never.",
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Perform only part I of N of the plan, as one of several workers; `garabench runs merge` "
    "merges them. Default: 1/1, or with --resume the part with which the run began.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Perform at most this many tasks.")
@click.option("--shuffle", is_flag=True, help="Shuffle the tasks by the seed, before --limit.")
@model_options
@click.option("--estimate", is_flag=True, help="Print the estimated model cost and exit.")
@click.option(
    "--out",
    default=Path("runs/latest"),
    show_default=True,
    metavar="DIR",
    type=RunTarget(path_type=Path),
    help="Record the run in this folder, or at the URL of one, such as s3://bucket/first.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Resume the run in --out; its plan is read from there unless options of the plan are given.",
)
@click.option(
    "--events",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Write each event of devices and attempts to FILE as a line of JSON; - for standard output.",
)
@click.option("--webhook", metavar="URL", help="Post each of these events to URL.")
@click.option(
    "--metrics-port",
    type=click.IntRange(min=0, max=65_535),
    metavar="PORT",
    help="Serve the progress for Prometheus at http://127.0.0.1:PORT/metrics; 0 for any free port.",
)
@click.option("--yes", is_flag=True, help="Allow wiping the data of the tested apps on real devices.")
@click.option(
    "--app",
    "own_apps",
    multiple=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Install your own app on the virtual phones, from an app file or its folder; repeatable.",
)
@click.option("--print-episodes", is_flag=True, help="Print each episode when it ends.")
@click.option("--report/--no-report", default=True, help="Write report.html into --out at the end.")
@report_errors
def run(
    names: tuple[str, ...],
    engine: str,
    ray_address: str,
    jobs: int | None,
    root: Path | None,
    selector: str,
    agents: tuple[str, ...],
    decision_seconds: float,
    start_seconds: float,
    conditions: str,
    seeds: int,
    seed: int,
    end: str,
    retries: int,
    task_faults: int,
    max_wait: float,
    recycle_after: int,
    shard: str | None,
    limit: int | None,
    shuffle: bool,
    interruptions: int | None,
    out: Path | str,
    resume: bool,
    events: str | None,
    webhook: str | None,
    metrics_port: int | None,
    yes: bool,
    estimate: bool,
    own_apps: tuple[Path, ...],
    print_episodes: bool,
    report: bool,
    models: ModelOptions,
) -> None:
    """Run agents on tasks, with and without interruptions.

    The run is recorded in the folder --out, and a summary is printed at the end. The exit status is 1 if an
    episode ended in error or a budget was exceeded, and 3 if a device or an agent's model could not be
    reached.

    \b
    Example:
        garabench run --device virtual --tasks bilibili --limit 1 --agents dismiss,ignore --out runs/first
    """
    part = None if shard is None else parse_shard(shard)
    if engine == ENGINES[0] and _is_given(("ray_address",)):
        raise click.UsageError("--ray-address needs --engine ray.")
    suite = Suite.load(root)
    place = _prepare(out, resume=resume, only_estimate=estimate)
    if resume and not _is_given(_PLAN_OPTIONS):
        recorded = open_to_resume(place.folder)
        plan = recorded.file.plan
        check_plan(recorded, plan, suite)
        resolved = resolve_all(plan.agents)
    else:
        resolved = resolve_lists(agents)
        plan = make_plan(
            suite.select(selector),
            [agent.named.text for agent in resolved],
            conditions=parse_conditions(conditions),
            seeds=seeds,
            seed=seed,
            shuffle=shuffle,
            limit=limit,
            decision_seconds=decision_seconds,
            start_seconds=start_seconds,
            interruptions=interruptions,
            end=end,
            retries=retries,
        )
    expected = estimate_usage(plan, suite, resolved, load_prices(models.prices))
    if estimate or (expected and models.replay is None and not resume):
        click.echo(
            str(estimate_table(expected)) if expected else "No agent of this run uses a model.",
            err=not estimate,
        )
    if estimate:
        return
    apps = sorted({suite.every_task[name].app for name in plan.tasks})
    try:
        clock = SystemClock()
        # A table would draw over events on the same terminal.
        shows_table = not (events == "-" and sys.stdout.isatty())
        progress = RunProgress(
            Console(stderr=True), clock, print_episodes=print_episodes, shows_table=shows_table
        )
        with (
            # Opened before the table, which redirects standard output to its own.
            _sinks(events, webhook, progress.message) as sinks,
            progress,
            _metrics(metrics_port, progress),
            place.upload(clock, progress.message) as upload,
        ):

            def publish(event: CampaignEvent) -> None:
                progress.event(event)
                for sink in sinks:
                    sink(event)

            def episode_ended(ended: Progress[Summary]) -> None:
                progress.episode_ended(ended)
                if upload is not None:
                    upload.episode_ended(ended.result.key)

            def ask(serials: tuple[str, ...]) -> None:
                with progress.paused():
                    ask_to_wipe(serials, apps, yes=yes)

            done = perform(
                plan,
                place.folder,
                agents=resolved,
                devices=names,
                engine=engine,
                ray_address=ray_address,
                jobs=jobs,
                resume=resume,
                suite=suite,
                clock=clock,
                models=models,
                wipe=ask,
                device_recovery=DeviceRecoveryPolicy(
                    task_faults=task_faults, recycle_after=recycle_after
                ).limited(max_wait),
                apps=own_apps,
                on_progress=episode_ended,
                shard=part,
                on_event=publish,
                on_message=progress.message,
            )
    except KeyboardInterrupt as error:
        click.echo("\nInterrupted.", err=True)
        _print_resume_command(place)
        raise click.exceptions.Exit(INTERRUPTED) from error
    except BudgetExceededError as error:
        click.echo(f"Stopped: {error}.", err=True)
        sufficient = {"max_cost": error.cost, "max_tokens": error.tokens, "max_time": error.seconds}
        _print_resume_command(place, {name: value for name, value in sufficient.items() if value is not None})
        raise click.exceptions.Exit(error.exit_status) from error
    except (DeviceError, ModelError, HarnessError) as error:
        print_error(error)
        _print_resume_command(place)
        raise click.exceptions.Exit(error.exit_status) from error
    # With --events -, standard output has the events alone.
    with contextlib.redirect_stdout(sys.stderr) if events == "-" else contextlib.nullcontext():
        _print_end(done, place, root, names if engine == ENGINES[0] else (), report=report)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a run is recorded.

    Attributes:
        folder: The local folder in which it is performed.
        url: Where it is copied; None if --out is a local folder.
    """

    folder: Path
    url: str | None

    @property
    def shown(self) -> str:
        """The value of --out, without keys."""
        return str(self.folder) if self.url is None else shown_url(self.url)

    def upload(
        self, clock: Clock, on_failure: Callable[[str], None]
    ) -> contextlib.AbstractContextManager[RunUpload | None]:
        """Return what copies its episodes to the URL while it is performed."""
        if self.url is None:
            return contextlib.nullcontext()
        return RunUpload(self.folder, self.url, clock, on_failure=on_failure)


def _prepare(out: Path | str, *, resume: bool, only_estimate: bool) -> _Place:
    """Return where a run is recorded; at a URL, check that it can be.

    Raises:
        GaraError: As `prepare_working_folder`.
    """
    if isinstance(out, Path):
        return _Place(out, None)
    if only_estimate and not resume:
        return _Place(working_folder(out), out)
    return _Place(prepare_working_folder(out, resume=resume), out)


def _copy_rest(place: _Place) -> bool:
    """Copy the rest of a run to its URL, if it has one; return whether all of it is there."""
    if place.url is None:
        return True
    try:
        copy_rest(place.folder, place.url, SystemClock())
    except (GaraError, KeyboardInterrupt) as error:
        reason = str(error) or "interrupted"
        command = shlex.join([_program(), "runs", "copy", str(place.folder), place.shown])
        click.echo(f"Not all of the run is at {place.shown}: {reason}\nCopy it: {command}", err=True)
        return False
    click.echo(f"Copied to {place.shown}", err=True)
    return True


def _is_given(names: Sequence[str]) -> bool:
    """Return whether the user has given one of these options of the present command."""
    context = click.get_current_context()
    return any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in names)


def _print_end(done: Run, place: _Place, root: Path | None, names: tuple[str, ...], *, report: bool) -> None:
    """Print the results of a run and what to do next.

    Raises:
        click.exceptions.Exit: An episode has ended in error, or the run could not be copied to its URL.
    """
    plan, out = done.plan, place.folder
    click.echo(run_summary(done.summaries, done.kind, plan.interruptions, plan.end))
    failed = [item for item in done.summaries if item.outcome == "error"]
    program = _program()
    click.echo(f"\nRecords: {out}")
    if report:
        _write_report(out)
    is_copied = _copy_rest(place)
    click.echo("Next:")
    devices = "".join(f" --device {shlex.quote(name)}" for name in names if not is_virtual(name))
    own = "" if root is None else f" --suite {root}"
    click.echo(f"  {program} compare {out}   show all tables")
    click.echo(f"  {program} view {out}{own}   view the episodes in the browser")
    if any(item.outcome == "failure" and not item.unknown for item in done.summaries):
        command = f"{program} diagnose {out}{own}{devices}"
        click.echo(f"  {command}   attribute the failures to the agent or the environment")
    click.echo(f"  {program} tasks show {plan.tasks[0]}{own}   show a task and its solution")
    click.echo(f"  {program} phone start && {program} phone ui   use a virtual phone by hand")
    if failed:
        click.echo(f"\nRetry the episodes that ended in error: {_resume_command(place)}")
        never_reached = never_reached_agents(done.summaries)
        for agent, fault in never_reached.items():
            message = fault.partition(": ")[2].removeprefix(f"{agent}: ")
            click.echo(f"Error: {agent} could not perform any episode: {message}", err=True)
        raise click.exceptions.Exit(ModelError.exit_status if never_reached else 1)
    if not is_copied:
        raise click.exceptions.Exit(HarnessError.exit_status)


@contextlib.contextmanager
def _sinks(
    events: str | None, webhook: str | None, on_failure: Callable[[str], None]
) -> Iterator[tuple[EventSink, ...]]:
    """Open where the campaign's events are sent to.

    Raises:
        InputError: The address is not one of HTTP.
        RecordError: The file cannot be written.
    """
    if webhook is not None and not webhook.startswith(("http://", "https://")):
        raise InputError(f"--webhook needs an address that begins with http:// or https://, not {webhook!r}")
    with contextlib.ExitStack() as stack:
        sinks: list[EventSink] = []
        if events == "-":

            def discard(message: str) -> None:
                discard_output()
                on_failure(message)

            sinks.append(to_stream(sys.stdout.buffer, discard))
        elif events is not None:
            sinks.append(stack.enter_context(to_file(Path(events), on_failure)))
        if webhook is not None:
            sinks.append(stack.enter_context(to_webhook(webhook, on_failure)))
        yield tuple(sinks)


@contextlib.contextmanager
def _metrics(port: int | None, progress: RunProgress) -> Iterator[None]:
    """Serve the progress of a run on a port, if there is one."""
    if port is None:
        yield
        return
    with metrics_endpoint(port, lambda: progress.state) as used:
        progress.message(f"Metrics: http://127.0.0.1:{used}/metrics")
        yield


def _print_resume_command(place: _Place, raised: Mapping[str, object] = MappingProxyType({})) -> None:
    """Print the command that resumes an unfinished run; nothing if the run has not started.

    Args:
        place: Where the run is recorded.
        raised: Budgets that must be raised, by option name.
    """
    if (place.folder / RUN_FILE).is_file():
        click.echo(f"Finished episodes are in {place.folder}.", err=True)
        _copy_rest(place)
        for name in raised:
            click.echo(f"The budget below is {_RAISED[name]}; change it if needed.", err=True)
        click.echo(f"Resume: {_resume_command(place, raised)}", err=True)


def _write_report(out: Path) -> None:
    """Write the report of a run and print its path; a report that fails does not make the run fail."""
    # Imported here, since commands that write no report need not load the charts.
    from garabench.report.html_report import write_report

    try:
        click.echo(f"Report:  {write_report(out, out / REPORT)}")
    except GaraError as error:
        click.echo(f"The report could not be written: {error}", err=True)
    except Exception as error:  # noqa: BLE001  # the run itself has succeeded
        place = write_traceback(error)
        click.echo(f"The report could not be written: bug in GaraBench; see {place or error}", err=True)


def _program() -> str:
    """Return the command that calls this program: its name if that is on the path, else its path."""
    program = Path(sys.executable).with_name("garabench")
    on_path = shutil.which("garabench")
    if not program.exists() or (on_path is not None and Path(on_path).samefile(program)):
        return "garabench"
    return str(program.relative_to(Path.cwd())) if program.is_relative_to(Path.cwd()) else str(program)


def _resume_command(place: _Place, replaced: Mapping[str, object] = MappingProxyType({})) -> str:
    """Return the command that resumes this run: the given options except the log's, and ``--resume``.

    Args:
        place: Where the run is recorded.
        replaced: Replacement values by option name.
    """
    context = click.get_current_context()
    words = [_program(), "run"]
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if name in ("out", "resume") or not given or not parameter.expose_value:
            continue
        value = replaced.get(name, context.params.get(name))
        if isinstance(value, bool):
            words.append((parameter.opts if value else parameter.secondary_opts)[0])
            continue
        for each in value if isinstance(value, tuple) else (value,):
            words += [parameter.opts[0], BUILTIN if name == "root" and each is None else str(each)]
    return shlex.join([*words, "--out", place.shown, "--resume"])

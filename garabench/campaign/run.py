"""A complete run in one call: open the devices, start or resume the record, perform the episodes."""

from __future__ import annotations

import contextlib
import importlib.metadata
from collections.abc import Callable, Sequence
from pathlib import Path

from garabench.agents.models.budget import recorded_usage
from garabench.agents.models.catalog import profiles_of
from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.registry import resolve_all
from garabench.agents.spec import AgentSpec
from garabench.campaign import executor
from garabench.campaign.consent import Consent, require_consent
from garabench.campaign.device_kind import installs_app_files
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.engines.local_engine import LocalEngine
from garabench.campaign.engines.ray_cluster import AUTO, connector
from garabench.campaign.engines.ray_engine import RayEngine
from garabench.campaign.engines.run_engine import DeviceRequest, Engine, OpenedDevices, WorkerSetup
from garabench.campaign.episode_queue import WHOLE, Shard
from garabench.campaign.planner import check_solutions, recorded_agents
from garabench.campaign.preflight import ExaminedDevice, combine, planned_tasks
from garabench.campaign.resume import check_environment, check_plan, open_to_resume, resumed_shard
from garabench.core.campaign_events import CampaignEvent
from garabench.core.clock import Clock, SystemClock
from garabench.core.progress import Progress
from garabench.core.suggestions import did_you_mean
from garabench.errors import DeviceError, DeviceUnreachableError, InputError
from garabench.records.device_environment import Environment
from garabench.records.plan import Plan
from garabench.records.reader import Run
from garabench.records.remote_runs import require_local
from garabench.records.results import Summary
from garabench.records.run_file import RunFile, read_run_file
from garabench.records.run_log import run_log
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from garabench.virtual.app_arguments import app_files_hash

ENGINES = ("local", "ray")
"""The engines that a run can use."""


def run(
    plan: Plan,
    out: Path | str,
    *,
    agents: Sequence[AgentSpec] | None = None,
    devices: Sequence[str] = (),
    jobs: int | None = None,
    resume: bool = False,
    suite: Suite | None = None,
    clock: Clock | None = None,
    models: ModelOptions | None = None,
    wipe: Consent = False,
    device_recovery: DeviceRecoveryPolicy | None = None,
    shard: Shard | None = None,
    engine: str = "local",
    ray_address: str = AUTO,
    apps: Sequence[Path | str] = (),
    on_progress: Callable[[Progress[Summary]], None] = lambda progress: None,
    on_event: Callable[[CampaignEvent], None] = lambda event: None,
    on_message: Callable[[str], None] = lambda text: None,
) -> Run:
    """Perform a plan and record it.

    Args:
        plan: The plan; see `garabench.make_plan`.
        out: The run's folder.
        agents: The plan's resolved agents; by default they are resolved from the plan.
        devices: Each ``virtual``, ``virtual:PROFILE``, ``emulators:COUNT`` or a serial; default: ``virtual``,
            or with the engine ``ray`` all devices of the cluster.
        jobs: Number of virtual phones; default: one per core, at most 4, or with the engine ``ray`` all of
            the cluster.
        resume: Resume the run in `out`.
        suite: The suite of the plan; default: the bundled one.
        clock: The clock for all times and limits.
        models: Options of model agents: prices, budget, cache, replay.
        wipe: True to allow wiping the data of the tested apps on real devices, which each episode does; or a
            function that receives their serials and raises to refuse. It is called after the devices were
            checked. Virtual phones and emulators:COUNT need no consent.
        device_recovery: The limits of the recovery of failing devices.
        apps: Your own app files, and their folders, which virtual phones install in addition to those
            of the suite.
        shard: The part of the plan that this worker performs; `garabench.merge_runs` merges the parts.
            Default: the whole plan, or the part with which the run in `out` began.
        engine: ``local`` for devices of this computer, or ``ray`` for those of a Ray cluster, which needs
            the extra ``garabench[ray]``.
        ray_address: Address of the cluster, ``HOST:PORT``; default: the one that runs on this computer.
        on_progress: Called with the result of each ended episode.
        on_event: Called with each event of the run's devices and attempts, in the threads of the devices.
        on_message: Called with a message about each rule that a device cannot perform, and about each change
            of an earlier run: undone, or why it was not.

    Raises:
        InputError: The folder already contains a run, or no matching run to resume; an agent of the plan
            is unknown or unusable; or `wipe` is False and a device is real.
        NotReadyError: A device cannot perform the plan, for example because an app is missing.
        DeviceError: No device can be reached.
        ModelError: A model's endpoint refuses the key, does not know the model, or is down.
        BudgetExceededError: The budget is used up.
        RecordError: The record cannot be written.
    """
    out = require_local(out)
    suite = suite or Suite.load()
    app_files = (*suite.app_files, *map(Path, apps))
    clock = clock or SystemClock()
    models = models or ModelOptions()
    device_engine = make_engine(engine, ray_address)
    if resume:
        writer = open_to_resume(out)  # checked before any device is opened
        check_plan(writer, plan, suite)
        shard = resumed_shard(writer, shard)
    else:
        RunWriter.check_free(out, resume="--resume")
    agents = resolve_all(plan.agents) if agents is None else tuple(agents)
    check_solutions(plan, suite, agents)
    session = _model_session(agents, out, models, clock)
    with contextlib.ExitStack() as stack:
        if resume:
            stack.enter_context(writer.lock())
        request = DeviceRequest(tuple(devices), jobs, plan, suite, app_files, clock, on_message)
        opened = stack.enter_context(device_engine.open(request))
        environment, warnings = _check(opened)
        if installs_app_files(environment):
            environment = environment.model_copy(update={"app_files": app_files_hash(app_files)})
        for warning in warnings:
            on_message(warning)
        if resume:
            check_environment(writer, environment)
        require_consent(wipe, opened.real_devices, sorted({item.app for item in planned_tasks(plan, suite)}))
        opened.undo_leftovers()  # before anything is recorded
        if not resume:
            file = RunFile(
                garabench=importlib.metadata.version("garabench"),
                plan=plan,
                agents=recorded_agents(plan, agents),
                suite_hash=suite.digest,
                device=environment,
            )
            writer = RunWriter.create(out, file)
            stack.enter_context(writer.lock())
        stack.enter_context(run_log(out))
        setup = WorkerSetup(
            out,
            {agent.name: agent for agent in agents},
            session,
            models,
            device_recovery or DeviceRecoveryPolicy(),
        )
        executor.perform_with(
            writer,
            suite,
            agents,
            opened.make_workers(setup),
            clock,
            session,
            device_recovery=device_recovery,
            shard=shard or WHOLE,
            on_progress=on_progress,
            on_event=on_event,
        )
    return Run(out, writer.file)


def _model_session(
    agents: Sequence[AgentSpec], out: Path, models: ModelOptions, clock: Clock
) -> ModelSession:
    """Create the state shared by the run's models, before any device is opened.

    Raises:
        InputError: An agent's key is missing, a price that a budget needs is unknown, or there is no run to
            replay.
    """
    if models.replay is not None:
        read_run_file(Path(models.replay))
    spent_before = recorded_usage(out) if models.budget.counts_models and out.is_dir() else ()
    session = ModelSession(models, clock, before=spent_before)
    for profile in profiles_of(agents):
        session.check(profile)
    return session


def make_engine(name: str, ray_address: str = AUTO) -> Engine:
    """Return the engine of this name; nothing is opened.

    Raises:
        InputError: There is no such engine, or its package is not installed.
    """
    if name == "local":
        return LocalEngine()
    if name == "ray":
        return RayEngine(connector(ray_address))
    raise InputError(f"unknown engine {name!r}", hint=did_you_mean(name, ENGINES))


def _check(opened: OpenedDevices) -> tuple[Environment, tuple[str, ...]]:
    """Check that the devices can perform a plan; unreachable ones but the first are reported by the run.

    Returns:
        The recorded properties of the first device, and warnings about rules that are left out.

    Raises:
        NotReadyError: A device cannot perform the plan.
        DeviceError: The first device cannot be reached.
    """
    results = opened.examine()
    if results and isinstance(results[0], DeviceError):
        raise results[0]
    examined = [each for each in results if isinstance(each, ExaminedDevice)]
    if not examined:
        raise DeviceUnreachableError("the run has no device")
    findings = combine([each.findings for each in examined])
    return examined[0].environment.model_copy(update={"left_out": findings.left_out}), findings.warnings

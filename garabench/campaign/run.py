"""A complete run in one call: open the devices, start or resume the record, perform the episodes."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.metadata
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from garabench.agents.models.budget import recorded_usage
from garabench.agents.models.catalog import profiles_of
from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.registry import resolve_all
from garabench.agents.spec import AgentSpec
from garabench.campaign import executor
from garabench.campaign.blocks import WHOLE, Shard
from garabench.campaign.consent import Consent, require_consent
from garabench.campaign.devices import (
    VIRTUAL,
    Lease,
    SerialLease,
    VirtualLease,
    inspect,
    kind_of,
    open_devices,
)
from garabench.campaign.planner import check_solutions, recorded_agents
from garabench.campaign.preflight import Findings, check_device, combine, planned_tasks
from garabench.campaign.recovery_ladder import RecoveryPolicy
from garabench.campaign.resume import check_environment, check_plan
from garabench.core.campaign_events import CampaignEvent
from garabench.core.clock import Clock, SystemClock
from garabench.core.companion_app import PACKAGE
from garabench.core.progress import Progress
from garabench.device.device import Device
from garabench.episode.reset import missing_companion
from garabench.errors import CommandError, DeviceError, DeviceUnreachableError
from garabench.interruptions import companion_apk
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.plan import CLEAN, Plan
from garabench.records.reader import Run
from garabench.records.results import Summary
from garabench.records.run_file import RunFile, read_run_file
from garabench.records.run_log import run_log
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from garabench.virtual.app_arguments import app_files_hash

MAX_PHONES = 4
"""Default maximum of parallel virtual phones; each uses a quarter of a gigabyte of memory."""


def run(
    plan: Plan,
    out: Path | str,
    *,
    agents: Sequence[AgentSpec] | None = None,
    devices: Sequence[str] = (VIRTUAL,),
    jobs: int | None = None,
    resume: bool = False,
    suite: Suite | None = None,
    clock: Clock | None = None,
    models: ModelOptions | None = None,
    wipe: Consent = False,
    recovery: RecoveryPolicy | None = None,
    shard: Shard = WHOLE,
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
        devices: Each ``virtual``, ``virtual:PROFILE``, ``emulators:COUNT`` or a serial.
        jobs: Number of virtual phones; default: one per core, at most 4.
        resume: Resume the run in `out`.
        suite: The suite of the plan; default: the bundled one.
        clock: The clock for all times and limits.
        models: Options of model agents: prices, budget, cache, replay.
        wipe: True to allow wiping the data of the tested apps on real devices, which each episode does; or a
            function that receives their serials and raises to refuse. It is called after the devices were
            checked. Virtual phones and emulators:COUNT need no consent.
        recovery: The limits of the recovery of failing devices.
        apps: App files of your own, and their folders, which virtual phones install in addition to those
            of the suite.
        shard: The part of the plan that this worker performs; `garabench.merge_runs` merges the parts.
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
    out = Path(out)
    suite = suite or Suite.load()
    app_files = (*suite.app_files, *map(Path, apps))
    clock = clock or SystemClock()
    phones = jobs or min(os.cpu_count() or 1, MAX_PHONES)
    if resume:
        writer = RunWriter.open(out)  # checked before any device is opened
        check_plan(writer, plan, suite)
    else:
        RunWriter.check_free(out)
    agents = resolve_all(plan.agents) if agents is None else tuple(agents)
    check_solutions(plan, suite, agents)
    session = _model_session(agents, out, models or ModelOptions(), clock)
    with contextlib.ExitStack() as stack:
        if resume:
            stack.enter_context(writer.lock())
        leases = stack.enter_context(
            open_devices(
                devices,
                clock,
                phones=phones,
                seed=plan.seed,
                apps=app_files,
                on_message=on_message,
            )
        )
        # Virtual phones of one profile are equal.
        different = leases[::phones] if isinstance(leases[0], VirtualLease) else leases
        environment, warnings = _check(different, plan, suite, clock)
        if environment.kind is DeviceKind.VIRTUAL:
            environment = environment.model_copy(update={"app_files": app_files_hash(app_files)})
        for warning in warnings:
            on_message(warning)
        if resume:
            check_environment(writer, environment)
        require_consent(wipe, devices, sorted({item.app for item in planned_tasks(plan, suite)}))
        if isinstance(leases[0], SerialLease):
            leases[0].connect().close()  # undo what an earlier run has left, before anything is recorded
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
        executor.perform(
            writer,
            suite,
            agents,
            leases,
            clock,
            session=session,
            recovery=recovery,
            shard=shard,
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
        read_run_file(models.replay)
    spent_before = recorded_usage(out) if models.budget.counts_models and out.is_dir() else ()
    session = ModelSession(models, clock, before=spent_before)
    for profile in profiles_of(agents):
        session.check(profile)
    return session


def _check(
    leases: Sequence[Lease], plan: Plan, suite: Suite, clock: Clock
) -> tuple[Environment, tuple[str, ...]]:
    """Check that the devices can perform a plan; unreachable ones but the first are reported by the run.

    Returns:
        The recorded properties of the first device, and warnings about rules that are left out.

    Raises:
        NotReadyError: A device cannot perform the plan.
        DeviceError: The first device cannot be reached.
    """
    first: Environment | None = None
    findings: list[Findings] = []
    for lease in leases:
        try:
            device = inspect(lease, clock)
        except DeviceError:
            if first is None:
                raise
            continue
        try:
            found, problem = recorded_environment(device, plan)
            if first is None:
                apps = sorted({item.app for item in planned_tasks(plan, suite)})
                found = found.model_copy(update={"apps": {app: device.apps.version(app) for app in apps}})
            findings.append(check_device(device, plan, suite))
        finally:
            device.close()
        if problem:
            findings.append(Findings(refusals=(problem,)))
        first = first or found
    if first is None:
        raise DeviceUnreachableError("the run has no device")
    all_findings = combine(findings)
    return first.model_copy(update={"left_out": all_findings.left_out}), all_findings.warnings


def recorded_environment(device: Device, plan: Plan) -> tuple[Environment, str]:
    """Return the recorded properties of a device, and what is wrong with its companion app, or empty.

    The companion app is needed only for interruptions; it must be the bundled build. Virtual phones have no
    APK of it.

    Raises:
        DeviceError: The device is gone.
    """
    kind, problem, apk = kind_of(device.info), "", ""
    if all(name == CLEAN for name in plan.conditions):
        apk = companion_apk.sha256_on(device)
    elif not device.apps.installed(PACKAGE):
        problem = missing_companion(device.info.serial)
    else:
        try:
            apk = companion_apk.require_bundled(device, virtual=kind is DeviceKind.VIRTUAL)
        except CommandError as error:
            problem = str(error)
    info = dataclasses.asdict(device.info) | {"size": str(device.info.size)}
    return Environment.model_validate(info | {"kind": kind, "companion": apk}), problem

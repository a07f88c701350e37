"""A whole run in one call: open the devices, make or resume the record, perform, sum up."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.metadata
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.agents.chat.budget import spent_in
from garabench.agents.chat.desk import Desk, ModelOptions
from garabench.agents.chat.entries import profiles_of
from garabench.agents.registry import check_agents
from garabench.campaign import local
from garabench.campaign.devices import VIRTUAL, Lease, VirtualLease, kind_of, open_devices
from garabench.campaign.plan import Plan
from garabench.campaign.store import RunFile, RunStore, read_results
from garabench.campaign.suite import Suite
from garabench.core.clock import Clock, SystemClock
from garabench.device.device import Device
from garabench.episode.reset import missing_companion
from garabench.episode.spec import CLEAN
from garabench.errors import CommandFailed, DeviceError
from garabench.interruptions import companion
from garabench.interruptions.plan import PACKAGE
from garabench.stats.measures import Summary

MOST_PHONES = 4
"""Virtual phones at once, unless more are asked for: each takes a quarter of a gigabyte."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run and its results so far.

    Attributes:
        folder: Where its record is.
        file: What was planned, with which suite, on which device.
        summaries: One for each ended episode, in the plan's order.
    """

    folder: Path
    file: RunFile
    summaries: tuple[Summary, ...]

    @property
    def kind(self) -> str:
        """``virtual`` or ``real``: results of the two are never mixed."""
        return str(self.file.device.get("kind", "real"))


def run(
    plan: Plan,
    out: Path,
    *,
    devices: Sequence[str] = (VIRTUAL,),
    jobs: int | None = None,
    resume: bool = False,
    suite: Suite | None = None,
    clock: Clock | None = None,
    models: ModelOptions | None = None,
    tell: Callable[[local.Progress], None] = lambda progress: None,
    say: Callable[[str], None] = lambda words: None,
) -> Run:
    """Perform a plan and record it.

    Args:
        plan: What to do; `garabench.make_plan` makes one.
        out: The run's folder.
        devices: Each ``virtual``, ``virtual:PROFILE`` or a serial.
        jobs: Virtual phones at once; default: one for each core, at most 4.
        resume: Go on with the run in `out`.
        suite: The suite that the plan was made with; default: the one that comes with GaraBench.
        clock: For every time and limit.
        models: How the agents that are models are asked: prices, budget, cache, replay.
        tell: Called after each episode.
        say: Called with what an earlier run has left changed on a device, and what could not be put back.

    Raises:
        InputError: The folder holds a run already, another one, or none to resume; or an agent of the plan
            cannot be found or used.
        DeviceError: No device can be reached.
        ModelError: A model's endpoint is of no use: it refuses the key, does not know the model, is down.
        RunStopped: The budget is used up.
        RecordError: The record cannot be written.
    """
    suite = suite or Suite.load()
    clock = clock or SystemClock()
    phones = jobs or min(os.cpu_count() or 1, MOST_PHONES)
    if resume:
        store = RunStore.open(out)  # looked at before any device is opened
        store.check_resumable(plan, suite)
    else:
        RunStore.check_free(out)
    desk = _desk(plan, out, models or ModelOptions(), clock)
    with contextlib.ExitStack() as stack:
        if resume:
            stack.enter_context(store.held())
        leases = stack.enter_context(open_devices(devices, clock, phones=phones, seed=plan.seed, tell=say))
        interrupted = any(name != CLEAN for name in plan.conditions)
        device = _device(leases[0], interrupted=interrupted)
        if interrupted:
            _check_others(leases[1:])
        if resume:
            store.check_kind(str(device["kind"]))
            store.check_device(device)
        else:
            version = importlib.metadata.version("garabench")
            made = RunFile(garabench=version, plan=plan, suite_hash=suite.digest, device=device)
            store = RunStore.create(out, made)
            stack.enter_context(store.held())
        summaries = local.perform(store, suite, leases, clock, desk=desk, tell=tell)
    return Run(out, store.run, summaries)


def _desk(plan: Plan, out: Path, models: ModelOptions, clock: Clock) -> Desk:
    """What the run's models share; looked at before any device is opened.

    Raises:
        InputError: An agent cannot be found or used, its key is missing, a price that a budget needs is not
            known, or there is no run to replay.
    """
    specs = check_agents(plan.agents)
    if models.replay is not None:
        RunStore.open(models.replay)
    counted = spent_in(out) if models.budget.counts_models and out.is_dir() else ()
    desk = Desk(models, clock, before=counted)
    for profile in profiles_of(specs):
        desk.check(profile)
    return desk


def load_run(folder: Path | str) -> Run:
    """Read a run's plan and results.

    Raises:
        InputError: There is none, or it is broken or of a newer version.
    """
    store = RunStore.open(Path(folder))
    return Run(store.folder, store.run, read_results(store.folder))


def _check_others(leases: Sequence[Lease]) -> None:
    """See that each further real device can show interruptions; one that is not there is left to the run.

    Raises:
        DeviceError: One has no companion app, or another build of it.
    """
    for lease in leases:
        if isinstance(lease, VirtualLease):  # as the first
            continue
        try:
            device = lease.connect()
        except DeviceError:
            continue
        try:
            _companion(device, kind_of(device.info))
        finally:
            device.close()


def _companion(device: Device, kind: str) -> str:
    """The SHA-256 of the companion app's APK; empty for a virtual phone's own.

    Raises:
        DeviceError: It is missing, or another build than the one that comes with GaraBench.
    """
    if not device.apps.installed(PACKAGE):
        raise CommandFailed(missing_companion(device.info.serial))
    return companion.check(device, virtual=kind == VIRTUAL)


def _device(lease: Lease, *, interrupted: bool) -> dict[str, Any]:
    """What a device is, as a run's file tells it.

    Raises:
        DeviceError: It cannot be reached, or not show interruptions: its companion app is missing, or another
            build than the one that comes with GaraBench.
    """
    device = lease.connect()
    kind = kind_of(device.info)
    apk = _companion(device, kind) if interrupted else companion.sha256_on(device)
    info = dataclasses.asdict(device.info) | {"size": str(device.info.size), "kind": kind, "companion": apk}
    device.close()
    return info

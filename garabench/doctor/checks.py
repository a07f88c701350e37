"""Check everything that a run needs: each check is a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from garabench.agents.models.session import ModelSession
from garabench.agents.spec import AgentSpec
from garabench.campaign.device_kind import follows_real_time, stand_in_versions
from garabench.campaign.preflight import check_device, planned_tasks, recorded_environment
from garabench.core.clock import Clock
from garabench.core.steps import TapStep, TypeStep
from garabench.device.adb_command import adb_command
from garabench.device.device import Device
from garabench.device.discovery import list_devices
from garabench.doctor.device_checks import check_device_reading
from garabench.doctor.device_reading import read_device
from garabench.doctor.finding import DoctorFinding, Status, passed
from garabench.doctor.host_checks import check_host
from garabench.doctor.host_reading import read_host
from garabench.doctor.model_checks import check_models
from garabench.errors import DeviceError
from garabench.records.plan import Plan
from garabench.suite.suite import Suite

_STATES = {
    "unauthorized": "unlock the device and confirm 'Allow USB debugging'; else {adb} -s {serial} reconnect",
    "offline": "{adb} reconnect offline",
}


def run_checks(
    plan: Plan,
    suite: Suite,
    clock: Clock,
    *,
    serials: Sequence[str] | None = None,
    agents: Sequence[AgentSpec] = (),
    out: Path = Path("runs"),
    open_apps: bool = True,
) -> Iterator[DoctorFinding]:
    """Yield a finding per check, as soon as it is known.

    Args:
        plan: What is to be run.
        suite: The suite with its tasks.
        clock: The clock for all time limits.
        serials: The devices; default: all that adb lists.
        agents: The agents whose endpoints are checked.
        out: The folder of the runs.
        open_apps: Whether to open each app of the plan and look for the ids of its tasks.
    """
    yield from check_host(read_host(clock, out))
    try:
        listed = {each.serial: each.state for each in list_devices()}
    except DeviceError as error:
        restart = f"{adb_command()} kill-server && {adb_command()} start-server"
        yield DoctorFinding("devices", "host", Status.FAIL, str(error), restart)
        listed = {}
    chosen = tuple(listed) if serials is None else tuple(serials)
    if not chosen:
        yield DoctorFinding(
            "devices",
            "host",
            Status.WARN,
            "adb lists no device",
            "garabench run --device virtual   # needs none",
        )
    for serial in chosen:
        yield from _device(serial, listed.get(serial), plan, suite, clock, open_apps=open_apps)
    yield from check_models(agents, ModelSession(clock=clock))


def examine_device(
    device: Device, plan: Plan, suite: Suite, clock: Clock, *, open_apps: bool
) -> Iterator[DoctorFinding]:
    """Yield a finding per check of a connected device.

    Raises:
        DeviceError: The device is gone.
    """
    serial, made_for = device.info.serial, stand_in_versions()
    ids = first_ids(plan, suite)
    reading = read_device(device, clock, ids, open_apps=open_apps)
    apps = {app: replace(each, made_for=made_for.get(app, "")) for app, each in reading.apps.items()}
    reading = replace(reading, apps=apps)
    languages = {name for item in planned_tasks(plan, suite) for name in item.task.instruction}
    yield from check_device_reading(reading, languages, real_time=follows_real_time(device.info))
    preflight = check_device(device, plan, suite)
    missing = tuple(
        f"{app} is {'disabled' if each.installed else 'not installed'}"
        for app, each in apps.items()
        if each.disabled or not each.installed
    )
    for line in preflight.refusals:
        text = line.removeprefix(f"{serial}: ")
        if text.startswith(missing):  # a finding above says so
            continue
        what, _, hint = text.rpartition(": ")
        yield DoctorFinding("tasks", serial, Status.FAIL, what, hint)
    for line in preflight.warnings:
        text = line.removeprefix(f"{serial}: ")
        yield DoctorFinding(
            "rules", serial, Status.WARN, text, "garabench run --conditions clean, or another device"
        )
    _, companion = recorded_environment(device, plan)
    if companion:
        yield DoctorFinding("companion", serial, Status.FAIL, companion, f"garabench device setup {serial}")
    else:
        yield passed("companion", serial, "the companion app is the bundled build, or not needed")


def first_ids(plan: Plan, suite: Suite) -> dict[str, tuple[str, ...]]:
    """Return the ids with which the reference solutions of each app begin, by package."""
    found: dict[str, dict[str, None]] = {}
    for item in planned_tasks(plan, suite):
        ids = found.setdefault(item.app, {})
        step = next(iter(item.task.solution), None)
        selector = step.tap if isinstance(step, TapStep) else None
        if isinstance(step, TypeStep):
            selector = step.type.into
        if selector is not None and selector.id:
            ids[selector.id.rpartition("/")[2]] = None
    return {app: tuple(ids) for app, ids in found.items()}


def _device(
    serial: str, state: str | None, plan: Plan, suite: Suite, clock: Clock, *, open_apps: bool
) -> Iterator[DoctorFinding]:
    if state != "device":
        hint = _STATES.get(state or "", "garabench device list").format(adb=adb_command(), serial=serial)
        what = f"adb reports it as {state}" if state else "adb does not list it"
        yield DoctorFinding("connection", serial, Status.FAIL, what, hint)
        return
    try:
        with Device.connect(serial, clock) as device:
            info = device.info
            yield passed("connection", serial, f"{info.model}, Android {info.release}, {info.size}")
            yield from examine_device(device, plan, suite, clock, open_apps=open_apps)
    except DeviceError as error:
        hint = f"{adb_command()} -s {serial} reconnect"
        yield DoctorFinding("connection", serial, Status.FAIL, str(error), hint)

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
from garabench.core.selector import Selector
from garabench.core.steps import (
    DoubleTapStep,
    LongPressStep,
    ScrollStep,
    SolutionStep,
    TapStep,
    TypeStep,
    WaitForStep,
)
from garabench.device.adb_command import adb_command
from garabench.device.device import Device
from garabench.device.discovery import list_devices
from garabench.device.health import MIN_FREE_BYTES, TRIM_CACHES, HealthReading
from garabench.doctor.device_checks import check_device_reading
from garabench.doctor.device_reading import read_device
from garabench.doctor.finding import DoctorFinding, Status, passed
from garabench.doctor.host_checks import check_host
from garabench.doctor.host_reading import read_host
from garabench.doctor.model_checks import check_models
from garabench.errors import DeviceError
from garabench.records.plan import Plan
from garabench.suite.short_selector import short_selector
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
        open_apps: Whether to open each app of the plan and look for the elements with which its tasks begin.
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
    reading = read_device(device, clock, first_elements(plan, suite), open_apps=open_apps)
    apps = {app: replace(each, made_for=made_for.get(app, "")) for app, each in reading.apps.items()}
    reading = replace(reading, apps=apps)
    languages = {name for item in planned_tasks(plan, suite) for name in item.task.instruction}
    yield from check_device_reading(
        reading,
        languages,
        real_time=follows_real_time(device.info),
        without=_selectors_without(plan, suite) if any(not each.installed for each in apps.values()) else {},
    )
    preflight = check_device(device, plan, suite)
    missing = tuple(
        f"{app} is {'disabled' if each.installed else 'not installed'}"
        for app, each in apps.items()
        if each.disabled or not each.installed
    )
    for line in preflight.refusals:
        text = line.removeprefix(f"{serial}: ")
        if text.startswith(missing) or _is_reported(line, reading.health):  # a finding above says so
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


def first_elements(plan: Plan, suite: Suite) -> dict[str, tuple[Selector, ...]]:
    """Return the elements with which the reference solutions of each app begin, by package.

    A task that begins with a swipe, a key or a scroll of the whole screen adds none.
    """
    found: dict[str, dict[str, Selector]] = {}
    for item in planned_tasks(plan, suite):
        elements = found.setdefault(item.app, {})
        step = next(iter(item.task.solution), None)
        selector = None if step is None else _element_of(step)
        if selector is not None:
            elements.setdefault(selector.describe(), selector)
    return {app: tuple(elements.values()) for app, elements in found.items()}


def _element_of(step: SolutionStep) -> Selector | None:
    """Return the element that must be on the screen for a step; None if none must."""
    match step:
        case TapStep(tap=selector) | DoubleTapStep(double_tap=selector) | LongPressStep(long_press=selector):
            return selector
        case WaitForStep(wait_for=selector):
            return selector
        case TypeStep():
            return step.type.into
        case ScrollStep():
            return step.scroll.inside  # what it scrolls to is not yet on the screen
        case _:
            return None


def _selectors_without(plan: Plan, suite: Suite) -> dict[str, str]:
    """Return the selector of the planned tasks without those of each app, by package."""
    planned = planned_tasks(plan, suite)
    others = {app: [item for item in planned if item.app != app] for app in {item.app for item in planned}}
    return {app: short_selector(suite, planned, items) for app, items in others.items() if items}


def _is_reported(refusal: str, health: HealthReading) -> bool:
    """Return whether the device's health shows what a refusal is about: a full storage or a locked screen."""
    full = health.free_bytes is not None and health.free_bytes < MIN_FREE_BYTES
    return (full and TRIM_CACHES in refusal) or (bool(health.lock) and health.lock in refusal)


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

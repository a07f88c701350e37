"""Checks before a run: whether a device can perform the plan, and which rules it cannot.

The decision is pure; `check_device` reads the device by a few queries. Nothing on the device is changed,
except that it is woken and unlocked.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from garabench.campaign.device_kind import companion_has_apk, kind_of
from garabench.campaign.devices import Lease, inspect
from garabench.core.clock import Clock
from garabench.core.companion_app import PACKAGE
from garabench.core.phrases import counted
from garabench.core.rule import BoundRule
from garabench.device.adb_command import ADB, adb_command
from garabench.device.device import Device
from garabench.device.health import MIN_FREE_BYTES, TRIM_CACHES
from garabench.episode.reset import missing_companion
from garabench.errors import CommandError, NotReadyError, ScreenLockedError
from garabench.interruptions import companion_apk
from garabench.interruptions.capabilities import Capabilities, read_capabilities
from garabench.interruptions.feasibility import (
    Needs,
    anomaly_needs,
    anomaly_problem,
    follow_up_steps,
    step_needs,
    step_problem,
)
from garabench.records.device_environment import Environment
from garabench.records.plan import CLEAN, Plan
from garabench.suite.short_selector import short_selector
from garabench.suite.suite import Suite, SuiteTask

_MAX_NAMES = 5


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found out about a device.

    Attributes:
        refusals: Why the run cannot start; each with the device and what to do.
        left_out: The rules that are not injected because the device cannot perform what they inject, each
            with the reason.
        warnings: Descriptions of what is left out, one line per reason.
    """

    refusals: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExaminedDevice:
    """A device that was examined before a run.

    Attributes:
        environment: Its recorded properties.
        findings: What was found out about it.
    """

    environment: Environment
    findings: Findings


def examine(lease: Lease, plan: Plan, suite: Suite, clock: Clock) -> ExaminedDevice:
    """Examine a device before a run, its companion app included.

    Raises:
        DeviceError: It cannot be reached.
    """
    device = inspect(lease, clock)
    try:
        environment, problem = recorded_environment(device, plan)
        apps = sorted({item.app for item in planned_tasks(plan, suite)})
        environment = environment.model_copy(update={"apps": {app: device.apps.version(app) for app in apps}})
        findings = check_device(device, plan, suite)
    finally:
        device.close()
    if problem:
        findings = replace(findings, refusals=(*findings.refusals, problem))
    return ExaminedDevice(environment, findings)


def check_device(device: Device, plan: Plan, suite: Suite) -> Findings:
    """Wake a device, and check whether it can perform a plan, except for the companion app.

    Raises:
        DeviceError: The device does not wake up, or is gone.
    """
    locked = _locked(device)
    items, sdk = planned_tasks(plan, suite), device.info.sdk
    needs = reduce(Needs.__or__, [*_setup_needs(items, sdk), *_rule_needs(plan, suite, sdk)], Needs())
    found = _capabilities(device, items, needs)
    findings = decide_preflight(plan, suite, found, adb_command())
    return replace(findings, refusals=(*locked, *findings.refusals))


def require_ready(device: Device, items: Sequence[SuiteTask], *, interrupted: bool) -> None:
    """Wake a device, and check whether the paths of tasks can be performed on it, before anything is wiped.

    Args:
        device: The device.
        items: The tasks.
        interrupted: Whether interruptions are shown, so that the companion app is needed.

    Raises:
        NotReadyError: The device cannot perform them: an app is missing, the screen is locked or too low, the
            storage is full, or a step of a set-up is impossible.
        DeviceError: The device does not wake up, or is gone.
    """
    refusals = list(_locked(device))
    needs = reduce(Needs.__or__, _setup_needs(tuple(items), device.info.sdk), Needs())
    found = _capabilities(device, items, needs)
    refusals += _refusals(items, found, adb_command(), lambda possible: ", or leave these tasks out")
    if interrupted:
        refusals += filter(None, (_companion(device)[0],))
    if refusals:
        raise NotReadyError(tuple(refusals))


def require_plan(device: Device, plan: Plan, suite: Suite) -> Findings:
    """Wake a device, and check whether it can perform a plan, the companion app included.

    Returns:
        What was found out; it has no refusals.

    Raises:
        NotReadyError: The device cannot perform the plan; nothing on it was changed.
        DeviceError: The device does not wake up, or is gone.
    """
    findings = check_device(device, plan, suite)
    problem = "" if all(name == CLEAN for name in plan.conditions) else _companion(device)[0]
    if refusals := (*findings.refusals, *filter(None, (problem,))):
        raise NotReadyError(refusals)
    return findings


def _capabilities(device: Device, items: Sequence[SuiteTask], needs: Needs) -> Capabilities:
    """Read what a device can do for tasks."""
    found = read_capabilities(
        device, queries=needs.queries, app=items[0].app, wifi=needs.wifi, root=needs.root
    )
    if any(item.app not in found.packages for item in items):
        found = replace(found, disabled=device.apps.disabled())
    return found


def _locked(device: Device) -> tuple[str, ...]:
    """Wake and unlock a device; return why that is impossible, if it is."""
    try:
        device.unlock()
    except ScreenLockedError as error:
        return (str(error),)
    return ()


def planned_tasks(plan: Plan, suite: Suite) -> tuple[SuiteTask, ...]:
    """Return the tasks of a plan that the suite has, in the plan's order."""
    return tuple(suite.every_task[name] for name in plan.tasks if name in suite.every_task)


def decide_preflight(plan: Plan, suite: Suite, on: Capabilities, adb: str = ADB) -> Findings:
    """Decide whether a device can perform a plan; pure.

    Args:
        plan: The plan.
        suite: Its suite.
        on: What the device can do.
        adb: How the user's shell starts adb, for the commands in the refusals.
    """
    serial, items = on.serial, planned_tasks(plan, suite)
    refusals = _refusals(
        items,
        on,
        adb,
        lambda possible: f", or run the other tasks with --tasks={short_selector(suite, items, possible)}",
    )
    rules = _rules(plan, suite)
    left_out = {name: reason for name, bound in rules.items() if (reason := _rule_problem(bound, suite, on))}
    if left_out and len(left_out) == len(rules):
        reasons = "; ".join(dict.fromkeys(left_out.values()))
        refusals.append(
            f"{serial}: none of the planned interruptions is possible ({reasons}): run with --conditions "
            "clean"
        )
    return Findings(tuple(refusals), left_out, _warnings(serial, left_out, items, suite))


def _refusals(
    items: Sequence[SuiteTask], on: Capabilities, adb: str, name_others: Callable[[list[SuiteTask]], str]
) -> list[str]:
    """Return why tasks cannot be performed on a device; each with the device and what to do.

    Args:
        items: The tasks.
        on: What the device can do.
        adb: How the user's shell starts adb, for the commands.
        name_others: Describes how to select the tasks that can be performed, if there are any.
    """
    serial = on.serial
    refusals = []
    impossible = {
        item.task.id: reason
        for item in items
        if (reason := next(filter(None, (step_problem(step, on) for step in item.task.setup)), ""))
    }
    # The upright height decides: what a turned screen hides is checked upright before it counts.
    too_low = [item for item in items if (item.task.min_height_dp or 0) > (on.height_dp or sys.maxsize)]
    possible = [
        item
        for item in items
        if item.app in on.packages and item.task.id not in impossible and item not in too_low
    ]
    others = name_others(possible) if possible else ""
    for app in dict.fromkeys(item.app for item in items):
        if app not in on.packages:
            problem, remedy = (
                ("disabled: enable it", f"shell pm enable {app}")
                if app in on.disabled
                else ("not installed: install it", f"install {app}.apk")
            )
            refusals.append(f"{serial}: {app} is {problem} ({adb} -s {serial} {remedy}){others}")
    refusals += [
        f"{serial}: the set-up of {name} is impossible ({reason}): use another device{others}"
        for name, reason in impossible.items()
    ]
    if too_low:
        needed = max(item.task.min_height_dp or 0 for item in too_low)
        refusals.append(
            f"{serial}: its screen is {on.height_dp} dp high, too low for {counted(len(too_low), 'task')} "
            f"(up to {needed} dp): not all that a goal names would be in view, and a right result would "
            f"count as a failure: use a higher screen{others}"
        )
    if on.free_bytes is not None and on.free_bytes < MIN_FREE_BYTES:
        free, needed = on.free_bytes // 1024**2, MIN_FREE_BYTES // 1024**2
        refusals.append(
            f"{serial}: only {free} MB are free on /data, {needed} MB are needed: {adb} -s {serial} shell "
            f"{TRIM_CACHES}"
        )
    return refusals


def combine(findings: list[Findings]) -> Findings:
    """Combine the findings about several devices: a rule that one of them cannot perform is left out on all.

    Raises:
        NotReadyError: A device cannot perform the plan.
    """
    if refusals := tuple(line for each in findings for line in each.refusals):
        raise NotReadyError(refusals)
    left_out: dict[str, str] = {}
    for each in findings:
        left_out = {**each.left_out, **left_out}
    return Findings((), left_out, tuple(line for each in findings for line in each.warnings))


def _rules(plan: Plan, suite: Suite) -> dict[str, BoundRule]:
    """Return the rules that may fire in a plan, by id; none if all its episodes are clean."""
    if all(name == CLEAN for name in plan.conditions):
        return {}
    found: dict[str, BoundRule] = {}
    for item in planned_tasks(plan, suite):
        further = () if plan.interruptions is None else suite.additional_rules(item)
        found.update((bound.rule.id, bound) for bound in (*suite.rules_of(item), *further))
    return found


def _setup_needs(items: tuple[SuiteTask, ...], sdk: int) -> list[Needs]:
    return [step_needs(step, sdk) for item in items for step in item.task.setup]


def _rule_needs(plan: Plan, suite: Suite, sdk: int) -> list[Needs]:
    names = {name for bound in _rules(plan, suite).values() for name in bound.rule.inject}
    windows = [step_needs(step, sdk) for step in follow_up_steps(sorted(names), suite.interruptions)]
    return windows + [
        anomaly_needs(suite.anomalies[name], sdk) for name in sorted(names & suite.anomalies.keys())
    ]


def _rule_problem(bound: BoundRule, suite: Suite, on: Capabilities) -> str:
    """Return why a device cannot perform what a rule injects, or empty."""
    for name in bound.rule.inject:
        anomaly = suite.anomalies.get(name)
        if anomaly is not None and (reason := anomaly_problem(anomaly, on)):
            return reason
        for step in follow_up_steps([name], suite.interruptions):
            if reason := step_problem(step, on):
                return f"{name}: {reason}"
    return ""


def _warnings(
    serial: str, left_out: Mapping[str, str], items: tuple[SuiteTask, ...], suite: Suite
) -> tuple[str, ...]:
    by_reason: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        by_reason.setdefault(reason, []).append(name)
    lines = [f"{serial}: left out: {reason} (rules {_few(names)})" for reason, names in by_reason.items()]
    bare = [
        item.task.id
        for item in items
        if (rules := suite.rules_of(item)) and all(bound.rule.id in left_out for bound in rules)
    ]
    if bare:
        lines.append(f"{serial}: no rule is left for {_few(bare)}: their episodes are not interrupted")
    return tuple(lines)


def _few(names: list[str]) -> str:
    more = len(names) - _MAX_NAMES
    return ", ".join(names[:_MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def recorded_environment(device: Device, plan: Plan) -> tuple[Environment, str]:
    """Return the recorded properties of a device, and what is wrong with its companion app, or empty.

    The companion app is needed only for interruptions; it must be the bundled build. Virtual phones have no
    APK of it.

    Raises:
        DeviceError: The device is gone.
    """
    kind = kind_of(device.info)
    if all(name == CLEAN for name in plan.conditions):
        problem, apk = "", companion_apk.sha256_on(device)
    else:
        problem, apk = _companion(device)
    info = dataclasses.asdict(device.info) | {"size": str(device.info.size)}
    return Environment.model_validate(info | {"kind": kind, "companion": apk}), problem


def _companion(device: Device) -> tuple[str, str]:
    """Return what is wrong with the companion app, or empty, and the SHA-256 of its APK, if it has one."""
    if not device.apps.enabled(PACKAGE):
        return missing_companion(device.info.serial), ""
    try:
        return "", companion_apk.require_bundled(device, has_apk=companion_has_apk(device.info))
    except CommandError as error:
        return str(error), ""

"""Perform the follow-up of a button: typed steps on the device, each verified where possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core import device_switches, steps
from garabench.core.companion_app import PROGRESS
from garabench.core.device_changes import Change, Setting
from garabench.core.keys import KEYS
from garabench.core.steps import DeviceStep
from garabench.device.device import Device
from garabench.device.undo.apply import apply
from garabench.errors import CommandError
from garabench.interruptions.capabilities import WIFI_FEATURE, read_features
from garabench.interruptions.launch import launch_app, press_home, resume_app, start_activity
from garabench.interruptions.settings_pages import open_page


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    Attributes:
        description: A description of the step.
        ok: Whether it was done, and verified where possible.
        detail: Why it was not done; or what was done instead, and why.
        skipped: Whether it was skipped on purpose; then it is not ok, but later steps are performed.
    """

    description: str
    ok: bool
    detail: str = ""
    skipped: bool = False


def perform_follow_up(
    device: Device, follow_up: Sequence[DeviceStep], *, app: str, token: str = "", title: str = ""
) -> tuple[StepResult, ...]:
    """Perform steps in order and stop at the first that fails; skipped steps do not count as failed.

    Args:
        device: The device.
        follow_up: The steps.
        app: The only app that the steps act on.
        token: Token of their interruption.
        title: Title of the interruption, for a progress page.

    Raises:
        DeviceError: The device is gone.
    """
    results: list[StepResult] = []
    for step in follow_up:
        description = describe_follow_up(step)
        try:
            if problem := _disconnects(device, step):
                result = StepResult(description, False, f"skipped: {problem}", skipped=True)
            elif isinstance(step, steps.SettingsPageStep):
                opened = open_page(device, step.settings_page, app)
                result = StepResult(description, opened.ok, opened.detail)
            else:
                problem = _perform_step(device, step, app, token, title)
                result = StepResult(description, not problem, problem)
        except CommandError as error:
            result = StepResult(description, False, str(error))
        results.append(result)
        if not result.ok and not result.skipped:
            break
    return tuple(results)


def _disconnects(device: Device, step: DeviceStep) -> str:
    """Return why a step would disconnect the device from adb, or empty."""
    match step:
        case steps.WifiStep(wifi=False) | steps.AirplaneStep(airplane=True):
            off = True
        case _:
            off = False
    serial = device.info.serial
    return f"{serial} is connected over the network" if off and over_network(serial) else ""


def over_network(serial: str) -> bool:
    """Return whether adb reaches a device over the network (``192.168.1.7:5555`` or an mDNS name)."""
    host, colon, _ = serial.rpartition(":")
    is_mdns_name = serial.startswith("adb-") and "._adb" in serial
    return is_mdns_name or (bool(colon) and host not in ("127.0.0.1", "localhost", "[::1]"))


def describe_follow_up(step: DeviceStep) -> str:
    """Describe a step in a few words: ``settings_page wifi``."""
    name, value = next(iter(step.model_dump(mode="json").items()))
    if value is None:
        return str(name)
    if isinstance(value, dict):
        value = " ".join(f"{key}={part}" for key, part in value.items() if part)
    elif isinstance(value, list):
        value = " ".join(map(str, value))
    return f"{name} {value}"


def _change(device: Device, change: Change) -> bool:
    """Make a change that is undone at the end of the episode; return False if it was already so."""
    return apply(device.adb, device.journal, change, sdk=device.info.sdk, purpose="a step of the suite")


def _perform_step(device: Device, step: DeviceStep, app: str, token: str, title: str) -> str:
    """Perform a step; return why it failed or could not be verified, or empty."""
    apps, shell = device.apps, device.adb.shell
    match step:
        case steps.StorePageStep():
            return start_activity(
                device, action="android.intent.action.VIEW", data=f"market://details?id={app}"
            )
        case steps.StartStep():
            spec = step.start
            package = app if spec.package == "{app}" else spec.package
            component = f"{package}/{spec.activity}" if spec.activity else ""
            data = spec.data.replace("{app}", app)
            return start_activity(device, action=spec.action, component=component, data=data)
        case steps.ForceStopStep():
            apps.force_stop(app)
            return f"{app} is still running" if apps.running(app) else ""
        case steps.RelaunchStep(relaunch="same-task"):
            return resume_app(device, app)
        case steps.RelaunchStep():
            apps.force_stop(app)
            return launch_app(device, app)
        case steps.ClearAppStep():
            apps.clear(app)
        case steps.HomeStep():
            return press_home(device, app)
        case steps.BackStep():
            shell(["input", "keyevent", str(KEYS["back"])]).check("press back")
        case steps.KeyStep():
            if step.key not in KEYS:
                return f"unknown key {step.key!r}"
            shell(["input", "keyevent", str(KEYS[step.key])]).check(f"press {step.key}")
        case steps.WaitStep():
            device.wait(step.wait)
        case steps.ProgressStep():
            return _progress(device, step.progress, token, title)
        case steps.SettingStep():
            s = step.setting
            _change(device, Setting(s.namespace, s.key, s.value))
        case steps.PermissionStep():
            _change(device, device_switches.permission_switch(app, step.grant, granted=True))
        case steps.RevokeStep():
            _change(device, device_switches.permission_switch(app, step.revoke, granted=False))
        case steps.WifiStep():
            # Without Wi-Fi hardware Android stores the setting all the same.
            features = read_features(device)
            if features is not None and WIFI_FEATURE not in features:
                return f"{device.info.serial} has no Wi-Fi"
            _change(device, device_switches.wifi_switch(on=step.wifi))
        case steps.AirplaneStep():
            change = device_switches.airplane_switch_of(device.info.sdk, on=step.airplane)
            if change is None:
                return "Android 7 to 10 have no command to switch airplane mode"
            _change(device, change)
        case steps.NotificationStep():
            return _notification(device, step.notification)
        case steps.ShellStep():
            shell([argument.replace("{app}", app) for argument in step.shell]).check(f"run {step.shell[0]}")
        case steps.ShowStep():
            return ""  # the caller injects and tracks the next interruption
    return ""


def _notification(device: Device, spec: steps.NotificationSpec) -> str:
    """Post a notification, which is removed when the episode ends; return why that failed, or empty."""
    if device.info.sdk < device_switches.NOTIFICATION_SDK:
        return "adb's shell can post notifications only since Android 10"
    if not _change(device, device_switches.notification_switch(spec.title, spec.text)):
        return "adb's shell has already posted a notification, which cannot be distinguished from this one"
    return ""


def _progress(device: Device, seconds: float, token: str, title: str) -> str:
    """Show the companion app's progress page and wait for its end; return why that failed, or empty."""
    extras: dict[str, str | int] = {"seconds": max(1, round(seconds)), "token": token, "title": title}
    problem = start_activity(device, component=PROGRESS, extras=extras)
    if not problem:
        device.wait(seconds + 1)
    return problem

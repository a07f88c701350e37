"""Perform the second stage of a button: typed steps on the device, each verified where it can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core import steps, switches
from garabench.core.changes import Change, Setting
from garabench.core.steps import DeviceStep
from garabench.device.device import Device
from garabench.device.touch import KEYS
from garabench.device.undo.change import apply
from garabench.errors import CommandFailed
from garabench.interruptions.pages import open_page
from garabench.interruptions.plan import PROGRESS


@dataclass(frozen=True, slots=True)
class StepResult:
    """How a step ended.

    Attributes:
        what: The step, as a person would name it.
        ok: Whether it was done, and seen to be done.
        detail: Why not; or of what was done in another way, in which one and why.
    """

    what: str
    ok: bool
    detail: str = ""


def perform(
    device: Device, follow_up: Sequence[DeviceStep], *, app: str, token: str = "", title: str = ""
) -> tuple[StepResult, ...]:
    """Perform steps in order; one that fails ends them.

    Args:
        device: The device.
        follow_up: The steps.
        app: The only app they act on.
        token: Of the interruption they belong to.
        title: Its title, for a progress page.

    Raises:
        DeviceError: The device is gone.
    """
    results: list[StepResult] = []
    for step in follow_up:
        what = describe(step)
        try:
            if isinstance(step, steps.SettingsPageStep):
                opened = open_page(device, step.settings_page, app)
                result = StepResult(what, opened.ok, opened.detail)
            else:
                problem = _one(device, step, app, token, title)
                result = StepResult(what, not problem, problem)
        except CommandFailed as error:
            result = StepResult(what, False, str(error))
        results.append(result)
        if not result.ok:
            break
    return tuple(results)


def over_the_air(serial: str) -> bool:
    """Whether a device is reached by network (``192.168.1.7:5555``, an mDNS name), not by cable or here."""
    host, colon, _ = serial.rpartition(":")
    named = serial.startswith("adb-") and "._adb" in serial
    return named or (bool(colon) and host not in ("127.0.0.1", "localhost", "[::1]"))


def describe(step: DeviceStep) -> str:
    """The step in a few words: ``settings_page wifi``."""
    name, value = next(iter(step.model_dump(mode="json").items()))
    if value is None:
        return str(name)
    if isinstance(value, dict):
        value = " ".join(f"{key}={part}" for key, part in value.items() if part)
    elif isinstance(value, list):
        value = " ".join(map(str, value))
    return f"{name} {value}"


def _change(device: Device, change: Change) -> None:
    """Change what outlasts the episode, so that it is put back at its end."""
    apply(device.adb, device.journal, change, sdk=device.info.sdk, why="a step of the suite")


def _one(device: Device, step: DeviceStep, app: str, token: str, title: str) -> str:
    """Do a step; why it is not seen to be done, or empty."""
    apps, shell = device.apps, device.adb.shell
    match step:
        case steps.StorePageStep():
            apps.start(action="android.intent.action.VIEW", data=f"market://details?id={app}")
            front = device.focus().package
            return f"no market opened: {app} is still in front" if front == app else ""
        case steps.StartStep():
            spec = step.start
            package = app if spec.package == "{app}" else spec.package
            component = f"{package}/{spec.activity}" if spec.activity else ""
            apps.start(action=spec.action, component=component, data=spec.data.replace("{app}", app))
        case steps.ForceStopStep():
            apps.force_stop(app)
            return f"{app} still runs" if apps.running(app) else ""
        case steps.RelaunchStep():
            apps.force_stop(app)
            if not apps.open(app):
                return f"{app} is not installed"
            front = device.focus().package
            return "" if front == app else f"{app} did not come back: {front} is in front"
        case steps.ClearAppStep():
            apps.clear(app)
        case steps.HomeStep():
            shell(["input", "keyevent", str(KEYS["home"])])
        case steps.BackStep():
            shell(["input", "keyevent", str(KEYS["back"])])
        case steps.KeyStep():
            if step.key not in KEYS:
                return f"no key is called {step.key!r}"
            shell(["input", "keyevent", str(KEYS[step.key])])
        case steps.WaitStep():
            device.wait(step.wait)
        case steps.ProgressStep():
            seconds = round(step.progress)
            apps.start(component=PROGRESS, extras={"seconds": seconds, "token": token, "title": title})
            device.wait(step.progress + 1)
        case steps.SettingStep():
            s = step.setting
            _change(device, Setting(s.namespace, s.key, s.value))
        case steps.PermissionStep():
            _change(device, switches.permission(app, step.grant, granted=True))
        case steps.RevokeStep():
            _change(device, switches.permission(app, step.revoke, granted=False))
        case steps.WifiStep():
            if not step.wifi and over_the_air(device.info.serial):
                return ""  # it would cut off the device itself, from us
            _change(device, switches.wifi(on=step.wifi))
        case steps.ShellStep():
            shell(list(step.shell)).check(f"run {step.shell[0]}")
        case steps.ShowStep():
            return ""  # the caller injects the further interruption, and tracks it
    return ""

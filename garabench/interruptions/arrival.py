"""Bring something to the front, and see that it is what came: what Android resolves, and no other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from garabench.core.keys import KEYS
from garabench.core.observation import Focus
from garabench.device import focus, front
from garabench.device.device import Device

_LOOKS = 5
_PAUSE = 0.25
_CHOOSER = "android"
"""Whose activity Android resolves an intent to when it has to ask which app is meant."""
_STARTED = re.compile(r"^Activity: (\S+)", re.MULTILINE)
_ANSWERED = re.compile(r"^(?:Warning: Activity not started|TotalTime: [1-9])", re.MULTILINE)
"""What ``am start -W`` says of an activity that was there already, or that it has timed."""


def start(
    device: Device,
    *,
    action: str = "",
    component: str = "",
    data: str = "",
    extras: Mapping[str, str | int | bool] | None = None,
) -> str:
    """Start an activity, and see that it is in front.

    Wanted is the named activity, or the one that Android resolves the intent to. Another activity of that
    one's app counts when it came up only now: many lead on to another one at once. Before Android 7, which
    does not tell what an intent resolves to, ``am start -W`` tells what it started.

    Args:
        device: The device.
        action: Intent action.
        component: ``package/activity``.
        data: A URI.
        extras: Typed extras.

    Returns:
        What is in front instead; empty when it is there.

    Raises:
        CommandFailed: Android refused to start it.
        DeviceError: The device is gone.
    """
    apps = device.apps
    wanted = focus.component(component) if component else apps.resolve(action=action, data=data)
    before = apps.focus()
    said = apps.start(action=action, component=component, data=data, extras=extras).output
    if wanted is not None and wanted.package == _CHOOSER:
        return f"Android asks which app is to open {data or action}"
    found = _STARTED.search(said)
    started = focus.component(found[1]) if found else None
    answered = _ANSWERED.search(said) is not None

    def arrived(now: Focus) -> bool:
        if not now.activity:
            return False  # a window of the system lies over everything
        if wanted is not None and now == wanted:
            return True
        known = {each.package for each in (wanted, started) if each is not None}
        return now.package in known and (now != before or (wanted is None and answered))

    return _awaited(device, arrived, str(wanted or started or component or action))


def press_home(device: Device, app: str) -> str:
    """Press Home, and see that the home screen's app is in front; what is there instead, or empty.

    Before Android 7, which does not tell which app that is, another one's activity than `app`'s counts.

    Raises:
        DeviceError: The device is gone.
    """
    home = device.apps.resolve(action="android.intent.action.MAIN", category="android.intent.category.HOME")
    known = home is not None and home.package != _CHOOSER

    def arrived(now: Focus) -> bool:
        there = now.package == home.package if known and home is not None else now.package != app
        return bool(now.activity) and there

    device.adb.shell(["input", "keyevent", str(KEYS["home"])])
    return _awaited(device, arrived, "the home screen")


def open_app(device: Device, app: str) -> str:
    """Open an app as its icon does, and see that it is in front; what is there instead, or empty.

    Raises:
        CommandFailed: Android refused to open it.
        DeviceError: The device is gone.
    """
    if not device.apps.open(app):
        return f"{app} is not installed"
    return _awaited(device, lambda now: now.package == app, app)


def bring_back(device: Device, app: str) -> str:
    """Bring an app's task to the front as it is, by the intent of its icon; why it is not, or empty.

    Raises:
        CommandFailed: Android refused to open it.
        DeviceError: The device is gone.
    """
    before = device.apps.pids(app)
    if not before:
        return f"{app} does not run: there is no task of it as it was"
    if problem := open_app(device, app):
        return problem
    return "" if before & device.apps.pids(app) else f"{app} was started anew: its process had ended"


def _awaited(device: Device, arrived: Callable[[Focus], bool], what: str) -> str:
    """Look until it is in front; what is there instead, or empty."""
    for number in range(_LOOKS):
        if arrived(device.apps.focus()):
            return ""
        if number < _LOOKS - 1:
            device.wait(_PAUSE)
    instead = front.read(device.adb).title or str(device.apps.focus())
    return f"{what} is not up: {instead} is in front"

"""Start activities and apps, and verify that what Android resolves is in the foreground."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from garabench.core.keys import KEYS
from garabench.core.observation import Focus
from garabench.device import focus, foreground
from garabench.device.device import Device

_CHECKS = 5
_PAUSE = 0.25
_CHOOSER = "android"
"""Package of the activity to which Android resolves an intent when the user must choose an app."""
_STARTED = re.compile(r"^Activity: (\S+)", re.MULTILINE)
_DELIVERED = re.compile(r"^(?:Warning: Activity not started|TotalTime: [1-9])", re.MULTILINE)
"""Output of ``am start -W`` if the activity already existed, or if its start was timed."""


def start_activity(
    device: Device,
    *,
    action: str = "",
    component: str = "",
    data: str = "",
    extras: Mapping[str, str | int | bool] | None = None,
) -> str:
    """Start an activity, and verify that it is in the foreground.

    The expected activity is the named one, or the one to which Android resolves the intent. Another activity
    of the same app counts if it has just appeared, since many activities redirect at once. Android before 7
    does not report how an intent resolves; there the output of ``am start -W`` names the started activity.

    Args:
        device: The device.
        action: Intent action.
        component: ``package/activity``.
        data: A URI.
        extras: Typed extras.

    Returns:
        What is in the foreground instead; empty if the activity is there.

    Raises:
        CommandError: Android refused to start it.
        DeviceError: The device is gone.
    """
    apps = device.apps
    wanted = focus.parse_window_component(component) if component else apps.resolve(action=action, data=data)
    before = apps.focus()
    output = apps.start(action=action, component=component, data=data, extras=extras).output
    if wanted is not None and wanted.package == _CHOOSER:
        return f"Android asks the user which app should open {data or action}"
    found = _STARTED.search(output)
    started = focus.parse_window_component(found[1]) if found else None
    delivered = _DELIVERED.search(output) is not None

    def arrived(now: Focus) -> bool:
        if not now.activity:
            return False  # a system window covers everything
        if wanted is not None and now == wanted:
            return True
        known = {each.package for each in (wanted, started) if each is not None}
        return now.package in known and (now != before or (wanted is None and delivered))

    return _wait_for(device, arrived, str(wanted or started or component or action))


def press_home(device: Device, app: str) -> str:
    """Press Home, and verify that the launcher is in front; return what is there instead, or empty.

    Android before 7 does not report which app is the launcher; there any app other than `app` counts.

    Raises:
        CommandError: Android refused the key.
        DeviceError: The device is gone.
    """
    home = device.apps.resolve(action="android.intent.action.MAIN", category="android.intent.category.HOME")
    known = home is not None and home.package != _CHOOSER

    def arrived(now: Focus) -> bool:
        there = now.package == home.package if known and home is not None else now.package != app
        return bool(now.activity) and there

    device.adb.shell(["input", "keyevent", str(KEYS["home"])]).check("press Home")
    return _wait_for(device, arrived, "the home screen")


def launch_app(device: Device, app: str) -> str:
    """Launch an app as its icon does, and verify it; return what is in front instead, or empty.

    Raises:
        CommandError: Android refused to open it.
        DeviceError: The device is gone.
    """
    if not device.apps.open(app):
        return f"{app} is not installed"
    return _wait_for(device, lambda now: now.package == app, app)


def resume_app(device: Device, app: str) -> str:
    """Bring an app's existing task to the front, as its icon does; return why that failed, or empty.

    Raises:
        CommandError: Android refused to open it.
        DeviceError: The device is gone.
    """
    before = device.apps.pids(app)
    if not before:
        return f"{app} is not running, so it has no task to resume"
    if problem := launch_app(device, app):
        return problem
    return "" if before & device.apps.pids(app) else f"{app} was restarted: its process had ended"


def _wait_for(device: Device, arrived: Callable[[Focus], bool], what: str) -> str:
    """Wait for a window to be in front; return what is there instead, or empty."""
    for number in range(_CHECKS):
        if arrived(device.apps.focus()):
            return ""
        if number < _CHECKS - 1:
            device.wait(_PAUSE)
    instead = foreground.read_foreground(device.adb).title or str(device.apps.focus())
    return f"{what} did not appear: {instead} is in the foreground"

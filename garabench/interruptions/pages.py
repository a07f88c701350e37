"""Open a page of the system settings, and see that it is up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.device.apps import Apps
from garabench.device.device import Device
from garabench.errors import CommandFailed

DETAILS = "app-details"
PERMISSIONS = "app-permissions"

_ACTIONS = {
    "wifi": "android.settings.WIFI_SETTINGS",
    "battery-saver": "android.settings.BATTERY_SAVER_SETTINGS",
    DETAILS: "android.settings.APPLICATION_DETAILS_SETTINGS",
    "location": "android.settings.LOCATION_SOURCE_SETTINGS",
    "display": "android.settings.DISPLAY_SETTINGS",
    "settings": "android.settings.SETTINGS",
}
_MANAGE_PERMISSIONS = "android.intent.action.MANAGE_APP_PERMISSIONS"
"""Of AOSP's permission controller, and of the package installer before Android 10. It asks its caller for
``GRANT_RUNTIME_PERMISSIONS``, which the shell holds."""
_EXTRA_PACKAGE = "android.intent.extra.PACKAGE_NAME"
_FIRST_SDK_WITH_PERMISSIONS = 23
_STARTED = re.compile(r"^Activity: ([\w.]+)/", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Opened:
    """How the opening of a page ended.

    Attributes:
        ok: Whether the page is up, or the one that stands in for it.
        detail: Why not; or which one stands in for it, and why.
    """

    ok: bool
    detail: str = ""


def open_page(device: Device, page: str, app: str) -> Opened:
    """Open a page.

    Where a device has no page of an app's permissions, the app's details are opened instead.

    Args:
        device: The device.
        page: Its name in a step.
        app: The app whose details or permissions are meant.

    Raises:
        CommandFailed: Android refused to open it.
        DeviceError: The device is gone.
    """
    if page != PERMISSIONS:
        return _settings(device.apps, page, app)
    missing = _permissions(device.apps, app, device.info.sdk)
    if not missing:
        return Opened(True)
    instead = _settings(device.apps, DETAILS, app)
    return Opened(instead.ok, instead.detail or f"the app's details are up instead: {missing}")


def _settings(apps: Apps, page: str, app: str) -> Opened:
    apps.start(action=_ACTIONS[page], data=f"package:{app}" if page == DETAILS else "")
    front = apps.focus().package
    return Opened(True) if "settings" in front else Opened(False, f"the page is not up: {front} is in front")


def _permissions(apps: Apps, app: str, sdk: int) -> str:
    """Open the page of an app's permissions; why it is not up, or empty."""
    if sdk < _FIRST_SDK_WITH_PERMISSIONS:
        return "Android has a page of permissions since its version 6"
    try:
        said = apps.start(action=_MANAGE_PERMISSIONS, extras={_EXTRA_PACKAGE: app})
    except CommandFailed as error:
        return str(error)
    front, started = apps.focus().package, _STARTED.findall(said.output)
    if "permission" in front or "packageinstaller" in front or front in started:
        return ""
    return f"the page of permissions is not up: {front} is in front"

"""Open a page of the system settings, and see that it is up."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.device.device import Device
from garabench.errors import CommandFailed
from garabench.interruptions.arrival import start

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
_SAVER, _FIRST_SDK_WITH_SAVER_PAGE = "battery-saver", 22
_BATTERY = "android.intent.action.POWER_USAGE_SUMMARY"


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

    Where a device has no page of an app's permissions, the app's details are opened instead; where it has
    none of Battery Saver, the battery's.

    Args:
        device: The device.
        page: Its name in a step.
        app: The app whose details or permissions are meant.

    Raises:
        CommandFailed: Android refused to open it.
        DeviceError: The device is gone.
    """
    if page == _SAVER and device.info.sdk < _FIRST_SDK_WITH_SAVER_PAGE:
        problem = start(device, action=_BATTERY)
        told = "the battery's page is up instead: Android has one of Battery Saver since its version 5.1"
        return Opened(not problem, problem or told)
    if page != PERMISSIONS:
        return _settings(device, page, app)
    missing = _permissions(device, app)
    if not missing:
        return Opened(True)
    instead = _settings(device, DETAILS, app)
    return Opened(instead.ok, instead.detail or f"the app's details are up instead: {missing}")


def _settings(device: Device, page: str, app: str) -> Opened:
    problem = start(device, action=_ACTIONS[page], data=f"package:{app}" if page == DETAILS else "")
    return Opened(not problem, problem)


def _permissions(device: Device, app: str) -> str:
    """Open the page of an app's permissions; why it is not up, or empty."""
    if device.info.sdk < _FIRST_SDK_WITH_PERMISSIONS:
        return "Android has a page of permissions since its version 6"
    try:
        return start(device, action=_MANAGE_PERMISSIONS, extras={_EXTRA_PACKAGE: app})
    except CommandFailed as error:
        return str(error)

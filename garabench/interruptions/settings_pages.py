"""Open a page of the system settings, and verify that it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.device.device import Device
from garabench.errors import CommandError
from garabench.interruptions.launch import start_activity

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
"""Handled by AOSP's permission controller, and by the package installer before Android 10. It requires
``GRANT_RUNTIME_PERMISSIONS``, which the shell has."""
_EXTRA_PACKAGE = "android.intent.extra.PACKAGE_NAME"
_FIRST_SDK_WITH_PERMISSIONS = 23
_SAVER, _FIRST_SDK_WITH_SAVER_PAGE = "battery-saver", 22
_BATTERY = "android.intent.action.POWER_USAGE_SUMMARY"


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """The result of opening a page.

    Attributes:
        ok: Whether the page or its substitute is shown.
        detail: Why it is not; or which substitute is shown, and why.
    """

    ok: bool
    detail: str = ""


def page_intents(page: str, sdk: int) -> tuple[tuple[str, str], ...]:
    """Return the intents that open a page or its substitute, each as action and data.

    Args:
        page: Its name in a step.
        sdk: Android's API level.
    """
    details = (_ACTIONS[DETAILS], "package:{app}")
    if page == _SAVER and sdk < _FIRST_SDK_WITH_SAVER_PAGE:
        return ((_BATTERY, ""),)
    if page == DETAILS:
        return (details,)
    if page != PERMISSIONS:
        return ((_ACTIONS[page], ""),)
    return (details,) if sdk < _FIRST_SDK_WITH_PERMISSIONS else ((_MANAGE_PERMISSIONS, ""), details)


def open_page(device: Device, page: str, app: str) -> OpenedPage:
    """Open a page of the settings.

    On a device without a page for an app's permissions the app's details are opened instead, and on one
    without a Battery Saver page the battery page.

    Args:
        device: The device.
        page: Its name in a step.
        app: The app whose details or permissions to open.

    Raises:
        CommandError: Android refused to open it.
        DeviceError: The device is gone.
    """
    if page == _SAVER and device.info.sdk < _FIRST_SDK_WITH_SAVER_PAGE:
        problem = start_activity(device, action=_BATTERY)
        substitute = "opened the battery page instead: Battery Saver has its own page since Android 5.1"
        return OpenedPage(not problem, problem or substitute)
    if page != PERMISSIONS:
        return _settings(device, page, app)
    missing = _permissions(device, app)
    if not missing:
        return OpenedPage(True)
    details = _settings(device, DETAILS, app)
    return OpenedPage(details.ok, details.detail or f"opened the app's details instead: {missing}")


def _settings(device: Device, page: str, app: str) -> OpenedPage:
    problem = start_activity(device, action=_ACTIONS[page], data=f"package:{app}" if page == DETAILS else "")
    return OpenedPage(not problem, problem)


def _permissions(device: Device, app: str) -> str:
    """Open the page of an app's permissions; return why that failed, or empty."""
    if device.info.sdk < _FIRST_SDK_WITH_PERMISSIONS:
        return "Android has a permissions page only since version 6"
    try:
        return start_activity(device, action=_MANAGE_PERMISSIONS, extras={_EXTRA_PACKAGE: app})
    except CommandError as error:
        return str(error)

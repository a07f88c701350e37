"""Special access (AOSP ``DrawOverlayDetails``, ``WriteSettingsDetails``, ``ExternalSourcesDetails``)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.settings.app import APP
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


def _phone(*permissions: str) -> tuple[Phone, str]:
    """Return a phone with an app that requests permissions, and its package."""
    asking = replace(toys.toys()[1], permissions=tuple(f"android.permission.{each}" for each in permissions))
    return Phone(Profile.parse("android-34"), apps=(APP, asking), strict=True, lang="en"), asking.package


def _tap(phone: Phone, text: str) -> None:
    found = (node.visible.center for node in phone.scene().windows[0].root.walk() if node.text == text)
    center = next(found)
    on_phone(f"input tap {center.x} {center.y}", phone=phone)


def _texts(phone: Phone) -> list[str]:
    return [node.text for node in phone.scene().windows[0].root.walk() if node.text]


@pytest.mark.parametrize(
    ("action", "permission", "activity", "switch"),
    [
        ("action.MANAGE_OVERLAY_PERMISSION", "SYSTEM_ALERT_WINDOW", "AppDrawOverlaySettings",
         "Allow display over other apps"),
        ("action.MANAGE_WRITE_SETTINGS", "WRITE_SETTINGS", "AppWriteSettings",
         "Allow modifying system settings"),
        ("MANAGE_UNKNOWN_APP_SOURCES", "REQUEST_INSTALL_PACKAGES", "ManageAppExternalSources",
         "Allow from this source"),
        ("REQUEST_SCHEDULE_EXACT_ALARM", "SCHEDULE_EXACT_ALARM", "AlarmsAndRemindersApp",
         "Allow setting alarms and reminders"),
    ],
)  # fmt: skip
def test_an_app_is_allowed_on_its_page(action: str, permission: str, activity: str, switch: str) -> None:
    phone, package = _phone(permission)
    on_phone(f"am start -a android.settings.{action}", phone=phone)
    assert "Not allowed" in _texts(phone)
    _tap(phone, phone.label(package))
    front = phone.activities.resumed
    assert front is not None and front.component == f"com.android.settings/.Settings${activity}Activity"
    _tap(phone, switch)
    assert on_phone(f"appops get {package} {permission}", phone=phone)[0] == f"{permission}: allow\n"
    _tap(phone, switch)
    assert phone.packages.ops[package][permission] == "deny"


def test_the_data_names_the_app() -> None:
    phone, package = _phone("SYSTEM_ALERT_WINDOW")
    action = "android.settings.action.MANAGE_OVERLAY_PERMISSION"
    out, _, _ = on_phone(f"am start -W -a {action} -d package:{package}", phone=phone)
    assert "com.android.settings/.Settings$AppDrawOverlaySettingsActivity" in out


def test_an_app_that_does_not_ask_cannot_be_allowed() -> None:
    phone, package = _phone()
    on_phone(
        f"am start -a android.settings.MANAGE_APP_ALL_FILES_ACCESS_PERMISSION -d package:{package}",
        phone=phone,
    )
    _tap(phone, "Allow access to manage all files")
    assert package not in phone.packages.ops
    on_phone("am start -a android.settings.MANAGE_ALL_FILES_ACCESS_PERMISSION", phone=phone)
    assert "No apps." in _texts(phone)

"""The pages of switches; intents and settings are those of ``android.provider.Settings``."""

from __future__ import annotations

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.settings.app import APP, SETTINGS
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    return Phone(Profile.parse("android-34"), apps=(APP,), strict=True, lang="en")


@pytest.mark.parametrize(
    ("action", "activity"),
    [
        ("ACCESSIBILITY_SETTINGS", "AccessibilitySettingsActivity"),
        ("BLUETOOTH_SETTINGS", "BluetoothSettingsActivity"),
        ("DATE_SETTINGS", "DateTimeSettingsActivity"),
        ("INPUT_METHOD_SETTINGS", "AvailableVirtualKeyboardActivity"),
        ("APPLICATION_DEVELOPMENT_SETTINGS", "DevelopmentSettingsDashboardActivity"),
        ("SECURITY_SETTINGS", "SecurityDashboardActivity"),
        ("PRIVACY_SETTINGS", "PrivacyDashboardActivity"),
        ("INTERNAL_STORAGE_SETTINGS", "StorageDashboardActivity"),
        ("ZEN_MODE_SETTINGS", "ZenModeSettingsActivity"),
        ("NOTIFICATION_SETTINGS", "ConfigureNotificationSettingsActivity"),
    ],
)
def test_an_intent_opens_the_page(phone: Phone, action: str, activity: str) -> None:
    out, err, _ = on_phone(f"am start -W -a android.settings.{action}", phone=phone)
    assert (err, f"Activity: com.android.settings/.Settings${activity}\n" in out) == ("", True)


@pytest.mark.parametrize(
    ("activity", "title", "setting", "values"),
    [
        ("Accessibility", "Color inversion", "secure accessibility_display_inversion_enabled", ("0", "1")),
        ("Accessibility", "Power button ends call", "secure incall_power_button_behavior", ("null", "2")),
        ("Bluetooth", "Use Bluetooth", "global bluetooth_on", ("1", "0")),
        ("DateTime", "Set time automatically", "global auto_time", ("1", "0")),
        ("DateTime", "Use 24-hour format", "system time_12_24", ("null", "12")),
        ("AvailableVirtualKeyboard", "Use on-screen keyboard", "secure show_ime_with_hard_keyboard",
         ("0", "1")),
        ("DevelopmentSettingsDashboard", "Stay awake", "global stay_on_while_plugged_in", ("0", "7")),
        ("DevelopmentSettingsDashboard", "USB debugging", "global adb_enabled", ("1", "0")),
        ("SecurityDashboard", "Show passwords", "system show_password", ("null", "0")),
        ("ZenMode", "Use Do Not Disturb", "global zen_mode", ("0", "1")),
    ],
)  # fmt: skip
def test_a_switch_changes_its_setting(
    phone: Phone, activity: str, title: str, setting: str, values: tuple[str, str]
) -> None:
    name = f"{SETTINGS}${activity}{'' if activity.endswith('Activity') else 'Settings'}Activity"
    name = name if name in APP.activities else name.replace("SettingsActivity", "Activity")
    on_phone(f"am start -n 'com.android.settings/{name}'", phone=phone)
    assert on_phone(f"settings get {setting}", phone=phone)[0] == f"{values[0]}\n"
    node = next(each for each in phone.scene().windows[0].root.walk() if each.text == title)
    center = node.visible.center
    on_phone(f"input tap {center.x} {center.y}; settings get {setting}", phone=phone)
    assert on_phone(f"settings get {setting}", phone=phone)[0] == f"{values[1]}\n"


def test_the_screen_lock_is_that_of_locksettings(phone: Phone) -> None:
    on_phone("am start -a android.settings.SECURITY_SETTINGS", phone=phone)
    node = next(each for each in phone.scene().windows[0].root.walk() if each.text == "Screen lock")
    center = node.visible.center
    on_phone(f"input tap {center.x} {center.y}", phone=phone)
    assert on_phone("locksettings get-disabled", phone=phone)[0] == "false\n"

"""The pages of switches; intents and settings are those of ``android.provider.Settings``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.settings.app import APP, SETTINGS
from tests.virtual.android import toys
from tests.virtual.apps.system_robot import SystemRobot
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
        ("AIRPLANE_MODE_SETTINGS", "NetworkDashboardActivity"),
        ("NFC_SETTINGS", "AdvancedConnectedDeviceActivity"),
        ("VPN_SETTINGS", "VpnSettingsActivity"),
        ("CAST_SETTINGS", "WifiDisplaySettingsActivity"),
        ("DREAM_SETTINGS", "DreamSettingsActivity"),
        ("CAPTIONING_SETTINGS", "CaptioningSettingsActivity"),
        ("USER_DICTIONARY_SETTINGS", "UserDictionarySettingsActivity"),
        ("DATA_ROAMING_SETTINGS", "MobileNetworkActivity"),
        ("NETWORK_OPERATOR_SETTINGS", "MobileNetworkActivity"),
        ("SYNC_SETTINGS", "AccountDashboardActivity"),
        ("HOME_SETTINGS", "HomeSettingsActivity"),
        ("VOICE_INPUT_SETTINGS", "ManageAssistActivity"),
        ("NIGHT_DISPLAY_SETTINGS", "NightDisplaySettingsActivity"),
        ("USAGE_ACCESS_SETTINGS", "UsageAccessSettingsActivity"),
        ("NOTIFICATION_POLICY_ACCESS_SETTINGS", "ZenAccessSettingsActivity"),
        ("ACTION_NOTIFICATION_LISTENER_SETTINGS", "NotificationAccessSettingsActivity"),
        ("action.MANAGE_OVERLAY_PERMISSION", "OverlaySettingsActivity"),
        ("action.MANAGE_WRITE_SETTINGS", "WriteSettingsActivity"),
        ("MANAGE_UNKNOWN_APP_SOURCES", "ManageExternalSourcesActivity"),
        ("MANAGE_ALL_FILES_ACCESS_PERMISSION", "ManageExternalStorageActivity"),
        ("REQUEST_SCHEDULE_EXACT_ALARM", "AlarmsAndRemindersActivity"),
        ("HARD_KEYBOARD_SETTINGS", "PhysicalKeyboardActivity"),
        ("INPUT_METHOD_SUBTYPE_SETTINGS", "InputMethodAndSubtypeEnablerActivity"),
        ("APN_SETTINGS", "ApnSettingsActivity"),
        ("WIFI_IP_SETTINGS", "ConfigureWifiSettingsActivity"),
        ("TETHER_SETTINGS", "TetherSettingsActivity"),
        ("ACTION_PRINT_SETTINGS", "PrintSettingsActivity"),
        ("DATA_SAVER_SETTINGS", "DataSaverSummaryActivity"),
        ("AUTO_ROTATE_SETTINGS", "SmartAutoRotateSettingsActivity"),
        ("PICTURE_IN_PICTURE_SETTINGS", "PictureInPictureSettingsActivity"),
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
        ("MobileNetwork", "Roaming", "global data_roaming", ("0", "1")),
        ("WifiDisplay", "Enable wireless display", "global wifi_display_on", ("0", "1")),
        ("Dream", "Use screen saver", "secure screensaver_enabled", ("1", "0")),
        ("Captioning", "Show captions", "secure accessibility_captioning_enabled", ("null", "1")),
        ("AccountDashboard", "Automatically sync app data", "global auto_sync", ("null", "0")),
        ("NightDisplay", "Use Night Light", "secure night_display_activated", ("0", "1")),
        ("DataSaverSummary", "Use Data Saver", "global restrict_background_data", ("0", "1")),
        ("PhysicalKeyboard", "Use on-screen keyboard", "secure show_ime_with_hard_keyboard", ("0", "1")),
        ("ConfigureWifi", "Turn on Wi-Fi automatically", "global wifi_wakeup_enabled", ("null", "1")),
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


def test_pages_of_accounts_and_default_apps() -> None:
    """``AddAccountSettings``, and the permission controller's ``DefaultAppListActivity``."""
    robot = SystemRobot()
    assert robot.start(action="android.settings.ADD_ACCOUNT_SETTINGS") == (
        "com.android.settings/com.android.settings.accounts.AddAccountSettings"
    )
    robot.start(action="android.settings.MANAGE_DEFAULT_APPS_SETTINGS")
    front = robot.phone.activities.resumed
    assert front is not None
    assert front.component == ("com.android.permissioncontroller/.role.ui.DefaultAppListActivity")
    assert robot.texts("summary") == ["None", "Browser", "Launcher", "Phone", "None"]


@pytest.mark.parametrize(
    ("action", "permission", "op"),
    [
        ("USAGE_ACCESS_SETTINGS", "PACKAGE_USAGE_STATS", "GET_USAGE_STATS"),
        ("NOTIFICATION_POLICY_ACCESS_SETTINGS", "ACCESS_NOTIFICATION_POLICY", "ACCESS_NOTIFICATIONS"),
    ],
)
def test_special_access_is_granted_by_a_switch(action: str, permission: str, op: str) -> None:
    asking = replace(toys.toys()[1], permissions=(f"android.permission.{permission}",))
    phone = Phone(Profile.parse("android-34"), apps=(APP, asking), strict=True, lang="en")
    on_phone(f"am start -a android.settings.{action}", phone=phone)
    label = phone.label(asking.package)
    center = next(node.visible.center for node in phone.scene().windows[0].root.walk() if node.text == label)
    on_phone(f"input tap {center.x} {center.y}", phone=phone)
    assert phone.packages.ops[asking.package][op] == "allow"
    assert not phone.packages.ops.get("com.android.settings")

from __future__ import annotations

import pytest

from tests.cases import every_case
from tests.virtual.shell.harness import on_phone

PUT = "settings put system x 1; "


@every_case("profile", ["android-19", "android-30", "android-34"])
@every_case(
    ("line", "out"),
    [
        ("settings get system nope", "null\n"),
        (PUT + "settings get system x", "1\n"),
        ("settings put global y ''; settings get global y", "\n"),
        ("settings --user 0 get global adb_enabled", "1\n"),
        ("settings get --user 0 GLOBAL adb_enabled", "1\n"),
        (
            "settings put secure default_input_method nope/.X; settings get secure default_input_method",
            "nope/.X\n",
        ),
    ],
)
def test_get_and_put(line: str, out: str, profile: str) -> None:
    assert on_phone(line, profile=profile) == (out, "", 0)


@pytest.mark.parametrize(
    ("setting", "default"),
    [("system font_scale", "1.0"), ("system user_rotation", "0"), ("global low_power", "0")],
)
def test_never_set_settings_are_null_in_android_4_4(setting: str, default: str) -> None:
    assert on_phone(f"settings get {setting}", profile="android-19") == ("null\n", "", 0)
    assert on_phone(f"settings get {setting}", profile="android-30") == (f"{default}\n", "", 0)
    put = f"settings put {setting} 1; settings get {setting}"
    assert on_phone(put, profile="android-19") == ("1\n", "", 0)


@pytest.mark.parametrize("profile", ["android-30", "android-34"])
@pytest.mark.parametrize(
    ("line", "out"),
    [
        (PUT + "settings delete system x; settings delete system x", "Deleted 1 rows\nDeleted 0 rows\n"),
        (PUT + "settings delete system x >/dev/null; settings get system x", "null\n"),
        (PUT + "settings list system | grep ^x=", "x=1\n"),
        ("settings put system a 1; settings list system | head -n 2", "a=1\naccelerometer_rotation=0\n"),
        ("settings put global y 2 tag default; settings get global y", "2\n"),
    ],
)
def test_delete_and_list(line: str, out: str, profile: str) -> None:
    assert on_phone(line, profile=profile) == (out, "", 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("settings get nope x", "Invalid namespace 'nope'"),
        ("settings nope system x", "Invalid command: nope"),
        ("settings get system x y", "Too many arguments"),
        ("settings put system x", "Bad arguments"),
    ],
)
def test_usage_errors_by_version(line: str, message: str) -> None:
    for profile in ("android-30", "android-34"):
        assert on_phone(line, profile=profile) == ("", f"{message}\n", 255)
    out, err, status = on_phone(line, profile="android-19")
    assert (out, status) == ("", 0)
    assert err.startswith(f"{message}\nusage:  settings [--user NUM] get namespace key\n")


@pytest.mark.parametrize("verb", ["delete", "list"])
def test_verbs_unknown_to_android_4_4(verb: str) -> None:
    out, err, status = on_phone(f"settings {verb} system x", profile="android-19")
    assert (out, err.splitlines()[0], status) == ("", f"Invalid command: {verb}", 0)


def test_without_arguments() -> None:
    out, err, status = on_phone("settings")
    assert (out.splitlines()[0], err, status) == ("Settings provider (settings) commands:", "", 255)
    out, err, status = on_phone("settings list system", profile="android-19")
    assert (out, err.splitlines()[0], status) == ("", "usage:  settings [--user NUM] get namespace key", 0)


@pytest.mark.parametrize(
    ("namespace", "expected"),
    [
        (
            "system",
            "dim_screen=1 haptic_feedback_enabled=1 volume_music=7 volume_ring=4 vibrate_when_ringing=0",
        ),
        ("secure", "touch_exploration_enabled=0 long_press_timeout=400 lock_screen_lock_after_timeout=5000"),
        ("secure", "backup_enabled=0 screensaver_enabled=1 show_ime_with_hard_keyboard=0 navigation_mode=0"),
        ("global", "bluetooth_on=1 data_roaming=0 stay_on_while_plugged_in=0 zen_mode=0 mode_ringer=2"),
        ("global", "development_settings_enabled=1 always_finish_activities=0 package_verifier_enable=1"),
        (
            "global",
            "boot_count=1 heads_up_notifications_enabled=1 low_power_trigger_level=0 wait_for_debugger=0",
        ),
    ],
)
def test_usual_defaults(namespace: str, expected: str) -> None:
    """AOSP ``SettingsProvider/res/values/defaults.xml``, and what services write at the first boot."""
    listed = on_phone(f"settings list {namespace}")[0].splitlines()
    assert set(expected.split()) <= set(listed)
    assert len(listed) > 25


def test_old_versions_lack_newer_settings() -> None:
    newer = "zen_mode heads_up_notifications_enabled boot_count low_power_trigger_level"
    script = f"for name in {newer}; do settings get global $name; done"
    assert on_phone(script, profile="android-19")[0] == "null\n" * 4
    assert on_phone("settings get secure mount_ums_prompt", profile="android-19")[0] == "1\n"
    assert on_phone("settings get secure mount_ums_prompt")[0] == "null\n"

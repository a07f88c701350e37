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

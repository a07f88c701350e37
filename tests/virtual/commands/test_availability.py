from __future__ import annotations

import re

import pytest

from tests.cases import every_case
from tests.virtual.shell.harness import on_phone

EVERY = (
    *("am", "pm", "input", "settings", "wm", "ime", "monkey", "dumpsys", "logcat", "log", "screencap"),
    *("screenrecord", "uiautomator", "content", "svc", "service", "getprop", "setprop", "ps", "top"),
    *("cat", "ls", "rm", "mkdir", "grep", "cp", "mv", "date", "id", "sleep", "ip", "ifconfig", "ping"),
)
SINCE_TOYBOX = (
    *("toybox", "head", "tail", "wc", "cut", "sed", "find", "xargs", "sort", "md5sum", "pidof"),
    *("stat", "tr", "uniq", "seq", "tee", "pgrep", "pkill", "timeout", "whoami", "uname"),
)
LATER = ("cmd", "awk", "appops", "locksettings", "base64", "xxd", "sha256sum", "killall")


def has(name: str, profile: str) -> bool:
    """Return whether the phone's shell finds a command."""
    _, err, status = on_phone(f"{name} --no-such-option </dev/null", profile=profile)
    missing = (
        re.fullmatch(rf"/system/bin/sh: {re.escape(name)}: (inaccessible or )?not found\n", err) is not None
    )
    assert status == 127 or not missing
    return not missing


@every_case("profile", ["android-19", "android-30", "android-34"])
@every_case("name", EVERY)
def test_commands_of_every_version(name: str, profile: str) -> None:
    assert has(name, profile)


@every_case("name", [*SINCE_TOYBOX, *LATER])
def test_commands_missing_in_android_4_4(name: str) -> None:
    assert not has(name, "android-19")
    assert has(name, "android-30")
    assert has(name, "android-34")


def test_commands_removed_with_toolbox() -> None:
    assert on_phone("echo hello > f; md5 f", profile="android-19") == (
        "b1946ac92492d2347c6235b4d2611184  f\n",
        "",
        0,
    )
    assert not has("md5", "android-30")


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
@pytest.mark.parametrize("name", ["nope", "/system/bin/nope", "./nope"])
def test_an_unknown_command(name: str, profile: str) -> None:
    reason = "not found" if profile == "android-19" else "inaccessible or not found"
    message = f"/system/bin/sh: {name}: {reason}\n"
    assert on_phone(f"{name} a b", profile=profile) == ("", message, 127)
    assert on_phone(f"{name} || echo $?", profile=profile) == ("127\n", message, 0)


@pytest.mark.parametrize("folder", ["/system/bin/", "/system/xbin/"])
def test_commands_by_path(folder: str) -> None:
    assert on_phone(f"{folder}getprop ro.build.version.sdk") == ("34\n", "", 0)
    assert on_phone(f"{folder}head -n 1 f", profile="android-19")[2] == 127

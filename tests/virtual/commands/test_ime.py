from __future__ import annotations

import pytest

from garabench.virtual.android.installer import InstallOptions, install_apk
from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.android.test_apk import UIAUTOMATOR
from tests.virtual.shell.harness import on_phone

LATIN = "com.google.android.inputmethod.latin/.LatinIME"
ADB = "com.github.uiautomator/.AdbKeyboard"


def phone_with_keyboard(profile: str) -> Phone:
    device = toys.phone(profile)
    install_apk(device.packages, UIAUTOMATOR.read_bytes(), InstallOptions(test=True))
    toys.start(device)
    return device


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
def test_lists(profile: str) -> None:
    device = phone_with_keyboard(profile)
    assert on_phone("ime list -s", phone=device) == (f"{LATIN}\n", "", 0)
    assert on_phone("ime list -s -a", phone=device) == (f"{LATIN}\n{ADB}\n", "", 0)
    out = on_phone("ime list -a", phone=device)[0]
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [f"{LATIN}:", f"{ADB}:"]
    assert f"  mId={ADB} " in out


@pytest.mark.parametrize(
    ("profile", "user", "message", "status"),
    [
        ("android-19", "", "Error: Unknown id: nope/.X\n", 0),
        ("android-30", " for user #0", "Unknown input method nope/.X cannot be {} for user #0\n", 255),
        ("android-34", " for user #0", "Unknown input method nope/.X cannot be {} for user #0\n", 255),
    ],
)
def test_enable_set_and_disable_by_version(profile: str, user: str, message: str, status: int) -> None:
    device = phone_with_keyboard(profile)
    assert on_phone(f"ime enable {ADB}", phone=device) == (f"Input method {ADB}: now enabled{user}\n", "", 0)
    assert on_phone(f"ime enable {ADB}", phone=device)[0] == f"Input method {ADB}: already enabled{user}\n"
    assert on_phone("ime list -s", phone=device)[0] == f"{LATIN}\n{ADB}\n"
    assert on_phone(f"ime set {ADB}", phone=device) == (f"Input method {ADB} selected{user}\n", "", 0)
    assert on_phone("settings get secure default_input_method", phone=device)[0] == f"{ADB}\n"
    assert on_phone(f"ime disable {ADB}", phone=device)[0] == f"Input method {ADB}: now disabled{user}\n"
    assert device.ime.default == LATIN
    for verb, done in (("enable", "enabled"), ("disable", "disabled"), ("set", "selected")):
        assert on_phone(f"ime {verb} nope/.X", phone=device) == ("", message.format(done), status)


@pytest.mark.parametrize("profile", ["android-30", "android-34"])
def test_a_disabled_input_method_cannot_be_selected(profile: str) -> None:
    device = phone_with_keyboard(profile)
    assert on_phone(f"ime set {ADB}", phone=device)[1:] == (
        f"Unknown input method {ADB} cannot be selected for user #0\n",
        255,
    )
    assert device.ime.default == LATIN


def test_without_any_input_method_a_field_opens_no_keyboard() -> None:
    device = phone_with_keyboard("android-34")
    on_phone(f"ime disable {LATIN}", phone=device)
    assert on_phone("ime list -s; settings get secure default_input_method", phone=device)[0] == "\n"
    toys.tap(device, resource_id="toy.app:id/name")
    assert not device.ime.shown
    on_phone("input text hello", phone=device)
    assert toys.main_of(device).name == "hello"
    on_phone("ime reset", phone=device)
    toys.tap(device, resource_id="toy.app:id/query")
    assert device.ime.shown


def test_reset_by_version() -> None:
    device = phone_with_keyboard("android-34")
    on_phone(f"ime enable {ADB}; ime set {ADB}", phone=device)
    assert on_phone("ime reset", phone=device) == (
        f"Reset current and enabled IMEs for user #0\n  Newly selected IME: {LATIN}\n"
        f"  Newly enabled IMEs:\n   {LATIN}\n",
        "",
        0,
    )
    assert device.ime.enabled == (LATIN,)
    assert on_phone("ime reset", profile="android-19")[1].startswith("Error: unknown command 'reset'\n")


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("ime nope", "Unknown command: nope\n", "", 255),
        (
            "ime set",
            "",
            "\nException occurred while executing 'set':\n"
            'java.lang.IllegalArgumentException: Argument expected after "set"\n',
            255,
        ),
    ],
)
def test_usage_errors(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)
    old = on_phone(line, profile="android-19")
    assert (old[0], old[2]) == ("", 0)
    assert old[1].startswith("Error: ")

from __future__ import annotations

import pytest

from garabench.virtual.os.phone import Phone
from tests.virtual.os import toys
from tests.virtual.shell.harness import on_phone

LATIN = "com.google.android.inputmethod.latin/.LatinIME"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


def center(device: Phone, name: str) -> str:
    box = toys.node(device, resource_id=f"toy.app:id/{name}").bounds
    return f"{(box.left + box.right) // 2} {(box.top + box.bottom) // 2}"


@pytest.mark.parametrize("source", ["", "touchscreen ", "mouse ", "stylus ", "-d 0 ", "touchscreen -d 0 "])
def test_a_tap_from_any_source(phone: Phone, source: str) -> None:
    before = phone.clock.now_ms()
    assert on_phone(f"input {source}tap {center(phone, 'count')}", phone=phone) == ("", "", 0)
    assert toys.main_of(phone).count == 1
    assert phone.clock.now_ms() - before == 60


def test_a_swipe_takes_its_time(phone: Phone) -> None:
    place, before = center(phone, "count"), phone.clock.now_ms()
    assert on_phone(f"input swipe {place} {place} 900", phone=phone)[2] == 0
    assert phone.clock.now_ms() - before == 900
    assert toys.main_of(phone).held == 1


def test_single_motion_events_make_a_tap(phone: Phone) -> None:
    place = center(phone, "count")
    on_phone(f"input motionevent DOWN {place}; input motionevent MOVE {place}", phone=phone)
    assert toys.main_of(phone).count == 0
    on_phone(f"input motionevent UP {place}", phone=phone)
    assert toys.main_of(phone).count == 1


def test_text_and_keys_reach_the_field(phone: Phone) -> None:
    on_phone(f"input tap {center(phone, 'name')}", phone=phone)
    on_phone("input text 'a%sb' ignored; input keyevent KEYCODE_C 32 DEL", phone=phone)
    assert toys.main_of(phone).name == "a bc"
    out, err, status = on_phone("input text é", phone=phone)
    assert (out, status) == ("", 255)
    assert err.endswith("java.lang.NullPointerException: Attempt to get length of null array\n")
    assert toys.main_of(phone).name == "a bc"


@pytest.mark.parametrize("line", ["input roll 1 1", "input press", "input trackball roll 0 1"])
def test_a_trackball_does_nothing(phone: Phone, line: str) -> None:
    version = phone.version
    assert on_phone(line, phone=phone) == ("", "", 0)
    assert phone.version == version


@pytest.mark.parametrize(
    ("line", "new", "old"),
    [
        ("input nope", "Unknown command: nope\n", "Error: Unknown command: nope\n"),
        (
            "input tap 1",
            "\nException occurred while executing 'tap':\n"
            'java.lang.IllegalArgumentException: Argument expected after "tap"\n',
            "Error: Invalid arguments for command: tap\n",
        ),
        (
            "input tap a b",
            "\nException occurred while executing 'tap':\n"
            'java.lang.IllegalArgumentException: Argument expected after "tap"\n',
            "Error: Invalid arguments for command: tap\n",
        ),
        (
            "input keyevent NOPE",
            "\nException occurred while executing 'keyevent':\n"
            "java.lang.IllegalArgumentException: Unknown keycode: NOPE\n",
            "Error: Unknown keycode: NOPE\n",
        ),
    ],
)
def test_wrong_calls_by_version(line: str, new: str, old: str) -> None:
    assert on_phone(line) == ("", new, 255)
    assert on_phone(line, profile="android-30") == ("", old, 255)


def test_home_waits_for_the_setup_on_android_4_4() -> None:
    for profile, front in (("android-19", "toy.app/.Main"), ("android-30", "toy.home/.Home")):
        device = toys.phone(profile)
        toys.start(device)
        on_phone("settings put global device_provisioned 0; input keyevent HOME", phone=device)
        assert device.activities.focused_app == front
        on_phone("settings put global device_provisioned 1; input keyevent HOME", phone=device)
        assert device.activities.focused_app == "toy.home/.Home"


def test_keys_need_an_input_method_on_android_4_4() -> None:
    for profile, typed in (("android-19", ""), ("android-30", "ab")):
        device = toys.phone(profile)
        toys.start(device)
        on_phone(f"input tap {center(device, 'name')}", phone=device)
        on_phone("settings put secure enabled_input_methods ''", phone=device)
        on_phone("input keyevent KEYCODE_A; input text b", phone=device)
        assert toys.main_of(device).name == typed


@pytest.mark.parametrize(
    ("line", "out", "status"),
    [
        ("ime list -s", f"{LATIN}\n", 0),
        ("ime list -s -a", f"{LATIN}\n", 0),
        ("ime list", f"{LATIN}:\n  mId={LATIN} mSettingsActivityName=null\n", 0),
        ("ime enable nope/.X", "Input method nope/.X: unknown\n", 1),
        (f"ime enable {LATIN}", f"Input method {LATIN}: now enabled\n", 0),
        (f"ime set {LATIN}", f"Input method {LATIN} selected\n", 0),
        ("ime set nope/.X", "Input method nope/.X cannot be selected\n", 1),
        (f"ime disable {LATIN}", f"Input method {LATIN}: cannot be disabled\n", 1),
        ("ime reset", f"Reset current and enabled IMEs\nNewly selected IME:\n  {LATIN}\n", 0),
    ],
)
def test_input_methods(line: str, out: str, status: int) -> None:
    assert on_phone(line) == (out, "", status)

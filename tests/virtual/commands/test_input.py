from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


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


def test_a_swipe_takes_its_duration(phone: Phone) -> None:
    place, before = center(phone, "count"), phone.clock.now_ms()
    assert on_phone(f"input swipe {place} {place} 900", phone=phone)[2] == 0
    assert phone.clock.now_ms() - before == 900
    assert toys.main_of(phone).long_presses == 1


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


NULL = "java.lang.NullPointerException: Attempt to get length of null array\n"


@pytest.mark.parametrize(
    ("profile", "err", "status"),
    [
        ("android-19", "Killed \n", 137),
        ("android-30", NULL, 1),
        ("android-34", f"\nException occurred while executing 'text':\n{NULL}", 255),
    ],
)
def test_a_character_without_a_key_types_nothing(profile: str, err: str, status: int) -> None:
    device = toys.phone(profile)
    toys.start(device)
    on_phone(f"input tap {center(device, 'name')}", phone=device)
    assert on_phone("input text aé", phone=device) == ("", err, status)
    assert toys.main_of(device).name == ""


def test_several_text_arguments_by_version() -> None:
    for profile, typed, err in (
        ("android-19", "", "Error: Invalid arguments for command: text\nUsage: input"),
        ("android-30", "one", ""),
        ("android-34", "one", ""),
    ):
        device = toys.phone(profile)
        toys.start(device)
        on_phone(f"input tap {center(device, 'name')}", phone=device)
        out, printed, status = on_phone("input text one two", phone=device)
        assert (out, status, toys.main_of(device).name) == ("", 0, typed)
        assert printed.startswith(err)
        assert bool(printed) == bool(err)


@pytest.mark.parametrize("line", ["input roll 1 1", "input press", "input trackball roll 0 1"])
def test_a_trackball_does_nothing(phone: Phone, line: str) -> None:
    version = phone.version
    assert on_phone(line, phone=phone) == ("", "", 0)
    assert phone.version == version


def exception_text(verb: str, message: str) -> str:
    return f"\nException occurred while executing '{verb}':\njava.lang.IllegalArgumentException: {message}\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tap", 'Argument expected after "tap"'),
        ("tap 1", 'Argument expected after "1"'),
        ("tap a b", "Error: Invalid arguments for command: tap"),
        ("swipe 1 2 3", 'Argument expected after "3"'),
        ("swipe 1 2 3 4 x", "Error: Invalid arguments for command: swipe"),
        ("text", 'Argument expected after "text"'),
        ("keyevent", 'Argument expected after "keyevent"'),
        ("motionevent DANCE 1 1", "Unknown motionevent DANCE"),
    ],
)
def test_wrong_arguments_by_version(line: str, message: str) -> None:
    verb = line.partition(" ")[0]
    assert on_phone(f"input {line}") == ("", exception_text(verb, message), 255)
    out, err, status = on_phone(f"input {line}", profile="android-30")
    assert (out, status) == ("", 0)
    assert err.startswith("Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n")
    assert err.endswith(f"\nError: {message}\n")
    out, err, status = on_phone(f"input {line}", profile="android-19")
    kind = "Unknown command" if verb == "motionevent" else "Invalid arguments for command"
    assert (out, status) == ("", 0)
    assert err.startswith(f"Error: {kind}: {verb}\nUsage: input [<source>] <command> [<arg>...]\n")


def test_unknown_verbs_by_version() -> None:
    assert on_phone("input nope") == ("Unknown command: nope\n", "", 0)
    out, err, status = on_phone("input nope", profile="android-30")
    assert (out, status, err.splitlines()[-1]) == ("", 0, "Error: Error: Unknown command: nope")
    out, err, status = on_phone("input nope", profile="android-19")
    assert (out, status, err.splitlines()[0]) == ("", 0, "Error: Unknown command: nope")
    assert on_phone("input keycombination A B", profile="android-30")[1].endswith("keycombination\n")


def test_usage_by_version() -> None:
    out, err, status = on_phone("input", profile="android-19")
    assert (out, err.splitlines()[0], status) == ("", "Usage: input [<source>] <command> [<arg>...]", 0)
    for profile, code in (("android-30", 0), ("android-34", 255)):
        out, err, status = on_phone("input", profile=profile)
        assert (out.splitlines()[0].partition(" [")[0], err, status) == ("Usage: input", "", code)


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
def test_an_unknown_key_name_does_nothing(profile: str) -> None:
    device = toys.phone(profile)
    toys.start(device)
    assert on_phone("input keyevent NOPE back 9999", phone=device) == ("", "", 0)
    assert device.activities.focused_app == "toy.app/.Main"
    assert on_phone("input keyevent --longpress KEYCODE_BACK", phone=device) == ("", "", 0)
    assert device.activities.focused_app == "toy.home/.Home"


def test_key_combinations(phone: Phone) -> None:
    on_phone(f"input tap {center(phone, 'name')}", phone=phone)
    assert on_phone("input keycombination SHIFT_LEFT A", phone=phone) == ("", "", 0)
    on_phone("input keycombination CTRL_LEFT A; input keycombination -t 100 SHIFT_LEFT 8", phone=phone)
    assert toys.main_of(phone).name == "A!"
    phone.clipboard.set("稻香")
    on_phone("input keycombination CTRL_LEFT V; input keyevent PASTE", phone=phone)
    assert toys.main_of(phone).name == "A!稻香稻香"
    assert on_phone("input keycombination A", phone=phone)[1] == exception_text(
        "keycombination", "keycombination requires at least 2 keycodes"
    )
    assert on_phone("input keycombination A NOPE", phone=phone)[1] == exception_text(
        "keycombination", "Unknown keycode: NOPE"
    )


def test_on_android_4_4_home_does_nothing_before_setup() -> None:
    for profile, front in (("android-19", "toy.app/.Main"), ("android-30", "toy.home/.Home")):
        device = toys.phone(profile)
        toys.start(device)
        on_phone("settings put global device_provisioned 0; input keyevent HOME", phone=device)
        assert device.activities.focused_app == front
        on_phone("settings put global device_provisioned 1; input keyevent HOME", phone=device)
        assert device.activities.focused_app == "toy.home/.Home"


def test_on_android_4_4_keys_need_an_input_method() -> None:
    for profile, typed in (("android-19", ""), ("android-30", "ab")):
        device = toys.phone(profile)
        toys.start(device)
        on_phone(f"input tap {center(device, 'name')}", phone=device)
        on_phone("settings put secure enabled_input_methods ''", phone=device)
        on_phone("input keyevent KEYCODE_A; input text b", phone=device)
        assert toys.main_of(device).name == typed

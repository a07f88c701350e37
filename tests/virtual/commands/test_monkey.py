from __future__ import annotations

import pytest

from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

LINE = "monkey -p toy.app -c android.intent.category.LAUNCHER 1"
PRINTED = (
    "args: [-p, toy.app, -c, android.intent.category.LAUNCHER, 1]\n"
    + "".join(f' arg: "{word}"\n' for word in LINE.split()[1:])
    + 'data="toy.app"\ndata="android.intent.category.LAUNCHER"\n'
)
"""What ``Monkey.java`` writes about its arguments since Android 10."""
ARGUMENTS = "".join(f"  bash arg: {word}\n" for word in LINE.split()[1:])


@pytest.mark.parametrize(
    ("profile", "arguments"), [("android-19", ""), ("android-30", ARGUMENTS), ("android-34", ARGUMENTS)]
)
def test_monkey_starts_the_launcher_activity(profile: str, arguments: str) -> None:
    device = toys.phone(profile)
    out, err, status = on_phone(LINE, phone=device)
    assert (status, device.activities.focused_app) == (0, "toy.app/.Main")
    assert err == (PRINTED if arguments else "")
    assert out.startswith(f"{arguments}Events injected: 1\n## Network stats: elapsed time=")
    device.press_home()
    assert on_phone(LINE, phone=device)[2] == 0
    assert device.activities.focused_app == "toy.app/.Main"
    assert [len(task.stack) for task in device.activities.tasks][:1] == [1]


@pytest.mark.parametrize(
    "line",
    [
        "monkey -p nope -c android.intent.category.LAUNCHER 1",
        "monkey -p toy.app -c android.intent.category.NOPE 1",
        "monkey -p toy.home 1",
    ],
)
def test_a_package_without_a_launcher_activity_aborts(line: str) -> None:
    device = toys.phone("android-19")
    assert on_phone(line, phone=device) == ("** No activities found to run, monkey aborted.\n", "", 252)
    assert device.activities.focused_app == "toy.home/.Home"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("monkey", "usage: monkey [-p ALLOWED_PACKAGE"),
        ("monkey -p toy.app", "usage: monkey [-p ALLOWED_PACKAGE"),
        ("monkey -p toy.app many", "** Error: Count is not a number\nusage: monkey"),
    ],
)
def test_the_event_count_is_required(line: str, message: str) -> None:
    out, err, status = on_phone(line, profile="android-19")
    assert (out, status) == ("", 251)
    assert err.startswith(message)


@pytest.mark.parametrize("profile", ["android-19", "android-34"])
def test_monkey_resets_the_rotation(profile: str) -> None:
    device = toys.phone(profile)
    device.settings.put("system", "accelerometer_rotation", "0")
    device.settings.put("system", "user_rotation", "1")
    on_phone(LINE, phone=device)
    assert device.settings.get("system", "accelerometer_rotation") == "1"
    assert device.settings.get("system", "user_rotation") == "0"


def test_random_events_are_those_of_the_seed() -> None:
    """AOSP ``MonkeySourceRandom``: the same seed gives the same events; the first event starts the app."""
    line = "monkey -p toy.app -v -v -s 42 --throttle 10 40"
    first, second = (on_phone(line, phone=toys.phone()) for _ in range(2))
    assert first == second
    out = first[0]
    assert ":Monkey: seed=42 count=40\n:AllowPackage: toy.app\n" in out
    assert "//   0: 15.0%\n//   1: 10.0%\n" in out
    assert out.count("\n:Sending Key (ACTION_DOWN): ") > 5
    assert "Events injected: 40\n" in out
    assert out.endswith("// Monkey finished\n")
    assert on_phone(line.replace("42", "43"), phone=toys.phone())[0] != out


def test_events_stay_in_the_allowed_packages() -> None:
    device = toys.phone()
    on_phone("monkey -p toy.app --pct-syskeys 100 -s 7 60", phone=device)
    assert device.activities.focused_app.startswith("toy.app/")


def test_shares_of_events_can_be_set() -> None:
    """``MonkeySourceRandom.adjustEventFactors``: the other kinds share what is left."""
    out = on_phone("monkey -p toy.app -v -v --pct-touch 100 20", phone=toys.phone())[0]
    assert "//   0: 100.0%\n//   1: 0.0%\n" in out
    assert out.count(":Sending Touch (ACTION_DOWN)") == 19
    assert "Key" not in out


def test_without_a_package_any_app_is_started() -> None:
    device = toys.phone()
    out, err, status = on_phone("monkey 3", phone=device)
    assert (out.splitlines()[1], err, status) == ("Events injected: 3", 'args: [3]\n arg: "3"\n', 0)

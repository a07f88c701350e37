from __future__ import annotations

import pytest

from garabench.virtual.android.clock import Latency
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import CommandDurations, durations
from tests.virtual.shell.harness import on_phone


@pytest.mark.parametrize(
    ("profile", "latency", "slow"),
    [
        ("android-19", Latency.PHONE, True),
        ("android-19", Latency.INSTANT, False),
        ("android-30", Latency.PHONE, False),
        ("android-34", Latency.PHONE, False),
    ],
)
def test_android_4_4_is_slow_with_phone_latency(profile: str, latency: Latency, slow: bool) -> None:
    found = durations(Phone(Profile.parse(profile), apps=(), latency=latency))
    assert (found != CommandDurations()) is slow
    if slow:
        # Measured: a dump takes 2.7 s, including 1 s until the screen is idle; the first one 6.5 s.
        assert (found.dump, found.dump + found.first_dump) == (1700, 5500)
        assert (found.tap, found.screenshot, found.start) == (1300, 300, 1000)


def test_android_4_4_has_no_cmd() -> None:
    missing = ("", "/system/bin/sh: cmd: not found\n", 127)
    assert on_phone("cmd package list packages", profile="android-19") == missing
    assert on_phone("cmd settings get global adb_enabled", profile="android-30") == ("1\n", "", 0)

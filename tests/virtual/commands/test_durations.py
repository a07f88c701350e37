from __future__ import annotations

import asyncio

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency, PhoneClock
from garabench.virtual.commands.durations import CommandDurations, durations
from garabench.virtual.phone_backend import PhoneBackend
from garabench.virtual.shell.streams import empty_input
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


@pytest.mark.parametrize("profile", ["android-19", "android-30"])
@pytest.mark.parametrize(
    ("line", "milliseconds"),
    [
        ("uiautomator dump", 3500),
        ("screencap -p /sdcard/s.png", 550),
        ("input tap 5 600", 1600),
        ("settings get global adb_enabled", 1700),
        ("pm path com.android.settings", 1700),
        ("am force-stop com.android.settings", 1700),
        ("wm size", 1700),
        ("dumpsys window windows", 200),
        ("echo hi", 20),
        ("settings get global adb_enabled; settings get global adb_enabled", 3380),
    ],
)
def test_slow_legacy_has_the_durations_of_a_slow_phone(
    profile: str, line: str, milliseconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def spend(clock: PhoneClock, milliseconds: int) -> None:
        clock.advance(milliseconds)

    async def discard(data: bytes) -> None:
        pass

    monkeypatch.setattr(PhoneClock, "spend", spend)
    phone = Phone(Profile.parse(profile), apps=(), latency=Latency.SLOW_LEGACY)
    before = phone.clock.now_ms()
    asyncio.run(PhoneBackend(phone).shell(line, empty_input(), discard, discard, pty=False))
    assert phone.clock.now_ms() - before == pytest.approx(milliseconds, abs=10)


def test_slow_legacy_follows_real_time() -> None:
    now = [10.0]
    clock = PhoneClock(Latency.SLOW_LEGACY, monotonic=lambda: now[0])
    now[0] = 11.5
    clock.catch_up()
    assert clock.now_ms() == 1500

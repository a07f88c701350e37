"""The phone's date, which can be set, and its uptime, which cannot."""

from __future__ import annotations

import datetime as dt

import pytest

from garabench.virtual.android.phone_clock import START, Latency, PhoneClock


@pytest.fixture
def clock() -> PhoneClock:
    return PhoneClock(Latency.INSTANT)


@pytest.mark.parametrize("wanted", [START + dt.timedelta(days=1), START - dt.timedelta(hours=1)])
def test_setting_the_date_does_not_run_scheduled_calls_early(clock: PhoneClock, wanted: dt.datetime) -> None:
    called: list[int] = []
    clock.after(1000, lambda: called.append(clock.now_ms()))
    clock.advance(400)
    clock.set_wall(round(wanted.timestamp() * 1000))
    assert clock.wall() == wanted
    assert (clock.now_ms(), called) == (400, [])
    clock.advance(600)
    assert clock.wall() == wanted + dt.timedelta(milliseconds=600)
    assert called == [1000]
    clock.zone = "Pacific/Auckland"
    assert clock.wall() == wanted + dt.timedelta(milliseconds=600)
    clock.restart()
    assert clock.wall() == START


@pytest.mark.parametrize("milliseconds", [10**15, -(10**15), 10**30])
def test_a_date_out_of_range_is_rejected(clock: PhoneClock, milliseconds: int) -> None:
    with pytest.raises(ValueError, match="not a valid date"):
        clock.set_wall(milliseconds)
    assert clock.wall() == START


def test_a_reboot_resets_the_uptime_but_not_the_date(clock: PhoneClock) -> None:
    clock.advance(5000)
    clock.reboot()
    assert clock.uptime_ms == 0
    clock.advance(300)
    assert clock.uptime_ms == 300
    assert clock.wall() == START + dt.timedelta(milliseconds=5300)

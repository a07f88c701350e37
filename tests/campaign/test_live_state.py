from __future__ import annotations

import datetime as dt

from garabench.campaign.live_state import DeviceActivity, LiveState, after, after_all
from garabench.core import campaign_events as ev

NOW = dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC)


def at(seconds: float) -> dt.datetime:
    return NOW + dt.timedelta(seconds=seconds)


def ended(device: str, seconds: float, *, outcome: str = "success", last: bool = True) -> ev.AttemptEnded:
    return ev.AttemptEnded.model_validate(
        {"time": at(seconds), "device": device, "episode": "a/b/clean/1", "attempt": 1, "outcome": outcome,
         "reason": "x", "seconds": 10, "last": last}
    )  # fmt: skip


BEGUN = ev.RunBegun(time=NOW, planned=12, ended=2, devices=("one", "two"))
ATTEMPT = ev.AttemptBegun(time=at(1), device="one", episode="a/b/clean/1", attempt=1)


def test_remaining_time_follows_from_measured_episodes_and_active_devices() -> None:
    state = after_all(LiveState(), [BEGUN, ATTEMPT])
    assert state.remaining_seconds is None
    state = after_all(state, [ended("one", 10), ended("two", 10)])
    assert (state.ended, state.remaining_seconds) == (4, 10 * 8 / 2)
    state = after(state, ended("one", 20, outcome="error", last=False))  # a repetition costs time
    assert (state.ended, state.remaining_seconds) == (4, 15 * 8 / 2)
    state = after(state, ev.DeviceRetired(time=at(21), device="one", reason="bad"))
    assert state.remaining_seconds == 15 * 8


def test_the_last_episode_takes_its_whole_duration() -> None:
    state = after_all(
        LiveState(), [BEGUN.model_copy(update={"planned": 5}), ended("one", 10), ended("two", 10)]
    )
    assert state.remaining_seconds == 10  # although there are two devices
    state = after(state, ended("one", 20))
    assert state.remaining_seconds == 0


def test_devices_have_an_activity() -> None:
    state = after_all(LiveState(), [BEGUN, ATTEMPT])
    one = state.devices["one"]
    assert (one.activity, one.episode, one.since) == (DeviceActivity.RUNNING, "a/b/clean/1", at(1))
    assert state.devices["two"].activity is DeviceActivity.IDLE
    problems = (ev.HealthProblem(symptom=ev.Symptom.EMPTY_TREE),)
    state = after_all(
        state,
        [
            ended("one", 5, outcome="error", last=False),
            ev.HealthChecked(time=at(6), device="one", problems=problems),
            ev.RungPerformed(
                time=at(7), device="one", rung=ev.Rung.WAIT, number=1, remaining=(ev.Symptom.DIALOG,)
            ),
        ],
    )
    one = state.devices["one"]
    assert (one.activity, one.faults, one.rungs, one.ended) == (DeviceActivity.RECOVERING, 1, 1, 0)
    assert (one.detail, one.since) == ("wait: dialog", at(6))
    state = after(state, ev.DevicePaused(time=at(8), device="one", seconds=15, total=15, reason="bad"))
    assert (state.devices["one"].activity, state.active) == (DeviceActivity.PAUSED, 1)
    state = after(state, ev.RunEnded(time=at(9), ended=2, remaining=10, detail="no device"))
    assert (state.finished, state.detail, state.devices["one"].activity) == (
        True,
        "no device",
        DeviceActivity.IDLE,
    )


def test_a_resumed_run_begins_anew() -> None:
    state = after_all(LiveState(), [BEGUN, ended("one", 1), ev.RunEnded(time=at(2), ended=3, remaining=9)])
    state = after(state, BEGUN.model_copy(update={"ended": 3}))
    assert (state.ended, state.finished, state.outcomes) == (3, False, {})

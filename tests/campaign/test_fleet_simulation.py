from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from garabench.campaign.fleet_simulation import episode_seconds, predict
from garabench.cli.main import main
from garabench.core import campaign_events as ev
from garabench.errors import InputError
from garabench.records.campaign_log import CampaignLog
from garabench.records.plan import Plan
from garabench.records.run_writer import RunWriter
from tests.small_suite import run_file

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def at(seconds: float) -> dt.datetime:
    return START + dt.timedelta(seconds=seconds)


def ended(seconds: float, device: str, *, last: bool = True) -> ev.AttemptEnded:
    return ev.AttemptEnded(
        time=at(seconds),
        device=device,
        episode="a",
        attempt=1,
        outcome="success",
        reason="goal",
        seconds=1,
        last=last,
    )


EVENTS = (
    ev.RunBegun(time=at(0), planned=4),
    ended(10, "a"),
    ended(12, "b"),
    ended(15, "a", last=False),  # repeated: it counts for the episode that ends at 30
    ended(30, "a"),
    ev.RunBegun(time=at(1000), planned=4, ended=3),
    ended(1005, "b"),
)


def test_time_of_an_episode_includes_all_that_kept_its_device_busy() -> None:
    assert episode_seconds(EVENTS) == (10, 12, 20, 5)


def test_devices_of_merged_workers_are_separate() -> None:
    """Both workers have a device ``a``, and the second one begins while the first one performs episodes."""
    second = [
        event.model_copy(update={"worker": "two", "time": event.time + dt.timedelta(seconds=11)})
        for event in EVENTS
    ]
    first = [event.model_copy(update={"worker": "one"}) for event in EVENTS]
    merged = sorted([*first, *second], key=lambda event: event.time)
    assert sorted(episode_seconds(merged)) == sorted(episode_seconds(EVENTS) * 2)


def test_equal_episodes_are_shared_out_evenly() -> None:
    one = predict([36.0], 100, 1)
    assert [one.hours, one.device_hours, one.busy] == pytest.approx([1.0, 1.0, 1.0])
    three = predict([36.0], 100, 3)
    assert three.hours == pytest.approx(0.34)  # one device performs 34 of them
    assert three.device_hours == pytest.approx(1.0)
    assert predict([36.0], 100, 1, slowdown=2.5).hours == pytest.approx(2.5)


@given(
    st.lists(st.floats(0.1, 100), min_size=1, max_size=20),
    st.integers(1, 60),
    st.integers(1, 9),
    st.integers(),
)
def test_prediction_is_within_the_bounds_of_list_scheduling(
    seconds: list[float], episodes: int, devices: int, seed: int
) -> None:
    devices = min(devices, episodes)
    found = predict(seconds, episodes, devices, seed=seed)
    assert found == predict(seconds, episodes, devices, seed=seed)
    even = found.device_hours / devices
    assert even * 0.999 <= found.hours <= (even + max(seconds) / 3600) * 1.001
    assert 0 < found.busy <= 1.001


def test_impossible_predictions_are_refused() -> None:
    with pytest.raises(InputError, match="no episode time is recorded"):
        predict([], 1, 1)
    with pytest.raises(InputError, match="cannot predict 3 episodes on 4 devices"):
        predict([1.0], 3, 4)


def test_command_prints_a_row_per_number_of_devices(tmp_path: Path) -> None:
    run = tmp_path / "run"
    RunWriter.create(run, run_file(Plan(tasks=("a",), agents=("ignore",))))
    for event in EVENTS:
        CampaignLog(run).append(event)
    done = CliRunner().invoke(main, ["runs", "predict", str(run), "--episodes", "100", "--devices", "1,4"])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("100 episodes of 11.8 s on average, by 4 measured ones\n")
    assert [line.split()[0] for line in done.output.splitlines()[2:]] == ["1", "4"]
    wrong = CliRunner().invoke(main, ["runs", "predict", str(run), "--devices", "1,x"])
    assert wrong.exit_code == 2
    assert "is not a list of numbers" in wrong.output

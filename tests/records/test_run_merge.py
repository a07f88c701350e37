from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.campaign.live_state import LiveState, after_all
from garabench.core.campaign_events import AttemptEnded, RunBegun, RunEnded, RunMerged
from garabench.core.events import EpisodeEnded
from garabench.errors import InputError
from garabench.records.campaign_log import CampaignLog, read_campaign
from garabench.records.fsck import check_run
from garabench.records.run_file import RunFile
from garabench.records.run_merge import merge_runs
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.core.test_campaign_events import ALL
from tests.planned import episodes

Record = Callable[..., EpisodeEnded]


@pytest.fixture
def workers(writer: RunWriter, suite: Suite, record: Record, tmp_path: Path) -> list[Path]:
    """Two workers; the first three episodes of the second were also begun by the first."""
    specs = episodes(writer.file.plan, suite)
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        RunWriter.create(folder, writer.file)
    for number, spec in enumerate(specs):
        record(folders[number >= 4], spec, "success" if number != 1 else "error")
    record(folders[1], specs[0], "failure")
    record(folders[1], specs[1], "failure")
    CampaignLog(folders[0]).append(ALL[-1])
    CampaignLog(folders[1]).append(ALL[0])
    return folders


def test_parts_of_a_campaign_become_one_run(workers: list[Path], tmp_path: Path) -> None:
    merged = merge_runs(workers, tmp_path / "merged")
    outcomes = [summary.outcome for summary in merged.run.summaries]
    assert outcomes == ["success", "failure", *["success"] * 6]  # the error of the first folder gives way
    assert merged.ended == 8
    assert len(merged.skipped) == 2
    assert [key for summary in merged.run.summaries if (key := summary.key)] == list(
        merged.run.file.episode_keys()
    )
    assert not list(check_run(merged.run))
    assert set(map(type, read_campaign(tmp_path / "merged"))) == {RunBegun, RunEnded, RunMerged}


def test_merged_log_names_the_workers_and_ends_with_the_figures_of_the_run(
    workers: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "merged"
    merge_runs([workers[1], *workers], out)  # a folder may be given twice
    events = read_campaign(out)
    names = {event.worker for event in events[:-1]}
    assert names == {"two#1", "one", "two#3"}
    merged = events[-1]
    assert isinstance(merged, RunMerged)
    assert (merged.planned, merged.ended, merged.outcomes) == (8, 8, {"failure": 2, "success": 6})
    assert merged.workers == ("two#1", "one", "two#3")
    again = tmp_path / "again"
    merge_runs([out], again)
    assert {event.worker for event in read_campaign(again)[:-2]} == {f"merged/{name}" for name in names}


def test_devices_of_merged_workers_are_separate(workers: list[Path], tmp_path: Path) -> None:
    begun, ended = ALL[0], ALL[4]
    assert isinstance(begun, RunBegun)
    assert isinstance(ended, AttemptEnded)
    for folder in workers:
        CampaignLog(folder).append(begun.model_copy(update={"planned": 4, "ended": 0}))
        CampaignLog(folder).append(ended.model_copy(update={"outcome": "success", "last": True}))
    merge_runs(workers, tmp_path / "merged")
    state = after_all(LiveState(), read_campaign(tmp_path / "merged"))
    assert (state.planned, state.ended, state.finished, state.detail) == (8, 8, True, "")
    ended_on = {label: each.ended for label, each in state.devices.items()}
    assert ended_on == {
        "one/phone-1": 1,
        "one/emulator-5554": 0,
        "two/phone-1": 1,
        "two/emulator-5554": 0,
    }


def test_a_part_alone_is_a_run(workers: list[Path], tmp_path: Path) -> None:
    assert merge_runs(workers[:1], tmp_path / "merged").ended == 4


def test_different_campaigns_are_not_merged(workers: list[Path], writer: RunWriter, tmp_path: Path) -> None:
    other: RunFile = writer.file.model_copy(update={"suite_hash": "0" * 64})
    RunWriter.create(tmp_path / "three", other)
    with pytest.raises(InputError, match="three has another version of the suite"):
        merge_runs([*workers, tmp_path / "three"], tmp_path / "merged")
    with pytest.raises(InputError, match="nothing to merge"):
        merge_runs([], tmp_path / "merged")
    with pytest.raises(InputError, match="already holds a run"):
        merge_runs(workers, workers[0])
    assert not (tmp_path / "merged").exists()

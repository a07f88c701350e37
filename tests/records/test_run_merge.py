from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.core.campaign_events import RunBegun, RunEnded
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
    assert set(map(type, read_campaign(tmp_path / "merged"))) == {RunBegun, RunEnded}


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

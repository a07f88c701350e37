from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.core.events import EpisodeEnded, EpisodeStarted
from garabench.errors import InputError, RecordError
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.plan import Plan
from garabench.records.results import read_results
from garabench.records.run_layout import EVENTS, RESULTS
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.planned import episodes

Record = Callable[..., EpisodeEnded]


def test_only_an_episode_that_has_ended_is_summarized(
    writer: RunWriter, plan: Plan, suite: Suite, record: Record
) -> None:
    won, lost, broken, cut, never, *_ = episodes(plan, suite)
    record(writer.folder, won, "success")
    record(writer.folder, lost, "failure")
    record(writer.folder, broken, "error")
    record(writer.folder, cut, "success")
    log = writer.folder / cut.folder / EVENTS
    log.write_bytes(log.read_bytes()[:-5])
    assert [(each.key, each.outcome) for each in writer.rebuild()] == [
        (won.key, "success"),
        (lost.key, "failure"),
        (broken.key, "error"),
    ]
    assert writer.summarize(cut.key) is None
    assert writer.summarize(never.key) is None
    summary = writer.summarize(won.key)
    assert summary is not None
    assert (summary.task, summary.reference, summary.solution_steps) == ("like-a", True, 0)


def test_results_are_rebuilt_from_the_episodes_in_the_plans_order(
    writer: RunWriter, plan: Plan, suite: Suite, record: Record
) -> None:
    specs = episodes(plan, suite)
    for spec in reversed(specs[1:]):
        record(writer.folder, spec, "success")
        summary = writer.summarize(spec.key)
        assert summary is not None
        writer.append_result(summary)
    appended = read_results(writer.folder)
    assert [(item.task, item.condition) for item in appended] == [
        (spec.task.id, spec.condition) for spec in reversed(specs[1:])
    ]
    (writer.folder / RESULTS).write_text("nonsense\n", encoding="utf-8")
    rebuilt = writer.rebuild()
    assert rebuilt == read_results(writer.folder) == tuple(reversed(appended))
    (writer.folder / RESULTS).unlink()
    assert writer.rebuild() == rebuilt
    assert not list(writer.folder.glob("*.part"))


def test_the_last_result_of_an_episode_counts(
    writer: RunWriter, plan: Plan, suite: Suite, record: Record
) -> None:
    first, second, *_ = episodes(plan, suite)
    for spec, outcome in ((first, "error"), (second, "failure"), (first, "success")):
        record(writer.folder, spec, outcome)
        summary = writer.summarize(spec.key)
        assert summary is not None
        writer.append_result(summary)
    found = read_results(writer.folder)
    assert [(item.condition, item.outcome) for item in found] == [("dual", "failure"), ("clean", "success")]


def test_a_truncated_result_is_ignored(writer: RunWriter, plan: Plan, suite: Suite, record: Record) -> None:
    specs = episodes(plan, suite)
    for spec in specs[:2]:
        record(writer.folder, spec, "success")
    one, two = writer.rebuild()
    whole = (writer.folder / RESULTS).read_bytes()
    for cut in (len(whole) - 1, len(whole) - 30):
        (writer.folder / RESULTS).write_bytes(whole[:cut])
        assert read_results(writer.folder) == (one,)
    assert writer.rebuild() == read_results(writer.folder) == (one, two)


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"task": "t", "exits": [], "recovery": []}', "3"])
def test_a_broken_result_is_reported_with_its_location(writer: RunWriter, line: str) -> None:
    (writer.folder / RESULTS).write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"results\.jsonl:1:1: not a result"):
        read_results(writer.folder)


def test_an_empty_line_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("\n\n", encoding="utf-8")
    assert read_results(tmp_path) == ()


def test_a_run_without_results_has_none(tmp_path: Path) -> None:
    assert read_results(tmp_path) == ()


def test_a_result_that_cannot_be_written_stops_the_run(
    writer: RunWriter, plan: Plan, suite: Suite, record: Record
) -> None:
    (spec, *_) = episodes(plan, suite)
    record(writer.folder, spec, "success")
    summary = writer.summarize(spec.key)
    assert summary is not None
    (writer.folder / RESULTS).mkdir()
    with pytest.raises(RecordError, match=r"results\.jsonl could not be written"):
        writer.append_result(summary)
    with pytest.raises(RecordError, match="could not be written"):
        writer.rebuild()


def test_the_length_of_the_solution_is_recorded(writer: RunWriter, plan: Plan, suite: Suite) -> None:
    spec, *_ = episodes(plan, suite)
    start = EpisodeStarted(
        step=0, t=0, task=spec.task.id, agent="dismiss", condition="clean", seed=spec.seed, suite_hash="s",
        instruction="Like it", solution_steps=7,
    )  # fmt: skip
    end = EpisodeEnded(step=1, t=1, outcome="success", reason="goal_met", steps=7)
    with EpisodeWriter(writer.folder / spec.folder) as episode:
        episode.append([start, end])
    (found,) = writer.rebuild()
    assert found.solution_steps == 7


def test_the_length_of_the_solution_missing_in_older_logs_comes_from_the_results(
    writer: RunWriter, plan: Plan, suite: Suite, record: Record
) -> None:
    spec, *_ = episodes(plan, suite)
    record(writer.folder, spec, "success")
    summary = writer.summarize(spec.key, solution_steps=3)
    assert summary is not None
    writer.append_result(summary)
    assert writer.rebuild() == (summary,)
    assert writer.rebuild() == (summary,)


def test_results_of_a_newer_version_are_refused(tmp_path: Path) -> None:
    line = (
        (Path(__file__).parents[1] / "data" / "runs" / "v1" / RESULTS)
        .read_text(encoding="utf-8")
        .splitlines()[0]
    )
    (tmp_path / RESULTS).write_text(line.replace("{", '{"version": 99, ', 1) + "\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"results\.jsonl:1:1: the result has version 99; this GaraBench reads"
    ):
        read_results(tmp_path)

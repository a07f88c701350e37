from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.graph.analysis import build_graphs, named_runs
from garabench.graph.graph_formats import analysis_data
from garabench.graph.step_thumbnails import step_thumbnails
from garabench.graph.stored_trajectories import FILE, FOLDER, load_trajectories
from garabench.records.reader import load_run
from garabench.stats.rates import Rate
from tests.graph.recorded_run import APP, TASK, record_run

RUN = "run"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    record_run(tmp_path / RUN)
    return tmp_path / RUN


def test_a_recorded_run_becomes_a_graph(run: Path) -> None:
    analysis = build_graphs(run)
    (task,) = analysis.tasks
    labels = {node.action.label: node for node in task.graph.nodes}
    assert set(labels) == {"tap open", "tap like", "tap lost", "tap page-failed", "⚡ page-failed"}
    assert labels["tap page-failed"].action.place == "interruption:page-failed"
    assert labels["tap open"].visits == 4
    dismissed, ignored = (each for each in task.view.detours)
    assert (dismissed.depth, ignored.depth) == (1, None)
    assert dismissed.returned == labels["tap like"].id
    assert dismissed.encounter.place == f"{APP}/.Main"
    (state,) = analysis.interruptions()
    assert (state.shown, state.pairs, state.lost, state.extra, state.depth) == (2, 2, 1, 1.0, 1.0)
    assert [(each.exit, each.success) for each in state.exits] == [("skip (dismiss)", Rate(1, 2))]
    # The second tap on the same screen changed nothing, and nothing is known of the screen after the last.
    necessary = {
        facts.trajectory.agent: facts.necessary for facts in task.paths.facts if facts.trajectory.encounters
    }
    assert necessary == {"dismiss": (True, None, True, True), "ignore": (True, None, True, False, True)}
    json.dumps(analysis_data(analysis), allow_nan=False)


def test_trajectories_are_stored_in_the_run(run: Path) -> None:
    first = build_graphs(run)
    stored = run / FOLDER / FILE
    assert stored.is_file()
    for events in (run / "episodes").rglob("events.jsonl"):
        events.unlink()
    assert build_graphs(run) == first
    renamed = run.with_name("renamed")
    run.rename(renamed)
    assert {each.source for each in build_graphs(renamed).trajectories} == {"renamed"}


def test_one_task_is_read_without_the_others(run: Path) -> None:
    first = load_trajectories(load_run(run))
    stored = run / FOLDER / FILE
    with stored.open("a", encoding="utf-8") as file:
        file.write('{"task":"another","steps":')
    assert load_trajectories(load_run(run), TASK) == first
    assert load_trajectories(load_run(run), "unknown").trajectories == ()


@pytest.mark.parametrize("text", ["", "{}\n", "[]", '{"version": 99}\n', "\x00"])
def test_broken_stored_trajectories_are_read_again(run: Path, text: str) -> None:
    first = build_graphs(run)
    (run / FOLDER / FILE).write_text(text, encoding="utf-8")
    assert build_graphs(run) == first


def test_two_runs_of_the_same_name_stay_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        record_run(tmp_path / name / RUN)
    analysis = build_graphs([tmp_path / "a" / RUN, tmp_path / "b" / RUN])
    assert {each.source for each in analysis.trajectories} == {"run", "run-2"}
    assert {each.attempt for each in analysis.trajectories} == {1, 2}
    assert [row.count for row in analysis.attempts] == [4, 4]


def test_screenshots_become_thumbnails(run: Path) -> None:
    analysis = build_graphs(run)
    found = step_thumbnails(
        analysis.trajectories, {name: each.store for name, each in named_runs([load_run(run)])}, 8
    )
    assert len(found) == 4
    assert all(address.startswith("data:image/webp;base64,") for address in found.values())
    assert step_thumbnails(analysis.trajectories, {}) == {}


def test_something_must_be_given() -> None:
    with pytest.raises(InputError, match="no run and no file"):
        build_graphs()


def test_a_selection_may_leave_nothing(run: Path) -> None:
    analysis = build_graphs(run, select=lambda each: each.task != TASK)
    assert analysis.tasks == ()
    assert analysis.complexities == analysis.agents == analysis.interruptions() == ()
    json.dumps(analysis_data(analysis), allow_nan=False)

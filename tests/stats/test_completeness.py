"""How much of their plans runs have performed."""

from __future__ import annotations

from pathlib import Path

from garabench.records.reader import load_run
from garabench.stats.comparison import compare
from garabench.stats.completeness import Completeness, completeness
from tests.report.written_runs import episode, write_run

ALL = [
    episode(task, "heuristic", condition, "success")
    for task in ("app-a", "app-b")
    for condition in ("clean", "dual")
]


def test_a_complete_run_has_nothing_to_state(tmp_path: Path) -> None:
    write_run(tmp_path / "run", ALL)
    compared = compare(tmp_path / "run")
    assert (compared.completeness, compared.notes) == (Completeness(4, 4, ()), ())


def test_missing_and_unfinished_episodes_are_counted_in_the_selected_tasks(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", ALL[:1], tasks=["app-a", "app-b"])
    for summary in ALL[1:3]:
        (writer.folder / summary.key.folder).mkdir(parents=True)
    run = load_run(tmp_path / "run")
    found = completeness([(run, run.summaries)])
    assert found == Completeness(4, 1, (ALL[1].key, ALL[2].key))
    assert found.sentences[0] == "1 of 4 planned episodes ended, 3 missing."
    assert found.sentences[1].startswith("2 episodes began without a complete result")
    assert compare(run, tasks=["app-a"]).completeness == Completeness(2, 1, (ALL[1].key,))


def test_a_truncated_log_of_a_recorded_result_is_stated(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", ALL)
    ended = b'{"type":"observed"}\n' * 500 + b'{"type":"episode_ended","outcome":"success"}\n'
    logs = dict(zip(ALL, (ended, ended[:-1], ended[:-30], b""), strict=True))
    for summary, log in logs.items():
        path = writer.folder / summary.key.folder / "events.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(log)
    found = compare(tmp_path / "run")
    assert found.completeness.truncated == tuple(each.key for each in ALL[1:])
    assert found.notes[0].startswith(
        f"3 event logs lack their end although the result is recorded, such as that of {ALL[1].key}"
    )


def test_runs_of_the_same_episodes_are_counted_apart(tmp_path: Path) -> None:
    write_run(tmp_path / "before", ALL)
    write_run(tmp_path / "after", ALL[:1], tasks=["app-a", "app-b"])
    found = compare({name: tmp_path / name for name in ("before", "after")}).completeness
    assert (found.planned, found.ended, found.missing) == (8, 5, 3)


def test_a_clean_run_states_that_it_compares_nothing(tmp_path: Path) -> None:
    write_run(tmp_path / "run", ALL[::2], conditions=["clean"])
    assert compare(tmp_path / "run").notes == (
        "There is nothing to compare: no two agents or conditions have a valid pair.",
        "Every episode was clean: these runs say nothing about interruptions.",
    )


def test_two_agents_can_be_compared_clean(tmp_path: Path) -> None:
    others = [episode(task, "other", "clean", "failure") for task in ("app-a", "app-b")]
    write_run(tmp_path / "run", [*ALL[::2], *others], conditions=["clean"])
    (note,) = compare(tmp_path / "run").notes
    assert note == "Every episode was clean: these runs say nothing about interruptions."

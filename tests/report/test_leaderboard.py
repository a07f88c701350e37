from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from garabench.core.line_checksum import parse_line, with_checksum
from garabench.errors import InputError
from garabench.records.plan import Plan
from garabench.records.reader import Run, load_run
from garabench.records.results import rebuild_results
from garabench.records.run_file import repetition_seed
from garabench.report.leaderboard import (
    Submission,
    make_submission,
    read_submission,
    submission_problems,
    submission_schema,
)
from garabench.stats.intervals import wilson_interval
from garabench.stats.result_tables import ResultTables
from tests.report.written_runs import FOUR, write_log, write_run

SUITE = "5" * 64


@pytest.fixture
def run(tmp_path: Path) -> Run:
    writer = write_run(tmp_path / "run", FOUR)
    for summary in FOUR:
        write_log(writer, summary, screen=b"a picture")
    rebuild_results(writer.folder, writer.file)
    return load_run(writer.folder)


def test_the_scores_of_the_records_are_valid_and_follow_the_schema(run: Run, tmp_path: Path) -> None:
    submission = make_submission([run], "me")
    path = tmp_path / "submission.json"
    path.write_text(submission.model_dump_json(), encoding="utf-8")
    assert read_submission(path) == submission
    assert list(submission_problems(submission, [run], SUITE)) == []
    jsonschema.validate(json.loads(path.read_bytes()), submission_schema("leaderboard"))
    (score,) = submission.agents
    clean, dual = score.conditions
    assert (clean.successes, clean.valid, dual.successes, dual.valid) == (2, 2, 1, 2)
    assert [(each.pairs, each.drop, each.solved_clean, each.rsr) for each in score.drops] == [
        (2, 0.5, 2, 0.5)
    ]


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_the_submitter_needs_a_name(run: Run, name: str) -> None:
    with pytest.raises(InputError, match=f"1 to 200 characters, not {len(name)}"):
        make_submission([run], name)


def test_stated_scores_are_not_believed(run: Run) -> None:
    data = make_submission([run], "me").model_dump()
    data["agents"][0]["conditions"][1]["successes"] = 2
    data["agents"][0]["drops"][0]["drop"] = 0.0
    data["device"] = "real"
    assert list(submission_problems(Submission.model_validate(data), [run])) == [
        'device is "real", but the records give "virtual"',
        "agents[0].conditions[1].successes is 2, but the records give 1",
        "agents[0].drops[0].drop is 0.0, but the records give 0.5",
    ]


def test_altered_results_other_suites_and_missing_episodes_are_named(run: Run, tmp_path: Path) -> None:
    results = run.folder / "results.jsonl"
    altered = [parse_line(line) for line in results.read_text(encoding="utf-8").splitlines()]
    lines = [json.dumps(line).replace("failure", "success") for line in altered]
    results.write_text("".join(f"{with_checksum(line)}\n" for line in lines), encoding="utf-8")
    submission = make_submission([run], "me")
    (score,) = submission.agents
    assert score.conditions[1].successes == 1  # from the log
    found = list(submission_problems(submission, [run], "6" * 64))
    assert found[0] == "the suite is 555555555555, not 666666666666"
    assert "results.jsonl" in found[1]

    incomplete = load_run(write_run(tmp_path / "other", FOUR[:1], tasks=["app-a", "app-b"]).folder)
    submission = make_submission([incomplete], "me")
    assert submission.ended == 0  # a line of results.jsonl without a log is not a result
    assert "4 of 4 planned episodes have no result" in "".join(submission_problems(submission, [incomplete]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"version": 3}', "has version 3; this GaraBench reads versions up to 2"),
        ('{"version": 1}', "has version 1, whose intervals were computed differently"),
        ('{"version": 2}', "submitter: Field required"),
        ("[]", "Input should be"),
    ],
)
def test_what_is_not_a_submission_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "submission.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_submission(path)
    with pytest.raises(InputError, match="no such file"):
        read_submission(tmp_path / "missing.json")


def test_a_submission_needs_a_run() -> None:
    with pytest.raises(InputError, match="no run"):
        make_submission([], "me")


def test_intervals_allow_for_several_seeds(tmp_path: Path) -> None:
    seeds = [repetition_seed(Plan(tasks=("a",), agents=("a",), seeds=3), number) for number in range(3)]
    summaries = [replace(each, seed=seed) for each in FOUR for seed in seeds]
    writer = write_run(tmp_path / "run", summaries, seeds=3)
    for summary in summaries:
        write_log(writer, summary)
    rebuild_results(writer.folder, writer.file)
    (score,) = make_submission([load_run(writer.folder)], "me").agents
    clean, dual = score.conditions
    assert (clean.successes, clean.valid, dual.successes, dual.valid) == (6, 6, 3, 6)
    assert clean.interval == pytest.approx(wilson_interval(2, 2), abs=1e-6)
    tables = ResultTables(summaries=tuple(summaries))
    assert dual.interval == pytest.approx(tables.conditions[1].interval, abs=1e-6)
    assert score.drops[0].interval == pytest.approx(tables.drops[0].drop_interval, abs=1e-6)

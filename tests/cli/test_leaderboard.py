"""`garabench leaderboard`, `garabench bundle` and `garabench runs import`, one after the other."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from garabench.cli.main import main
from tests.report.written_runs import FOUR, write_log, write_run


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


def test_a_bundle_travels_and_its_submission_is_validated(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", FOUR)
    for summary in FOUR:
        write_log(writer, summary)
    writer.rebuild()
    archive, submission = tmp_path / "run.zip", tmp_path / "submission.json"
    assert json.loads(run("bundle", tmp_path / "run", "--out", archive, "--json").output)["files"] == 7
    imported = json.loads(run("runs", "import", archive, "--out", tmp_path / "theirs", "--json").output)
    assert imported["episodes"]["success"] == 3
    assert run("runs", "import", archive, "--out", tmp_path / "theirs").exit_code == 2

    created = run("leaderboard", "create", archive, "--submitter", "me", "--out", submission)
    assert created.output == f"Submission: {submission}\n"
    valid = run("leaderboard", "validate", submission, tmp_path / "theirs", "--any-suite")
    assert (valid.exit_code, valid.output) == (0, "Valid.\n")
    stated = json.loads(submission.read_bytes())
    stated["agents"][0]["conditions"][0]["successes"] = 1
    submission.write_text(json.dumps(stated), encoding="utf-8")
    wrong = run("leaderboard", "validate", submission, archive, "--json")
    assert wrong.exit_code == 1
    problems = json.loads(wrong.output)["problems"]
    assert problems[0] == "agents[0].conditions[0].successes is 1, but the records give 2"
    assert problems[1].startswith("the suite is 555555555555, not ")

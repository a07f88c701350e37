from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main
from garabench.records.reader import Run
from tests.records.test_maintenance import found, picture, run  # noqa: F401  # a fixture
from tests.records.test_reader import RUNS, V1


def garabench(*words: object) -> Result:
    return CliRunner().invoke(main, ["runs", *map(str, words)])


def test_runs_are_listed_at_any_depth(tmp_path: Path) -> None:
    shutil.copytree(RUNS, tmp_path / "all" / "of" / "them")
    rows = json.loads(garabench("list", tmp_path, "--json").output)
    by_name = {Path(row["folder"]).name: row for row in rows}
    assert list(by_name) == ["log-3", "log-4", "log-5", "newer", "newer-log", "v1"]
    assert "has version 99" in by_name["newer"]["error"]
    assert by_name["v1"]["episodes"] == {"planned": 4, "success": 2, "failure": 0, "error": 0, "unknown": 0}
    output = garabench("list", tmp_path).output
    assert "virtual  2/4 episodes, 0 errors; 1 task, heuristic, dismiss" in output


def test_folder_without_runs_is_no_error(tmp_path: Path) -> None:
    done = garabench("list", tmp_path / "nothing")
    assert (done.exit_code, done.output) == (0, f"No runs in {tmp_path / 'nothing'}.\n")


def test_run_is_shown_with_its_outcomes() -> None:
    output = garabench("show", V1).output
    for line in ("recorded by GaraBench 0.1.0", "model             Virtual 14", "success           2",
                 "success: goal_met", "heuristic (heuristic), dismiss (reference)"):  # fmt: skip
        assert line in output
    data = json.loads(garabench("show", V1, "--json").output)
    assert (data["device"]["kind"], data["episodes"]["planned"]) == ("virtual", 4)


@pytest.mark.parametrize("verb", ["show", "du", "fsck", "prune"])
def test_folder_that_is_not_a_run_is_wrong_input(tmp_path: Path, verb: str) -> None:
    done = garabench(verb, tmp_path)
    assert (done.exit_code, "is not a run: it has no run.json" in done.output) == (2, True)


def test_fsck_ends_with_status_1_if_a_file_is_missing(run: Run) -> None:  # noqa: F811
    assert garabench("fsck", run.folder).exit_code == 0
    path = picture(run, b"page")
    path.unlink()
    done = garabench("fsck", run.folder)
    assert done.exit_code == 1
    assert f"missing  {path.relative_to(run.folder)}: " in done.output
    assert "1 problem in" in done.output
    done = garabench("fsck", run.folder, "--json")
    assert (done.exit_code, [row["kind"] for row in json.loads(done.output)]) == (1, ["missing"])


def test_dry_run_removes_nothing(run: Run) -> None:  # noqa: F811
    picture(run, b"never seen")
    planned = json.loads(garabench("prune", run.folder, "--dry-run", "--json").output)
    assert (len(planned["orphans"]), len(planned["earlier_pictures"]), planned["dry_run"]) == (1, 1, True)
    assert [kind for kind, _ in found(run)] == ["orphan"]
    assert (
        "Removed 1 orphaned file and 1 picture of earlier attempts" in garabench("prune", run.folder).output
    )
    assert found(run) == []


def test_disk_usage_of_a_run_is_shown(run: Run) -> None:  # noqa: F811
    data = json.loads(garabench("du", run.folder, "--json").output)
    assert data["named"] == 10
    assert "The records refer to 10 pictures and trees" in garabench("du", run.folder).output

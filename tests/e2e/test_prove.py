"""Tasks proven over the real wire, by the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from garabench.campaign.suite import Suite
from garabench.campaign.suite_files import default_root
from garabench.cli.main import main
from garabench.core.tree import parse_tree
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own

FEW = "bili-answer-fans,jd-new-nickname"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GARABENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def prove(*words: str) -> Result:
    return CliRunner().invoke(main, ["tasks", "prove", *words])


def test_tasks_of_both_apps_are_proven(tmp_path: Path) -> None:
    result = prove(FEW, "--jobs", "2", "--out", str(tmp_path / "out"))
    assert result.exit_code == 0, result.output
    assert "2 of 2 tasks are proven, on virtual devices." in result.output
    assert not (tmp_path / "out").exists()  # nothing failed, nothing is kept

    again = prove(FEW, "--device", "virtual", "--json")
    assert again.exit_code == 0
    rows = json.loads(again.stdout)
    assert [(row["ok"], row["cached"]) for row in rows] == [(True, True)] * 2
    assert {finding["check"] for finding in rows[0]["findings"]} >= {"exit", "rule-fires", "other-goal"}
    assert again.stderr == ""  # nothing was performed


def test_what_fails_is_told_kept_and_ends_with_1(tmp_path: Path) -> None:
    for folder in ("tasks", "goal_schemas", "rules"):
        shutil.copytree(default_root() / folder, tmp_path / "suite" / folder)
    file = tmp_path / "suite" / "tasks" / "bilibili.yaml"
    text = file.read_text(encoding="utf-8")
    solution = Suite.load().tasks["bili-switch-off-auto-play"].task.solution
    place = text.index("- id: bili-switch-off-auto-play")
    begin = text.index("    solution:\n", place)
    end = text.index("    near_misses:", begin)
    assert text.count("      - ", begin, end) >= len(solution)
    broken = "    solution:\n      - back\n      - tap: {id: nowhere}\n"
    file.write_text(text[:begin] + broken + text[end:], encoding="utf-8")

    result = prove(
        "bili-switch-off-auto-play", "--json", "--suite", str(tmp_path / "suite"), "--out", str(tmp_path)
    )
    assert result.exit_code == 1
    (row,) = json.loads(result.stdout)
    assert row["ok"] is False
    (solved,) = [finding for finding in row["findings"] if finding["check"] == "solved"]
    assert solved["why"] == "step 2 cannot be done: id=nowhere is not on the screen"
    picture = Path(solved["evidence"])
    assert picture == tmp_path / "bili-switch-off-auto-play" / "solved.png"
    assert Image.open(picture).size == (1080, 2400)
    assert parse_tree(picture.with_suffix(".xml").read_bytes()).nodes

    both = "bili-switch-off-auto-play,bili-answer-fans"
    brief = prove(both, "--brief", "--suite", str(tmp_path / "suite"), "--out", str(tmp_path))
    assert brief.exit_code == 1
    line, total = brief.stdout.splitlines()
    assert line.startswith("bili-switch-off-auto-play: ")
    assert "step 2 cannot be done: id=nowhere is not on the screen; see " in line
    assert total == "1 of 2 tasks are proven, on virtual devices."
    assert brief.stderr == ""


def test_a_task_that_cannot_be_done_is_proven(tmp_path: Path) -> None:
    result = prove("infeasible-fb-befriend-nobody", "--out", str(tmp_path), "--json")
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)
    needed = {found["subject"] for found in row["findings"] if found["check"] == "part-needed"}
    assert needed == {"seen", "harm", "field text_matches {first}", "field text_matches {name}"}


@pytest.mark.parametrize(
    ("words", "said", "status"),
    [
        (["bili-answer-fan"], "Did you mean 'bili-answer-fans'?", 2),
        (["bili-answer-fans", "--device", "virtual:android-3"], "Did you mean", 2),
        (["bili-answer-fans", "--device", "no-such-serial"], "no-such-serial", 3),
    ],
)
def test_what_cannot_be_proven_at_all_is_told_plainly(words: list[str], said: str, status: int) -> None:
    result = prove(*words)
    assert result.exit_code == status
    assert said in result.output
    assert "Traceback" not in result.output

"""Prove tasks over the real wire from the command line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from garabench.cli.main import main
from garabench.core.tree import parse_tree
from garabench.core.yamldoc import parse_yaml
from garabench.suite.files import default_root

TASK = "bili-answer-fans"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GARABENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def prove(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tasks", "prove", *arguments])


def test_proven_task_is_cached(tmp_path: Path) -> None:
    result = prove(TASK, "--jobs", "2", "--out", str(tmp_path / "out"))
    assert result.exit_code == 0, result.output
    assert "1 of 1 tasks are proven on virtual devices." in result.output
    assert not (tmp_path / "out").exists()  # evidence is saved only for failures

    again = prove(TASK, "--device", "virtual", "--json")
    assert again.exit_code == 0
    rows = json.loads(again.stdout)
    assert [(row["ok"], row["cached"]) for row in rows] == [(True, True)]
    assert {finding["check"] for finding in rows[0]["findings"]} >= {"exit", "rule-fires", "other-goal"}
    assert again.stderr == ""  # nothing was run


def test_failed_proof_is_reported_with_evidence_and_exits_with_1(tmp_path: Path) -> None:
    for folder in ("tasks", "goal_schemas", "rules"):
        shutil.copytree(default_root() / folder, tmp_path / "suite" / folder)
    file = tmp_path / "suite" / "tasks" / "bilibili.yaml"
    tasks = parse_yaml(file.read_text(encoding="utf-8"), str(file)).data
    (task,) = [each for each in tasks["tasks"] if each["id"] == "bili-switch-off-auto-play"]
    task |= {
        "solution": ["back", {"tap": {"id": "nowhere"}}],
        "rules": task["rules"][:1],
        "near_misses": task["near_misses"][:1],
    }
    file.write_text(json.dumps({**tasks, "tasks": [task]}), encoding="utf-8")  # JSON is YAML

    arguments = ("bili-switch-off-auto-play", "--suite", str(tmp_path / "suite"), "--out", str(tmp_path))
    result = prove(*arguments, "--json")
    assert result.exit_code == 1
    (row,) = json.loads(result.stdout)
    assert row["ok"] is False
    (solved,) = [finding for finding in row["findings"] if finding["check"] == "solved"]
    assert solved["reason"] == "cannot perform step 2: id=nowhere is not on screen"
    picture = Path(solved["evidence"])
    assert picture == tmp_path / "bili-switch-off-auto-play" / "solved.png"
    assert Image.open(picture).size == (1080, 2400)
    assert parse_tree(picture.with_suffix(".xml").read_bytes()).nodes

    brief = prove(
        "bili-switch-off-auto-play", "--brief", "--suite", str(tmp_path / "suite"), "--out", str(tmp_path)
    )
    assert brief.exit_code == 1
    line, total = brief.stdout.splitlines()
    assert line.startswith("bili-switch-off-auto-play: ")
    assert "cannot perform step 2: id=nowhere is not on screen; see " in line
    assert total == "0 of 1 tasks are proven on virtual devices."
    assert brief.stderr == ""


def test_proof_on_one_device_reports_its_paths_and_steps(tmp_path: Path) -> None:
    result = prove(TASK, "--device", "virtual:android-19:720x1280", "--jobs", "1", "--out", str(tmp_path))
    lines = result.stderr.splitlines()
    first = next(line for line in lines if " path " in line)
    begun = [line for line in lines if line.startswith(f"{TASK}: path ")]
    steps = [line for line in begun if ", step " in line]
    assert begun[1] == steps[0]
    assert re.match(rf"{TASK}: path 1 of \d+, step 1: \w", steps[0])
    paths = [line for line in begun if line not in steps]
    assert first == f"{TASK}: path 1 of {len(paths)}: the solution"
    assert any(": near miss " in line for line in paths)
    assert any(": interruptions: " in line for line in paths)
    numbers = [line.partition(": path ")[2].partition(": ")[0] for line in paths]
    assert numbers == [f"{number} of {len(paths)}" for number in range(1, len(paths) + 1)]
    assert lines[-1] == f"[1/1] {TASK}"


def test_infeasible_task_is_proven(tmp_path: Path) -> None:
    result = prove("infeasible-fb-befriend-nobody", "--out", str(tmp_path), "--json")
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)
    needed = {found["subject"] for found in row["findings"] if found["check"] == "part-needed"}
    assert needed == {"seen", "harm", "field text_matches {first}", "field text_matches {name}"}


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (["bili-answer-fan"], "Did you mean 'bili-answer-fans'?", 2),
        (["bili-answer-fans", "--device", "virtual:android-3"], "Did you mean", 2),
        (["bili-answer-fans", "--device", "no-such-serial"], "no-such-serial", 3),
    ],
)
def test_unusable_input_is_reported(arguments: list[str], message: str, status: int) -> None:
    result = prove(*arguments)
    assert result.exit_code == status
    assert message in result.output
    assert "Traceback" not in result.output

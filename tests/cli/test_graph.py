from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main
from tests.graph.recorded_run import record_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    record_run(tmp_path / "run")
    return tmp_path / "run"


def invoke(*words: object) -> Result:
    return CliRunner().invoke(main, ["graph", *map(str, words)])


def test_tables_and_files(run: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / f"out.{name}" for name in ("page", "graphml", "dot")}
    done = invoke(run, *(word for name, path in files.items() for word in (f"--{name}", path)))
    assert done.exit_code == 0
    assert "1 task, 4 trajectories, 13 steps: 5 nodes and 6 edges" in done.output
    assert "page-failed" in done.output
    assert all(path.stat().st_size > 500 for path in files.values())
    assert "data:image/webp" in files["page"].read_text(encoding="utf-8")


def test_json_of_a_selection(run: Path) -> None:
    done = invoke(run, "--agents", "dismiss", "--conditions", "clean,dual", "--json")
    data = json.loads(done.output)
    assert {path["agent"] for path in data["tasks"][0]["paths"]} == {"dismiss"}


def test_the_classes_of_edges_have_options(run: Path) -> None:
    options = ("--frequent", "0", "--rare", "0", "--trap", "0.5", "--critical", "0.6", "--least", "1")
    done = invoke(run, *options, "--json")
    data = json.loads(done.output)
    assert data["options"]["trap"] == 0.5
    kinds = {edge["class"] for edge in data["tasks"][0]["edges"] if edge["ratio"] <= 0.5}
    assert kinds == {"trap"}


def test_web_trajectories_alone(tmp_path: Path) -> None:
    file = tmp_path / "web.json"
    step = {"action": "click [1]", "url": "http://a.example/"}
    file.write_text(json.dumps([{"task": "7", "agent": "a", "success": 1, "steps": [step, step]}]))
    done = invoke("--from", file)
    assert done.exit_code == 0
    assert "1 task, 1 trajectory, 2 steps: 1 node and 1 edge" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no run and no file was given"),
        (("--tasks", "nothing"), "no trajectory matches"),
        (("--cache-replies", "cache"), "--cache-replies requires --model"),
        (("--theta", "0"), "theta"),
        (("--gamma", "1"), "gamma"),
        (("--model", "dismiss"), "dismiss"),
        (("--theta", "nan"), "theta"),
        (("--rare", "80"), "rare edges, 80.0"),
        (("--trap", "0.9"), "trap's highest success ratio (0.9)"),
        (("--critical", "1.5"), "critical"),
        (("--least", "0"), "least"),
    ],
)
def test_wrong_input_is_reported(run: Path, words: tuple[str, ...], message: str) -> None:
    done = invoke(*((run,) if words else ()), *words)
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output

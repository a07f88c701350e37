"""AndroidWorld's checkpoints, read without running them and recorded as a run."""

from __future__ import annotations

import base64
import collections
import gzip
import json
import pickle
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.errors import InputError
from garabench.records.reader import load_run
from garabench.verifier.imports.imported_run import import_run
from garabench.verifier.imports.inert_pickle import PickledArray, read_inert_pickle
from garabench.verifier.trajectory import TrajectorySource

APP = "org.example.sms"
RUNS = Path(__file__).parents[2] / "data" / "runs"


@dataclass
class BoundingBox:
    x_min: float
    x_max: float
    y_min: float
    y_max: float


@dataclass
class UIElement:
    text: str | None
    bbox_pixels: BoundingBox
    package_name: str = APP
    is_clickable: bool = True


@dataclass
class JSONAction:
    action_type: str
    index: int | None = None
    goal_status: str | None = None


class Attack:
    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self.file, "attacked")


def checkpoint(file: Path, content: object, protocol: int | None = None) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(pickle.dumps(content, protocol), 1))
    return file


def episode(action: JSONAction | None = None, **more: object) -> dict[str, Any]:
    elements = [UIElement("Send", BoundingBox(0, 100, 50, 150)), UIElement(None, BoundingBox(0, 100, 0, 50))]
    row = {
        "raw_screenshot": np.full((150, 100, 3), 9, np.uint8),
        "before_ui_elements": elements,
        "action_output_json": action or JSONAction("click", index=0),
        "action_reason": "send it",
    }
    end = {**row, "action_output_json": JSONAction("status", goal_status="complete")}
    data = collections.OrderedDict((key, [row[key], end[key]]) for key in row)
    base = {"goal": "Send hi", "task_template": "SmsSend", "agent_name": "m3a_gpt4v", "episode_data": data}
    return {**base, "is_successful": np.float64(1), "exception_info": None, **more}


def test_a_run_of_garabench_is_refused(tmp_path: Path) -> None:
    shutil.copytree(RUNS / "v1", tmp_path / "runs" / "first")
    for folder in (tmp_path / "runs", tmp_path / "runs" / "first"):
        with pytest.raises(
            InputError, match="first is a run of GaraBench, not a trajectory of androidworld"
        ) as raised:
            import_run(folder, TrajectorySource.ANDROIDWORLD, tmp_path / "out")
        assert raised.value.hint == f"Runs need no import: garabench verify run {tmp_path / 'runs/first'}"


def test_checkpoints_become_a_run_that_analyses_read(tmp_path: Path) -> None:
    results = tmp_path / "results"
    checkpoint(results / "SmsSend_0.pkl.gz", [episode(), episode(is_successful=float("nan"))])
    checkpoint(results / "SmsSend_1.pkl.gz", [episode(JSONAction("unknown"), exception_info="crash")], 5)
    done = import_run(results, TrajectorySource.ANDROIDWORLD, tmp_path / "run")
    assert (done.episodes, done.unknown, done.actions, done.unconverted) == (3, 1, 6, 1)
    run = load_run(tmp_path / "run")
    outcomes = {(each.task, each.agent, each.outcome, bool(each.unknown)) for each in run.summaries}
    assert outcomes == {
        ("sms-send", "m3a-gpt4v", "success", False),
        ("sms-send", "m3a-gpt4v", "failure", True),
        ("sms-send", "m3a-gpt4v", "error", False),
    }
    first = next(each for each in run.episodes if each.key.seed == run.summaries[0].seed)
    lines = (first.folder / "events.jsonl").read_text()
    assert '"type":"tap","x":50,"y":100' in lines.replace(" ", "")
    assert f'"package":"{APP}"' in lines
    shown = CliRunner().invoke(main, ["runs", "show", str(tmp_path / "run"), "--json"])
    assert json.loads(shown.output)["episodes"] == {
        "planned": 3,
        "success": 1,
        "failure": 0,
        "error": 1,
        "unknown": 1,
    }
    with pytest.raises(InputError, match="already holds a run"):
        import_run(results, TrajectorySource.ANDROIDWORLD, tmp_path / "run")


def test_an_episode_with_a_broken_picture_is_reported_and_the_others_are_imported(tmp_path: Path) -> None:
    results = tmp_path / "results"
    checkpoint(results / "SmsSend_0.pkl.gz", [episode()])
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\nbroken" + bytes(400)).decode()
    rows = [{"before_screenshot": picture, "action_output_json": {}}]
    (results / "b.json").write_text(json.dumps({"goal": "x", "episode_data": rows}), encoding="utf-8")
    done = CliRunner().invoke(
        main, ["tasks", "import", "androidworld", str(results), "--out", str(tmp_path / "run")]
    )
    assert done.exit_code == 1
    assert "1 episode with 2 actions imported" in done.output
    assert "the screen of step 0: the picture" in done.output and "Repair the file" in done.output
    assert len(load_run(tmp_path / "run").summaries) == 1
    (results / "SmsSend_0.pkl.gz").unlink()
    with pytest.raises(InputError, match="cannot be read: unknown format"):
        import_run(results, TrajectorySource.ANDROIDWORLD, tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_data(tmp_path: Path, protocol: int) -> None:
    attacked = tmp_path / "attacked"
    content = {"goal": Attack(attacked), "box": BoundingBox(1, 2, 3, 4), "n": np.float64(2.5)}
    content |= {"pixels": np.arange(6, dtype=np.uint8).reshape(1, 2, 3), "set": {1}, "ok": np.bool_(True)}
    found = read_inert_pickle(checkpoint(tmp_path / "a.pkl.gz", content, protocol))
    assert not attacked.exists()
    assert found == {
        "goal": None,
        "box": {"x_min": 1, "x_max": 2, "y_min": 3, "y_max": 4},
        "n": 2.5,
        "pixels": PickledArray((1, 2, 3), "u1", bytes(range(6))),
        "set": [1],
        "ok": True,
    }


def _bomb() -> object:
    value: object = "x"
    for _ in range(60):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80", "not a readable pickle"),
        (gzip.compress(b"cos\nsystem\n.")[:-9], "cannot be read"),
        (pickle.dumps(_bomb()), "expands to more than"),
        (b"Pouter\n.", "not a readable pickle"),
    ],
    ids=["one-byte", "truncated", "bomb", "other-object"],  # bytes as ids differ between workers
)
def test_hostile_pickles_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "SmsSend_0.pkl.gz"
    file.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_inert_pickle(file)

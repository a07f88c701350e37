"""Runs on older Android versions, with other shells and dumps and no uiautomator2 on 4.4."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.core import events as ev
from garabench.core.observation import TreeSource
from tests.bundled import bundled_suite

TASK = next(iter(bundled_suite().tasks))


@pytest.mark.parametrize(
    ("profile", "source"),
    [("android-19:720x1280", TreeSource.UIAUTOMATOR_DUMP), ("android-30", TreeSource.U2)],
)
def test_task_succeeds_under_every_condition(tmp_path: Path, profile: str, source: TreeSource) -> None:
    out = tmp_path / "run"
    argv = ["run", "--device", f"virtual:{profile}", "--jobs", "1", "--tasks", TASK, "--agents", "dismiss"]
    result = CliRunner().invoke(main, [*argv, "--conditions", "clean,dual,forced", "--out", str(out)])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in (out / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["condition"], row["outcome"], row["shown"]) for row in rows] == [
        ("clean", "success", 0),
        ("dual", "success", rows[1]["injected"]),
        ("forced", "success", rows[2]["injected"]),
    ]
    assert rows[1]["injected"] >= 1
    for path in out.glob("episodes/*/*/*/*/events.jsonl"):
        with path.open(encoding="utf-8") as lines:
            log = ev.read_lines(lines, path.name)
        assert {event.source for event in log if isinstance(event, ev.Observed)} == {source}

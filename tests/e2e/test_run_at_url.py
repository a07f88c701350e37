"""`run --out URL`: recorded at the URL, and resumed there when nothing is left on this computer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.records.fsck import check_run
from garabench.records.reader import load_run
from garabench.records.run_upload import working_folder
from tests.bundled import bundled_suite

pytestmark = pytest.mark.timeout(500)
TASK = min(bundled_suite().tasks.values(), key=lambda each: (len(each.task.solution), each.task.id)).task.id


def test_a_run_is_recorded_and_resumed_at_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec", reason="the extra garabench[remote] is not installed")
    monkeypatch.setenv("GARABENCH_CACHE", str(tmp_path / "cache"))
    there = tmp_path / "there" / "run"
    url = f"local://{there}"  # a file: URL is performed in its folder, and not copied
    words = ["run", "--tasks", TASK, "--agents", "dismiss", "--conditions", "clean", "--jobs", "1"]
    done = CliRunner().invoke(main, [*words, "--out", url])
    assert done.exit_code == 0, done.output
    assert f"Copied to local://{there}" in done.stderr
    assert not list(check_run(load_run(there)))
    shown = CliRunner().invoke(main, ["runs", "show", url])
    assert (shown.exit_code, TASK in shown.output) == (0, True), shown.output
    again = CliRunner().invoke(main, [*words, "--out", url])
    assert (again.exit_code, "already holds a run" in again.stderr) == (2, True), again.output

    before = load_run(there).summaries
    shutil.rmtree(working_folder(url))
    lost = there / before[0].key.folder
    shutil.rmtree(lost)
    resumed = CliRunner().invoke(main, ["run", "--out", url, "--resume", "--no-report"])
    assert resumed.exit_code == 0, resumed.output
    assert lost.is_dir()
    after = load_run(there).summaries
    assert [(each.key, each.outcome) for each in after] == [(each.key, each.outcome) for each in before]

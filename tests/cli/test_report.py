"""`garabench report`, and the report at the end of `garabench run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.cli.run import _write_report
from garabench.records.run_layout import RUN_FILE
from tests.report.written_runs import FOUR, write_run


def test_the_report_is_written_into_the_run_by_default(tmp_path: Path) -> None:
    write_run(tmp_path / "run", FOUR)
    result = CliRunner().invoke(main, ["report", str(tmp_path / "run"), "--redact", "--json"])
    written = json.loads(result.output)
    assert written["report"] == str(tmp_path / "run" / "report.html")
    assert Path(written["report"]).stat().st_size == written["bytes"]


def test_a_run_ends_with_the_path_of_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "run", FOUR)
    _write_report(tmp_path / "run")
    assert capsys.readouterr().out == f"Report:  {tmp_path / 'run' / 'report.html'}\n"
    (tmp_path / "run" / RUN_FILE).unlink()
    _write_report(tmp_path / "run")  # the run itself has succeeded
    assert "The report could not be written" in capsys.readouterr().err


def test_a_bug_in_the_report_does_not_fail_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_words: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("garabench.report.html_report.write_report", broken)
    _write_report(tmp_path)
    assert "bug in GaraBench; see /" in capsys.readouterr().err


def test_what_is_not_a_run_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["report", str(tmp_path)])
    assert result.exit_code == 2
    assert "is not a run" in result.output

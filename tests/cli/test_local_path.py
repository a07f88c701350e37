from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.campaign.run import run
from garabench.cli.main import main
from garabench.errors import InputError
from garabench.records.plan import Plan
from garabench.records.run_layout import LOCK
from garabench.records.run_writer import RunWriter
from tests.small_suite import run_file

URL = "memory://bucket/first"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    RunWriter.create(tmp_path / "run", run_file(Plan(tasks=("a",), agents=("ignore",))))
    return tmp_path / "run"


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--events", URL, "--out", "run"],
        ["run", "--replay", URL],
        ["runs", "list", URL],
        ["runs", "rebuild", URL],
        ["runs", "prune", URL],
        ["runs", "watch", URL],
        ["runs", "copy", URL, "memory://other"],
        ["runs", "merge", "run", "--out", URL],
        ["report", "run", "--out", URL],
        ["diagnose", URL],
        ["verify", URL],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_url_is_no_local_path(folder: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert f"{URL} is a URL" in " ".join(result.stderr.split())
    assert not (folder.parent / "memory:").exists()


@pytest.mark.parametrize("host", ["", "localhost"])
def test_a_file_url_is_a_local_path(folder: Path, host: str) -> None:
    url = f"file://{host}{folder}"
    assert CliRunner().invoke(main, ["runs", "watch", url, "--once"]).exit_code == 0
    assert CliRunner().invoke(main, ["runs", "list", url]).exit_code == 0
    again = CliRunner().invoke(main, ["run", "--tasks", "bilibili", "--limit", "1", "--out", url])
    assert (again.exit_code, f"{folder} already holds a run" in again.stderr) == (2, True), again.output
    other = CliRunner().invoke(main, ["runs", "watch", f"file://elsewhere{folder}", "--once"])
    assert (other.exit_code, "is a URL" in other.stderr) == (2, True)


def test_a_run_that_has_not_begun_is_not_resumed(folder: Path) -> None:
    (folder.parent / "early").mkdir()
    (folder.parent / "early" / LOCK).touch()
    for name in ("never", "early"):
        result = CliRunner().invoke(main, ["run", "--out", name, "--resume"])
        assert result.exit_code == 2
        message = " ".join(result.stderr.split())
        assert f"no run has begun in {name}, so no episode was performed" in message
        assert "run again without --resume" in message
    assert not (folder.parent / "never").exists()


def test_keys_in_a_url_are_not_shown(folder: Path) -> None:
    result = CliRunner().invoke(main, ["run", "--out", "s3://me:secret@bucket/first"])
    assert result.exit_code == 2
    assert "secret" not in result.output


def test_the_library_refuses_urls_too() -> None:
    with pytest.raises(InputError, match="memory://bucket/first is not a local folder"):
        run(Plan(tasks=("a",), agents=("ignore",)), URL)


def test_a_run_at_a_url_is_read(folder: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="the extra garabench[remote] is not installed")
    url = f"file://{folder.parent / 'copy'}"
    for arguments in (
        ["runs", "copy", "run", url],
        ["runs", "show", url],
        ["runs", "du", url],
        ["runs", "fsck", url],
        ["compare", url],
        ["compare", f"before={url}", "after=run"],
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, (arguments, result.output)
    result = CliRunner().invoke(main, ["runs", "show", "memory://nowhere/run"])
    assert (result.exit_code, "memory://nowhere/run is not a run" in result.stderr) == (2, True)
    assert fsspec.filesystem("memory").store == {}


def test_the_report_of_a_run_at_a_url_is_written_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec", reason="the extra garabench[remote] is not installed")
    written: list[Path] = []

    def write(runs: tuple[Path, ...], out: Path, **options: bool) -> Path:
        written.append(out)
        out.touch()
        return out

    monkeypatch.setattr("garabench.cli.report.write_report", write)
    CliRunner().invoke(main, ["runs", "copy", "run", f"file://{folder.parent / 'copy'}"])
    for name in (f"file://{folder.parent / 'copy'}", "run"):
        assert CliRunner().invoke(main, ["report", name]).exit_code == 0
    assert written == [Path("report.html"), Path("run/report.html")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("check none", "none:1:1: no such file or folder"),
        ("tasks list --suite none", "no such folder: none"),
        ("verify none", "no such folder: none"),
        ("view none", "no such folder: none"),
        ("report none", "no such folder: none"),
        ("runs import none.zip --out new", "no such file: none.zip"),
        ("verify agreement none.csv", "no such file: none.csv"),
        ("agents parse gpt-4o none.txt", "no such file: none.txt"),
        ("phone start --app none.yaml", "no such file or folder: none.yaml"),
        ("goals test --goal video-liked none.xml", "no such file or folder: none.xml"),
        ("tasks list --suite file", "file is a file, not a folder"),
        ("runs import run --out new", "run is a folder, not a file"),
        ("agents parse gpt-4o run", "run is a folder, not a file"),
    ],
)
def test_a_missing_path_is_one_sentence(folder: Path, arguments: str, message: str) -> None:
    (folder.parent / "file").touch()
    result = CliRunner().invoke(main, arguments.split())
    assert (result.exit_code, result.stderr.splitlines()[0]) == (2, f"Error: {message}")
    assert "Usage:" not in result.stderr

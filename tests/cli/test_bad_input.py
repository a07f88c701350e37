"""Wrong input to any command gives a plain sentence and the right exit status, never a traceback."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from garabench.cli import check as check_module
from garabench.cli.error_exits import PIPE_CLOSED, report_errors
from garabench.cli.main import main
from garabench.records.run_layout import RESULTS
from garabench.suite.files import default_root
from tests.report.written_runs import FOUR, write_log, write_run

FOLDERS = ("tasks", "goal_schemas", "rules")


def run(*words: Path | str) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def refused(result: Result, message: str, status: int = 2) -> None:
    assert result.exit_code == status, result.output
    assert message in result.output
    assert "Traceback" not in result.output
    assert "bug in GaraBench" not in result.output


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A copy of the suite."""
    root = tmp_path / "suite"
    for folder in FOLDERS:
        shutil.copytree(default_root() / folder, root / folder)
    return root


@pytest.fixture
def small_suite(tmp_path: Path) -> Path:
    """A copy of the suite's files for two apps: checking all takes a second."""
    root = tmp_path / "suite"
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True)
        for name in ("bilibili.yaml", "interruptions.yaml", "jd.yaml"):
            if (file := default_root() / folder / name).is_file():
                shutil.copy(file, root / folder)
    return root


def change(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


def folder_for_file(suite: Path) -> None:
    (suite / "tasks" / "x.yaml").mkdir()


def broken_link(suite: Path) -> None:
    (suite / "rules" / "x.yaml").symlink_to("/nowhere/at-all")


def not_text(suite: Path) -> None:
    (suite / "rules" / "x.yaml").write_bytes(b"\xff\x00")


def other_suffix(suite: Path) -> None:
    (suite / "rules" / "jd.yaml").rename(suite / "rules" / "jd.yml")


def empty(suite: Path) -> None:
    (suite / "goal_schemas" / "x.yaml").write_text("")


def cut_off(suite: Path) -> None:
    (suite / "rules" / "x.yaml").write_text('app: "a.b\n')


def no_folder(suite: Path) -> None:
    for folder in ("goal_schemas", "rules", "tasks"):
        shutil.rmtree(suite / folder)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (folder_for_file, "x.yaml is a folder, not a file"),
        (broken_link, "x.yaml"),
        (not_text, "x.yaml:1:1: not UTF-8 text (byte 0)"),
        (other_suffix, "jd.yml is not read: the file name must end in .yaml"),
        (empty, "x.yaml:1:1: expected a mapping at the top level"),
        (cut_off, "x.yaml:2:1: not valid YAML"),
        (no_folder, "it has none of the folders tasks/, goal_schemas/, rules/"),
    ],
)
def test_damaged_suite_is_reported_by_every_command_that_reads_it(
    small_suite: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(small_suite)
    refused(run("check", small_suite), message)
    refused(run("rules", "check", small_suite), message)
    refused(run("rules", "list", "--suite", small_suite), message)


def test_byte_order_marks_and_windows_line_breaks_are_accepted(suite: Path) -> None:
    for file in suite.glob("*/*.yaml"):
        data = file.read_bytes().replace(b"\n", b"\r\n")
        file.write_bytes(b"\xef\xbb\xbf" + data)
    assert run("check", suite).exit_code == 0


def test_single_files_are_checked_with_and_without_their_suite(suite: Path, tmp_path: Path) -> None:
    rules, tasks = suite / "rules" / "jd.yaml", suite / "tasks" / "jd.yaml"
    done = run("check", rules, tasks, suite / "rules" / "interruptions.yaml")
    assert done.exit_code == 0
    assert done.output.count(" OK\n") == 3
    change(rules, "min_step:", "min_stepp:")
    refused(run("check", rules), "unknown key 'min_stepp'")
    beside = run("check", suite / "rules" / "bilibili.yaml")
    assert (beside.exit_code, "other files of the suite have 1 mistake." in beside.output) == (0, True)
    change(tasks, "use: ", "use: no-such-")
    refused(run("check", tasks), "unknown goal 'no-such-")
    alone = tmp_path / "alone" / "rules"
    alone.mkdir(parents=True)
    shutil.copy(suite / "rules" / "bilibili.yaml", alone)
    done = run("check", alone / "bilibili.yaml")
    assert (done.exit_code, done.output.endswith(" rules OK\n")) == (0, True), done.output
    refused(
        run("check", tmp_path / "nowhere.yaml"), f"{tmp_path / 'nowhere.yaml'}:1:1: no such file or folder"
    )
    (tmp_path / "notes.txt").write_text("")
    refused(run("check", tmp_path / "notes.txt"), "notes.txt:1:1: not a suite file")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("rulez:\n- a: [1\n", "loose.yaml:3:1", "expected"),
        ("rulez:\n- a\n", "loose.yaml:1:1", "Did you mean 'rules'?"),
    ],
)
def test_files_outside_a_suite_with_a_broken_beginning(
    tmp_path: Path, text: str, place: str, message: str
) -> None:
    (tmp_path / "loose.yaml").write_text(text, encoding="utf-8")
    done = run("check", tmp_path / "loose.yaml")
    refused(done, place)
    refused(done, message)


def test_a_selector_that_leaves_out_everything_selects_no_task(tmp_path: Path) -> None:
    message = "'jd,-jd' selects no task: it leaves out all tasks that it selects"
    refused(run("run", "--tasks", "jd,-jd", "--agents", "dismiss", "--out", tmp_path / "r"), message)
    refused(run("tasks", "list", "jd,-jd"), message)


def test_a_missing_price_file_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "no-prices.yaml"
    done = run("run", "--tasks", "jd", "--agents", "dismiss", "--prices", file, "--out", tmp_path / "r")
    refused(done, f"no such file: {file}")
    assert done.output.count("no-prices") == 1


def test_all_mistakes_are_reported_in_the_order_of_files_and_lines(suite: Path) -> None:
    counts = {}
    for name in ("jd", "weibo"):
        file = suite / "rules" / f"{name}.yaml"
        text = file.read_text(encoding="utf-8")
        counts[name] = text.count("min_step:")
        file.write_text(text.replace("min_step:", "min_stepp:"), encoding="utf-8")
    assert min(counts.values()) > 20
    result = run("check", suite)
    refused(result, "Did you mean 'min_step'?")
    lines = result.output.splitlines()
    matches = [
        re.fullmatch(r"Error: (.*\.yaml):(\d+):(\d+): unknown key 'min_stepp'", line) for line in lines
    ]
    places = [(match[1], int(match[2]), int(match[3])) for match in matches if match]
    assert len(places) == sum(counts.values())
    assert places == sorted(places)
    assert f"{len(places)} mistakes" in lines


def test_long_lines_are_shortened_around_the_mistake(tmp_path: Path) -> None:
    for folder in FOLDERS:
        (tmp_path / folder).mkdir()
    entry = '{"id": "a", "colour": 1}'
    entries = ", ".join([entry] * 300)
    (tmp_path / "rules" / "a.yaml").write_text(f'{{"app": "com.example.a", "rules": [{entries}]}}')
    result = run("check", tmp_path)
    refused(result, "unknown key 'colour'")
    shown = [line for line in result.output.splitlines() if line.startswith("  ")]
    assert len(shown) > 300
    assert max(map(len, shown)) < 210
    carets = [(above, line.index("^")) for above, line in pairwise(shown) if line.endswith("^")]
    assert carets and all(0 < at < len(above) for above, at in carets)
    assert any(above[at:].startswith('"colour"') for above, at in carets)


ENTITY = '<!DOCTYPE h [<!ENTITY a SYSTEM "file:///etc/hostname">]><hierarchy><node text="&a;"/></hierarchy>'


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("xml", "message"),
    [
        (ENTITY, "has a document type, which Android never writes"),
        ("<hierarchy>\n<node></hierarchy>", ":2:9: not a UI tree: the UI tree is not valid XML"),
        ("", "is not valid XML"),
        ("<hierarchy>" + "<node/>" * 100_001 + "</hierarchy>", "has more than 100000 nodes"),
        ("<hierarchy>" + "<node>" * 500 + "</node>" * 500 + "</hierarchy>", "is deeper than"),
        ("<html/>", ": not a UI tree: the UI tree begins with <html>"),
    ],
    ids=["entity", "invalid", "empty", "large", "deep", "other"],
)
def test_files_that_are_not_trees_are_rejected(tmp_path: Path, xml: str, message: str) -> None:
    (tmp_path / "x.xml").write_text(xml)
    refused(run("rules", "explain", "all", tmp_path / "x.xml"), message)
    (tmp_path / "x.xml.gz").write_bytes(gzip.compress(xml.encode()))
    refused(run("rules", "explain", "all", tmp_path / "x.xml.gz"), message)


def test_tree_of_a_hundred_thousand_nodes_is_explained(tmp_path: Path) -> None:
    row = '<node text="row" package="com.jingdong.app.mall" bounds="[0,0][1,1]"/>'
    (tmp_path / "x.xml").write_text("<hierarchy>" + row * 100_000 + "</hierarchy>")
    result = run("rules", "explain", "jd-search-wifi", tmp_path / "x.xml")
    assert result.exit_code == 0
    assert "does not fire" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "--tasks", "bili-like-song-liv"), "Did you mean 'bili-like-song-live'?"),
        (("run", "--agents", "ignor"), "Did you mean 'ignore'?"),
        (("run", "--seeds", "0"), "--seeds"),
        (("run", "--limit", "0"), "--limit"),
        (("run", "--jobs", "none"), "--jobs"),
        (("run", "--ray-address", "host:6379"), "--ray-address needs --engine ray."),
        (
            (
                "run",
                "--no-such-option",
            ),
            "--no-such-option",
        ),
        (("rules", "explain", "no-such-rule", "x.xml"), "unknown rule"),
        (("tasks", "show", "no-such-task"), "unknown task, app or tag 'no-such-task'"),
        (("goals", "list", "no-such-goal"), "no-such-goal"),
        (("compare",), "Missing argument"),
        (("compare", "x.xml", "--power", "nan"), "'nan' is not a number"),
        (("no-such-command",), "No such command"),
    ],
)
def test_wrong_arguments_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.xml").write_text("<hierarchy><node/></hierarchy>")
    refused(run(*words), message)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "RUN"),
        ("report", "RUN"),
        ("runs", "show", "RUN"),
        ("export", "RUN", "--to", "csv", "--out", "x.csv"),
        ("leaderboard", "create", "RUN", "--submitter", "us", "--out", "x.json"),
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize(
    ("line", "message"),
    [(b'{"task": "app-a"', "not a result"), (b"\xff", "not UTF-8")],
    ids=["cut", "binary"],
)
def test_a_damaged_line_of_the_results_names_the_commands_that_mend_it(
    tmp_path: Path, words: tuple[str, ...], line: bytes, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    writer = write_run(Path("my run"), FOUR)
    for summary in FOUR:
        write_log(writer, summary)
    first, _, *rest = (writer.folder / RESULTS).read_bytes().splitlines(keepends=True)
    (writer.folder / RESULTS).write_bytes(b"".join((first, line + b"\n", *rest)))
    words = tuple(word.replace("RUN", "my run") for word in words)
    result = run(*words)
    refused(result, f"results.jsonl:2:1: {message}")
    assert "garabench runs fsck 'my run'" in result.output
    assert "garabench runs rebuild 'my run'" in result.output
    assert run("runs", "rebuild", "my run").exit_code == 0
    assert run(*words).exit_code == 0


def test_bug_gives_a_sentence_and_a_traceback_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(paths: object) -> str:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(check_module, "check_files", broken)
    result = run("check")
    assert result.exit_code == 1
    message, _, path = result.output.strip().partition("; see ")
    assert message == "Error: bug in GaraBench (ZeroDivisionError)"
    log = Path(path)
    text = log.read_text(encoding="utf-8")
    log.unlink()
    assert text.startswith("Traceback (most recent call last):")
    assert text.endswith("ZeroDivisionError: division by zero\n")


def test_bug_whose_traceback_cannot_be_written_gives_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(paths: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(check_module, "check_files", broken)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    result = run("check")
    assert result.exit_code == 1
    assert result.output == (
        "Error: bug in GaraBench (ZeroDivisionError); the traceback could not be written\n"
    )


def test_output_to_a_full_disk_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from garabench.cli.main import main; main()", "tasks", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        1,
        "Error: the disk is full; the last file is incomplete\n",
    )


def test_unwritable_output_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(run("schemas", "--out", tmp_path / "file" / "schemas"), "Not a directory")
    assert run("schemas", "--out", tmp_path / "new" / "schemas").exit_code == 0


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [(KeyboardInterrupt(), 130, "Interrupted"), (click.UsageError("wrong"), 2, "wrong")],
)
def test_ctrl_c_and_usage_errors_are_not_bugs(error: BaseException, status: int, message: str) -> None:
    @click.command()
    @report_errors
    def command() -> None:
        raise error

    result = CliRunner().invoke(command)
    assert (result.exit_code, "Traceback" in result.output) == (status, False)
    assert message in result.output
    assert PIPE_CLOSED == 128 + 13

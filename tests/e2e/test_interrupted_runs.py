"""Runs that Ctrl-C, a kill, a lost device or a full disk interrupts, and how they are resumed."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.records.fsck import InconsistencyKind, check_run
from garabench.records.reader import load_run
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite

CODE = "from garabench.cli.main import main; main()"
SHORTEST = min(bundled_suite().tasks.values(), key=lambda each: (len(each.task.solution), each.task.id))
TASKS = SHORTEST.task.id
WORDS = ["--tasks", TASKS, "--agents", "dismiss,ignore", "--conditions", "clean,dual", "--jobs", "1"]
EPISODES = 4
SHORT = ["--tasks", TASKS, "--agents", "dismiss,ignore", "--conditions", "clean", "--jobs", "1"]
SHORT_EPISODES = 2
LIMIT_S = 250
"""Seconds for a run, which takes a few on an idle machine."""

pytestmark = pytest.mark.timeout(2 * LIMIT_S)


def begin(*words: str, **more: object) -> subprocess.Popen[str]:
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, "-c", CODE, "run", "--print-episodes", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        **more,  # type: ignore[call-overload]
    )
    return process


def finish(*words: str) -> str:
    process = begin(*words)
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, err
    return out


def wait_for_lines(process: subprocess.Popen[str], count: int) -> None:
    """Wait until as many episodes are reported."""
    assert process.stderr is not None
    seen = 0
    while seen < count:
        line = process.stderr.readline()
        assert line, "the run has ended already"
        seen += "/" in line.split(" ", 1)[0]


def outcomes(folder: Path) -> list[tuple[str, ...]]:
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    return [(r["task"], r["agent"], r["condition"], r["outcome"], str(r["steps"])) for r in rows]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, ...]]:
    """Return the outcomes of the same run without an interruption."""
    whole = tmp_path_factory.mktemp("undisturbed") / "run"
    finish(*WORDS, "--out", str(whole))
    found = outcomes(whole)
    assert len(found) == len({row[:3] for row in found}) == EPISODES
    return found


def test_printed_command_resumes_after_ctrl_c_without_loss_or_duplicates(
    tmp_path: Path, undisturbed: list[tuple[str, ...]]
) -> None:
    interrupted = tmp_path / "interrupted"
    process = begin(*WORDS, "--out", str(interrupted))
    wait_for_lines(process, 1)  # early: the run must not be over before the signal is there
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 130
    assert "Traceback" not in err
    words = resume_command(err)
    assert list(interrupted.glob("episodes/*/*/*/*/events.jsonl"))
    finish(*words)
    assert outcomes(interrupted) == undisturbed


def test_run_resumes_after_kill_9(tmp_path: Path, undisturbed: list[tuple[str, ...]]) -> None:
    folder = tmp_path / "run"
    process = begin(*WORDS, "--out", str(folder))
    wait_for_lines(process, 2)
    process.kill()
    process.wait(timeout=LIMIT_S)
    finish(*WORDS, "--out", str(folder), "--resume")
    assert outcomes(folder) == undisturbed
    assert {found.kind for found in check_run(load_run(folder))} <= {InconsistencyKind.ORPHAN}


def test_full_disk_is_reported_and_written_records_stay(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    process = begin(*SHORT, "--out", str(folder), preexec_fn=small_files)
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1, err
    assert "Traceback" not in err
    assert str(folder) in err
    finish(*resume_command(err))
    assert len(outcomes(folder)) == SHORT_EPISODES


def test_killed_virtual_phone_is_restarted(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = begin(*SHORT, "--out", str(folder))
    wait_for_lines(process, 1)
    listing = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
    )
    phone = next(line for line in listing.stdout.splitlines() if "garabench.virtual" in line)
    os.kill(int(phone.split()[0]), signal.SIGKILL)
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, err
    found = outcomes(folder)
    assert len(found) == SHORT_EPISODES
    assert all(row[3] in ("success", "failure") for row in found), out


def test_run_in_progress_cannot_be_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = begin(*WORDS, "--out", str(folder))
    wait_for_lines(first, 1)
    second = begin(*WORDS, "--out", str(folder), "--resume")
    _, err = second.communicate(timeout=120)
    assert (second.returncode, "is in use by another process" in err) == (2, True)
    _, err = first.communicate(timeout=240)
    assert first.returncode == 0, err
    assert len(outcomes(folder)) == EPISODES
    assert not list(folder.glob("episodes/**/attempt-*"))


def resume_command(err: str) -> list[str]:
    line = next(line for line in err.splitlines() if line.startswith("Resume: "))
    words = shlex.split(line.removeprefix("Resume: "))
    assert Path(words[0]).name == "garabench"
    assert words[1] == "run"
    return words[2:]


def test_lost_device_is_reported_and_a_similar_one_resumes(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with VirtualPhone() as phone:
        lost = phone.serial
        process = begin(*WORDS, "--device", lost, "--yes", "--out", str(folder))
        wait_for_lines(process, 1)
        phone.stop()
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 3, err
    assert "Traceback" not in err
    assert err.count("Error: ") == 1
    assert lost in err
    words = resume_command(err)
    before = outcomes(folder)
    assert 1 <= len(before) < EPISODES
    assert len({row[:3] for row in before}) == len(before)
    with VirtualPhone() as phone:
        finish(*(phone.serial if word == lost else word for word in words))
    found = outcomes(folder)
    assert len(found) == len({row[:3] for row in found}) == EPISODES
    assert all(row[3] in ("success", "failure") for row in found)
    assert {row for row in before if row[3] != "error"} <= set(found)  # nothing was performed twice
    with VirtualPhone("android-34:720x1280") as phone:
        process = begin(*(phone.serial if word == lost else word for word in words))
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "was recorded on a device with another size: 1080x2400, now 720x1280" in err


def test_run_of_a_real_device_is_not_resumed_on_a_virtual_one(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["--tasks", TASKS, "--limit", "1", "--agents", "ignore", "--conditions", "clean"]
    finish(*words, "--out", str(folder))
    written = folder / "run.json"
    text = written.read_text(encoding="utf-8")
    assert '"kind": "virtual"' in text or '"kind":"virtual"' in text
    written.write_text(re.sub(r'("kind": ?)"virtual"', r'\1"real"', text), encoding="utf-8")
    process = begin(*words, "--device", "virtual", "--out", str(folder), "--resume")
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "their results are never mixed" in err


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("--device", "127.0.0.1:1"), 3, "device 127.0.0.1:1 is not connected"),
        (("--tasks", "bili-like-song-liv"), 2, "bili-like-song-live"),
        (("--agents", "dismis"), 2, "dismiss"),
        (("--conditions", "dua"), 2, "dual"),
        (("--device", "virtual", "--device", "127.0.0.1:1"), 2, "cannot share a run"),
        (("--device", "virtual:android-9"), 2, "android"),
        (("--resume",), 2, "no run"),
    ],
)
def test_wrong_arguments_are_reported(
    tmp_path: Path, words: tuple[str, ...], status: int, message: str
) -> None:
    done = CliRunner().invoke(main, ["run", *words, "--out", str(tmp_path / "run")])
    assert done.exit_code == status
    assert isinstance(done.exception, SystemExit)  # no other exception comes through
    assert message in done.stderr
    assert not (tmp_path / "run" / "run.json").exists()

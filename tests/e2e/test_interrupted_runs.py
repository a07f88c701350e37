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

MAIN = "from garabench.cli.main import main; main()"
SHORTEST = min(bundled_suite().tasks.values(), key=lambda each: (len(each.task.solution), each.task.id))
TASKS = SHORTEST.task.id
ARGUMENTS = ["--tasks", TASKS, "--agents", "dismiss,ignore", "--conditions", "clean,dual", "--jobs", "1"]
EPISODES = 4
SHORT_ARGUMENTS = ["--tasks", TASKS, "--agents", "dismiss,ignore", "--conditions", "clean", "--jobs", "1"]
SHORT_EPISODES = 2
LIMIT_S = 250
"""Seconds for a run, which takes a few on an idle machine."""

pytestmark = pytest.mark.timeout(2 * LIMIT_S)


def start_run(*arguments: str, **more: object) -> subprocess.Popen[str]:
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, "-c", MAIN, "run", "--no-report", "--print-episodes", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        **more,  # type: ignore[call-overload]
    )
    return process


def complete_run(*arguments: str) -> str:
    process = start_run(*arguments)
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, err
    return out


def wait_for_lines(process: subprocess.Popen[str], count: int) -> None:
    """Wait until the run has reported this many episodes."""
    assert process.stderr is not None
    seen = 0
    while seen < count:
        line = process.stderr.readline()
        assert line, "the run has already ended"
        seen += "/" in line.split(" ", 1)[0]


def outcomes(folder: Path) -> list[tuple[str, ...]]:
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    return [(r["task"], r["agent"], r["condition"], r["outcome"], str(r["steps"])) for r in rows]


@pytest.fixture(scope="module")
def uninterrupted_outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, ...]]:
    """The outcomes of the same run when nothing interrupts it."""
    folder = tmp_path_factory.mktemp("uninterrupted") / "run"
    complete_run(*ARGUMENTS, "--out", str(folder))
    found = outcomes(folder)
    assert len(found) == len({row[:3] for row in found}) == EPISODES
    return found


def test_printed_command_resumes_after_ctrl_c_without_loss_or_duplicates(
    tmp_path: Path, uninterrupted_outcomes: list[tuple[str, ...]]
) -> None:
    interrupted = tmp_path / "interrupted"
    process = start_run(*ARGUMENTS, "--out", str(interrupted))
    wait_for_lines(process, 1)  # early, so that the signal arrives before the run ends
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 130
    assert "Traceback" not in err
    arguments = resume_command(err)
    assert list(interrupted.glob("episodes/*/*/*/*/events.jsonl"))
    complete_run(*arguments)
    assert outcomes(interrupted) == uninterrupted_outcomes


def test_run_resumes_after_kill_9(tmp_path: Path, uninterrupted_outcomes: list[tuple[str, ...]]) -> None:
    folder = tmp_path / "run"
    process = start_run(*ARGUMENTS, "--out", str(folder))
    wait_for_lines(process, 2)
    process.kill()
    process.wait(timeout=LIMIT_S)
    watched = CliRunner().invoke(main, ["runs", "watch", str(folder)]).output
    assert "stopped: killed" in watched
    complete_run("--jobs", "1", *resume_command(watched))  # the plan is that of the folder
    assert outcomes(folder) == uninterrupted_outcomes
    assert {found.kind for found in check_run(load_run(folder))} <= {InconsistencyKind.ORPHAN}


def test_full_disk_is_reported_and_written_records_stay(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def limit_file_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    process = start_run(*SHORT_ARGUMENTS, "--out", str(folder), preexec_fn=limit_file_size)
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1, err
    assert "Traceback" not in err
    assert str(folder) in err
    complete_run(*resume_command(err))
    assert len(outcomes(folder)) == SHORT_EPISODES


def test_killed_virtual_phone_is_restarted(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start_run(*SHORT_ARGUMENTS, "--out", str(folder))
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
    first = start_run(*ARGUMENTS, "--out", str(folder))
    wait_for_lines(first, 1)
    watched = CliRunner().invoke(main, ["runs", "watch", str(folder), "--json"]).output
    assert not json.loads(watched)["finished"]
    second = start_run(*ARGUMENTS, "--out", str(folder), "--resume")
    _, err = second.communicate(timeout=120)
    assert (second.returncode, "is in use by another process" in err) == (2, True)
    _, err = first.communicate(timeout=240)
    assert first.returncode == 0, err
    assert len(outcomes(folder)) == EPISODES
    assert not list(folder.glob("episodes/**/attempt-*"))


def resume_command(err: str) -> list[str]:
    line = next(line for line in err.splitlines() if line.startswith("Resume: "))
    arguments = shlex.split(line.removeprefix("Resume: "))
    assert Path(arguments[0]).name == "garabench"
    assert arguments[1] == "run"
    return arguments[2:]


def test_lost_device_is_reported_and_a_similar_one_resumes(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with VirtualPhone() as phone:
        lost = phone.serial
        process = start_run(*ARGUMENTS, "--device", lost, "--yes", "--max-wait", "0", "--out", str(folder))
        wait_for_lines(process, 1)
        phone.stop()
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 3, err
    assert "Traceback" not in err
    assert err.count("Error: ") == 1
    assert lost in err
    arguments = resume_command(err)
    before = outcomes(folder)
    assert 1 <= len(before) < EPISODES
    assert len({row[:3] for row in before}) == len(before)
    with VirtualPhone() as phone:
        complete_run(*(phone.serial if word == lost else word for word in arguments))
    found = outcomes(folder)
    assert len(found) == len({row[:3] for row in found}) == EPISODES
    assert all(row[3] in ("success", "failure") for row in found)
    assert {row for row in before if row[3] != "error"} <= set(found)  # no episode ran twice
    with VirtualPhone("android-34:720x1280") as phone:
        process = start_run(*(phone.serial if word == lost else word for word in arguments))
        _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "was recorded on a device with another size: 1080x2400, now 720x1280" in err


def test_run_of_a_real_device_is_not_resumed_on_a_virtual_one(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    arguments = ["--tasks", TASKS, "--limit", "1", "--agents", "ignore", "--conditions", "clean"]
    complete_run(*arguments, "--out", str(folder))
    written = folder / "run.json"
    text = written.read_text(encoding="utf-8")
    assert '"kind": "virtual"' in text or '"kind":"virtual"' in text
    written.write_text(re.sub(r'("kind": ?)"virtual"', r'\1"real"', text), encoding="utf-8")
    process = start_run(*arguments, "--device", "virtual", "--out", str(folder), "--resume")
    _, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 2
    assert "their results are never mixed" in err


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--device", "127.0.0.1:1"), 3, "device 127.0.0.1:1 is not connected"),
        (("--tasks", "bili-like-song-liv"), 2, "bili-like-song-live"),
        (("--agents", "dismis"), 2, "dismiss"),
        (("--conditions", "dua"), 2, "dual"),
        (("--device", "virtual", "--device", "127.0.0.1:1"), 2, "cannot share a run"),
        (("--device", "virtual:android-9"), 2, "android"),
        (("--resume",), 2, "no run has begun"),
    ],
)
def test_wrong_arguments_are_reported(
    tmp_path: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    done = CliRunner().invoke(main, ["run", *arguments, "--out", str(tmp_path / "run")])
    assert done.exit_code == status
    assert isinstance(done.exception, SystemExit)  # no other exception escapes
    assert message in done.stderr
    assert not (tmp_path / "run" / "run.json").exists()

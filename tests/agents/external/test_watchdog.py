"""The watchdog terminates a program whose parent was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from garabench.agents.external import process_tree
from garabench.agents.external.watchdog import Watchdog
from tests.agents.external.programs import alive
from tests.waits import AMPLE, until

STARTER = """
import sys
from pathlib import Path
from garabench.records.bounded_log import BoundedLog
from garabench.agents.external.agent_process import AgentProcess
from garabench.agents.context import AgentContext
folder = Path(sys.argv[1])
context = AgentContext("mine", folder)
child = AgentProcess(sys.argv[2:], BoundedLog(folder / "agent.log"), context, reads_output=False)
{then}
"""
PROGRAM = """
import os, signal, subprocess, sys, time
if {stubborn}: signal.signal(signal.SIGTERM, signal.SIG_IGN)
pids = [os.getpid(), subprocess.Popen(["sleep", "999"]).pid, subprocess.Popen(["setsid", "sleep", "999"]).pid]
open(sys.argv[1], "w").write(" ".join(map(str, pids)) + "\\n")
time.sleep(999)
"""


def start(folder: Path, then: str, *, stubborn: bool = False) -> tuple[subprocess.Popen[bytes], list[int]]:
    """Let a process start a program; return the process, and the ids of the program and its children."""
    mine, pids = folder / "mine.py", folder / "pids"
    mine.write_text(PROGRAM.format(stubborn=stubborn), encoding="utf-8")
    script = STARTER.format(then=textwrap.dedent(then))
    starter = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), sys.executable, "-S", str(mine), str(pids)],
        start_new_session=True,
    )
    until(lambda: pids.exists() and pids.read_bytes().endswith(b"\n"))
    return starter, [int(word) for word in pids.read_text(encoding="utf-8").split()]


def watchdogs_of(parent: int) -> list[int]:
    """Return the ids of the watchdogs that a process has started."""
    found = []
    for task in Path(f"/proc/{parent}/task").iterdir():
        for pid in (task / "children").read_text(encoding="utf-8").split():
            if b"process_tree.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(int(pid))
    return found


@pytest.mark.parametrize("stubborn", [False, True])
def test_a_killed_starter_leaves_nothing_running(tmp_path: Path, stubborn: bool) -> None:
    starter, pids = start(tmp_path, "import time; time.sleep(999)", stubborn=stubborn)
    (watchdog,) = watchdogs_of(starter.pid)
    assert all(map(alive, pids))
    os.killpg(starter.pid, signal.SIGKILL)  # as from a terminal that is closed: its whole group
    starter.wait()
    until(lambda: not any(map(alive, pids)))
    until(lambda: not alive(watchdog))


def test_the_watchdog_ends_with_the_program(tmp_path: Path) -> None:
    then = """
    import time
    while not (folder / "pids").exists() or not (folder / "end").exists(): time.sleep(0.02)
    child.terminate()
    (folder / "ended").touch()
    time.sleep(999)
    """
    starter, pids = start(tmp_path, then)
    (tmp_path / "end").touch()
    until((tmp_path / "ended").exists)
    assert not any(map(alive, pids))
    assert watchdogs_of(starter.pid) == []
    starter.kill()
    starter.wait()


def test_a_program_that_cannot_start_leaves_no_watchdog(tmp_path: Path) -> None:
    then = "import time; time.sleep(999)"
    script = STARTER.format(then=then).replace("child = ", "try: ") + "\n"
    script = script.replace("\n" + then, "\nexcept OSError: print('refused', flush=True)\n" + then)
    starter = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path), str(tmp_path / "nothing")], stdout=subprocess.PIPE
    )
    assert starter.stdout is not None
    assert starter.stdout.readline() == b"refused\n"
    assert watchdogs_of(starter.pid) == []
    starter.kill()
    starter.communicate()


def test_release_after_a_kill_and_twice_is_harmless() -> None:
    watchdog = Watchdog("0" * 24)
    watchdog._process.kill()
    watchdog._process.wait()
    watchdog.watch_group(1)
    watchdog.release()
    other = Watchdog("0" * 24)
    other.release()
    other.release()
    assert other._process.returncode == 0


def test_processes_are_found_by_the_mark_alone() -> None:
    mark = os.urandom(12).hex()
    one = subprocess.Popen(["sleep", "999"], env=os.environ | {process_tree.MARK: mark})
    assert [process.pid for process in process_tree.find_marked(mark)] == [one.pid]
    watchdog = Watchdog(mark)
    assert watchdog._process.stdin is not None
    watchdog._process.stdin.close()  # as when its starter is gone, before it could tell the group
    assert one.wait(AMPLE) == -signal.SIGTERM
    assert watchdog._process.wait(AMPLE) == 0

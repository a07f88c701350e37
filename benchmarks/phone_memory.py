"""Memory of a virtual phone's process after many episodes, and of sixteen phones.

A child process is what a phone's process is, with all its modules, and performs the solutions of tasks of all
apps by touch, with a UI tree and a screenshot at each step. It reads the episodes from its standard input,
since the phone's own process does not hold the suite.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.report import Measure
from garabench.core.seeds import generator
from garabench.core.steps import AnswerStep, GiveUpStep, SolutionStep
from garabench.suite.suite import Suite
from garabench.virtual import __main__ as phone_main
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.malloc import return_freed_images, trim
from tests.virtual.apps.driver import Driver

EPISODES = 1000
LIMIT_MB = 250
PHONES = 16
PHONES_LIMIT_MB = 4096
_EPISODES_EACH = 40
_PROFILE = "android-34:1080x2400"
_REPORT_EVERY = 50
Episode = tuple[str, tuple[SolutionStep, ...]]
"""Package of the app, and the steps."""


class _LongDriver(Driver):
    """A driver of a phone that has run before."""

    def __init__(self, phone: Phone, package: str) -> None:
        found = phone.packages.get(package)
        assert found is not None, package
        self.app, self.phone, self.answer, self._read = found.app, phone, None, None
        self.launch()


def _memory_mb(pid: int, field: str) -> float:
    """Return a field of a process's memory: ``Rss``, or ``Pss``, where processes share common pages."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise OSError(f"process {pid} has ended")


def _episodes(count: int) -> Iterator[Episode]:
    """Yield solutions of tasks of all apps, each task as often as the others, in a random order."""
    items = list(Suite.load().tasks.values())
    while count > 0:
        generator(0, "memory", count).shuffle(items)
        for item in items[:count]:
            yield item.app, tuple(item.task.solution)
        count -= len(items)


def perform(phone: Phone, episode: Episode, number: int) -> str:
    """Perform an episode with a screenshot at each step. Return why it ended early; else empty."""
    package, steps = episode
    phone.reset(seed=number)
    driver = _LongDriver(phone, package)
    for step in steps:
        phone.frame().png()
        if not isinstance(step, AnswerStep | GiveUpStep):
            try:
                driver.do(step)
            except AssertionError as error:
                return str(error)
    phone.frame().png()
    return ""


def _child() -> None:
    """Perform the episodes from standard input; print memory and early ends, then wait for its end."""
    assert callable(phone_main.serve_phone)  # the modules of the phone's process are loaded
    return_freed_images()
    episodes: Sequence[Episode] = pickle.load(sys.stdin.buffer)  # noqa: S301  # written by the parent below
    phone = Phone(Profile.parse(_PROFILE), apps=installed_apps())
    early = 0
    for number, episode in enumerate(episodes, start=1):
        early += bool(perform(phone, episode, number))
        trim()  # the phone's process does so every few seconds
        if number % _REPORT_EVERY == 0 or number == len(episodes):
            print(number, round(_memory_mb(os.getpid(), "Rss"), 1), early, flush=True)
    print("done", flush=True)
    sys.stdin.buffer.read()


def _start(episodes: Sequence[Episode], stack: ExitStack) -> tuple[int, list[tuple[int, float, int]]]:
    """Return the id of a child that has performed the episodes and still runs, and what it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.phone_memory"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    stack.callback(process.wait)
    stack.callback(process.stdout.close)
    stack.callback(process.stdin.close)
    process.stdin.write(pickle.dumps(tuple(episodes)))
    process.stdin.flush()
    printed = []
    while (line := process.stdout.readline().split()) and line != [b"done"]:
        printed.append((int(line[0]), float(line[1]), int(line[2])))
    return process.pid, printed


def measure_phone_memory() -> list[Measure]:
    """Measure one phone after many episodes, and sixteen phones that run at once."""
    with ExitStack() as stack:
        _, printed = _start(list(_episodes(EPISODES)), stack)
    early = printed[-1][2]
    course = ", ".join(f"{value:.0f} MB after {number}" for number, value, _ in printed[:: len(printed) // 3])
    with ExitStack() as stack:
        each = list(_episodes(PHONES * _EPISODES_EACH))
        pids = [_start(each[first::PHONES], stack)[0] for first in range(PHONES)]
        resident = sum(_memory_mb(pid, "Rss") for pid in pids)
        proportional = sum(_memory_mb(pid, "Pss") for pid in pids)
    several = f"{PHONES} phones, {_EPISODES_EACH} episodes each"
    return [
        Measure(
            f"resident memory of a phone, highest of {EPISODES} episodes",
            max(value for _, value, _ in printed),
            "MB",
            LIMIT_MB,
            note=course,
        ),
        Measure("episodes that ended before their last step", early, "times", 0),
        Measure(
            f"resident memory of {several}",
            resident,
            "MB",
            PHONES_LIMIT_MB,
            note="shared pages count each time",
        ),
        Measure(f"memory of {several}, shared pages divided", proportional, "MB"),
    ]


if __name__ == "__main__":
    _child()

"""Snapshots of the running phone: their processor time, and whether each task continues from its snapshot.

Saving and loading compute and wait for nothing, so the processor time is the duration on an idle machine.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field

from benchmarks.report import Measure
from garabench.core.seeds import generator
from garabench.suite.suite import Suite, SuiteTask
from garabench.virtual.android.phone import Phone
from garabench.virtual.ui.dump import u2_xml
from tests.virtual.apps.driver_performer import DriverPerformer

_PROFILES = ("android-34:1080x2400", "android-19:720x1280", "android-30:1440x3120")
_LIMIT_MS = 100
_SHADE_MS = 1000


@dataclass(slots=True)
class _Sweep:
    save_ms: list[float] = field(default_factory=list)
    load_ms: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def _state(phone: Phone) -> tuple[bytes | str, bytes, int]:
    tree = u2_xml(phone.scene(), compressed=False, max_depth=50)
    return tree, phone.frame().image.tobytes(), phone.clock.now_ms()


def _measure(item: SuiteTask, profile: str, sweep: _Sweep) -> None:
    """Save at a random step of the solution, continue, load, and continue again."""
    steps = item.task.solution
    cut = generator(0, "cut", item.task.id).randrange(len(steps))
    performer = DriverPerformer(profile)
    performer.begin(item.app, item.task.setup)
    phone = performer.driver.phone
    for step in steps[:cut]:
        performer.perform(step)
    before = _state(phone)
    start = time.thread_time()
    snapshot = phone.save_running()
    sweep.save_ms.append((time.thread_time() - start) * 1000)
    ends = []
    for _ in range(2):
        if _state(phone) != before:
            sweep.wrong.append(f"{item.task.id} at step {cut}")
        ends.append(([performer.perform(step) for step in steps[cut:]], _state(phone)))
        phone.windows.open_shade()
        phone.clock.advance(_SHADE_MS)
        phone.press_home()
        start = time.thread_time()
        phone.load_running(snapshot)
        sweep.load_ms.append((time.thread_time() - start) * 1000)
    if ends[0] != ends[1]:
        sweep.wrong.append(f"{item.task.id} after step {cut}")


def measure_snapshots() -> list[Measure]:
    """Measure snapshots at a random step of every task's solution."""
    sweep, tasks = _Sweep(), tuple(Suite.load().tasks.values())
    for number, item in enumerate(tasks):
        _measure(item, _PROFILES[number % len(_PROFILES)], sweep)
    over = f"{len(tasks)} tasks, processor time"
    wrong = ", ".join(sweep.wrong) or "tree, picture, clock and the rest of the solution are equal"
    return [
        Measure("saving the running phone, median", statistics.median(sweep.save_ms), "ms", note=over),
        Measure("saving the running phone, longest", max(sweep.save_ms), "ms", _LIMIT_MS, note=over),
        Measure("loading a running phone, median", statistics.median(sweep.load_ms), "ms", note=over),
        Measure("loading a running phone, longest", max(sweep.load_ms), "ms", _LIMIT_MS, note=over),
        Measure("tasks that differ after loading", len(sweep.wrong), "times", 0, note=wrong),
    ]

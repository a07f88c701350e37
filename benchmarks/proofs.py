"""Proofs of tasks, with an empty cache and with a full one."""

from __future__ import annotations

import contextlib
import resource
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import Measure
from garabench.core.clock import SystemClock
from garabench.errors import HarnessError
from garabench.proof.cache import ProofCache
from garabench.proof.devices import DeviceGroup, open_device_groups
from garabench.proof.prove_many import Prover
from garabench.suite.suite import Suite, SuiteTask

EVERY = 12
CORES = 2
TASKS = 152


def _processor_seconds() -> float:
    """Return the processor time of this process and of its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _prove(items: Sequence[SuiteTask], suite: Suite, cache: ProofCache) -> tuple[float, float]:
    """Return the seconds and processor seconds of proving tasks."""
    start, used = time.perf_counter(), _processor_seconds()
    with contextlib.ExitStack() as stack:

        def benches(tasks: int) -> Sequence[DeviceGroup]:
            return stack.enter_context(open_device_groups("virtual", SystemClock(), jobs=CORES))

        proofs = Prover(suite, benches, cache=cache).prove(items)
    if bad := [proof.task for proof in proofs if not proof.ok]:
        raise HarnessError(f"{bad[0]} failed its proof")
    return time.perf_counter() - start, _processor_seconds() - used


def measure_proofs(folder: Path) -> list[Measure]:
    """Prove a sample of the suite twice.

    Args:
        folder: Folder of the proof cache.
    """
    suite = Suite.load()
    items = tuple(suite.tasks.values())[::EVERY]
    cache = ProofCache(folder)
    _, used = _prove(items, suite, cache)
    cached_seconds, _ = _prove(items, suite, cache)
    per_task = used / len(items)
    cores = f"of processor time, on {CORES} idle cores"
    return [
        Measure("proof of a task", per_task, "s", note="processor time without the adb server"),
        Measure(f"{TASKS} proofs from an empty cache", per_task * TASKS / CORES, "s", limit=720, note=cores),
        Measure(
            f"{TASKS} proofs from a full cache",
            cached_seconds / len(items) * TASKS,
            "s",
            limit=20,
            note="sources already hashed",
        ),
    ]

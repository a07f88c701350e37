"""Proofs of tasks, from an empty cache and from a full one."""

from __future__ import annotations

import contextlib
import resource
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import Measure
from garabench.campaign.benches import Bench, open_benches
from garabench.campaign.proof_cache import ProofCache
from garabench.campaign.proofs import Prover
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.clock import SystemClock
from garabench.errors import HarnessError

EVERY = 12
CORES = 2
TASKS = 152


def _processor_seconds() -> float:
    """Of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _prove(items: Sequence[SuiteTask], suite: Suite, cache: ProofCache) -> tuple[float, float]:
    """Seconds and processor seconds of proving tasks."""
    begun, used = time.perf_counter(), _processor_seconds()
    with contextlib.ExitStack() as stack:

        def benches(tasks: int) -> Sequence[Bench]:
            return stack.enter_context(open_benches("virtual", SystemClock(), jobs=CORES))

        proofs = Prover(suite, benches, cache=cache).prove(items)
    if bad := [proof.task for proof in proofs if not proof.ok]:
        raise HarnessError(f"{bad[0]} is not proven")
    return time.perf_counter() - begun, _processor_seconds() - used


def proving(folder: Path) -> list[Measure]:
    """Prove a part of the suite twice.

    Args:
        folder: Where to keep the proofs.
    """
    suite = Suite.load()
    items = tuple(suite.tasks.values())[::EVERY]
    cache = ProofCache(folder)
    _, used = _prove(items, suite, cache)
    again, _ = _prove(items, suite, cache)
    each = used / len(items)
    cores = f"of processor time, on {CORES} idle cores"
    return [
        Measure("the proof of a task", each, "s", note="processor time, without the adb server's"),
        Measure(f"{TASKS} proofs from an empty cache", each * TASKS / CORES, "s", limit=720, note=cores),
        Measure(
            f"{TASKS} proofs from a full cache",
            again / len(items) * TASKS,
            "s",
            limit=20,
            note="with the sources hashed before",
        ),
    ]

"""Prove tasks in one call: open the devices, prove, use what was proven before."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from garabench.campaign.devices import VIRTUAL
from garabench.campaign.run import MAX_PHONES
from garabench.core.clock import Clock, SystemClock
from garabench.proof.cache import ProofCache, default_folder
from garabench.proof.devices import open_benches
from garabench.proof.findings import Proof
from garabench.proof.prove_many import Prover
from garabench.suite.suite import Suite


def prove(
    tasks: str = "all",
    *,
    suite: Suite | None = None,
    device: str = VIRTUAL,
    jobs: int | None = None,
    out: Path | str | None = None,
    cached: bool = True,
    clock: Clock | None = None,
    on_progress: Callable[[str, int, int], None] = lambda task, done, total: None,
) -> tuple[Proof, ...]:
    """Prove that tasks can be solved, are falsifiable, and are interrupted as their rules say.

    Args:
        tasks: A selector, as `garabench.Suite.select` takes it.
        suite: The suite that has them; the one that comes with GaraBench unless given.
        device: ``virtual`` for phones of every variant, ``virtual:PROFILE`` or a serial for one device.
        jobs: Virtual phones at once; default: one for each core, at most 4.
        out: Folder for the screen and the tree of what failed; None keeps neither.
        cached: Whether proofs on virtual phones that were made before are used, and new ones cached.
        clock: For every limit.
        on_progress: Called after each task that was performed: its id, how many are done, of how many.

    Returns:
        One proof for each task, in the suite's order.

    Raises:
        InputError: The selector selects nothing, or there is no such profile.
        DeviceError: The device cannot be reached.
    """
    suite = suite or Suite.load()
    clock = clock or SystemClock()
    most = jobs or min(os.cpu_count() or 1, MAX_PHONES)
    with contextlib.ExitStack() as stack:
        prover = Prover(
            suite,
            lambda count: stack.enter_context(open_benches(device, clock, jobs=min(most, count))),
            cache=ProofCache(default_folder()) if cached and device == VIRTUAL else None,
            evidence_dir=Path(out) if out is not None else None,
            on_progress=on_progress,
        )
        return tuple(prover.prove(suite.select(tasks)))

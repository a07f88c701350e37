"""Prove tasks in one call: open the devices, prove, and cache the proofs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from garabench.campaign.consent import Consent
from garabench.campaign.device_kind import VIRTUAL
from garabench.campaign.devices import MAX_PHONES
from garabench.core.clock import Clock, SystemClock
from garabench.core.progress import Progress
from garabench.proof.cache import ProofCache, proof_cache_folder
from garabench.proof.devices import open_device_groups
from garabench.proof.findings import Proof
from garabench.proof.prove_many import Prover
from garabench.proof.step_progress import OnStep
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
    wipe: Consent = False,
    on_progress: Callable[[Progress[Proof]], None] = lambda progress: None,
    on_step: OnStep = lambda step: None,
    on_message: Callable[[str], None] = lambda text: None,
) -> tuple[Proof, ...]:
    """Prove that tasks can be solved, are falsifiable, and are interrupted as their rules say.

    Args:
        tasks: A task selector, see `garabench.Suite.select`.
        suite: The suite that contains them; default: the bundled suite.
        device: ``virtual`` for phones of every variant, ``virtual:PROFILE`` or a serial for one device.
        jobs: Number of parallel virtual phones; default: one per core, at most 4.
        out: Folder for the screenshots and trees of failures; None saves none.
        cached: Whether to use cached proofs on virtual phones, and to cache new ones.
        clock: Clock for all time limits; default: the system's.
        wipe: True to allow wiping the data of the tasks' apps on a real device; or a function that receives
            its serial and raises to refuse. Virtual phones need no consent.
        on_progress: Called with the proof of each performed task.
        on_step: Called before each step of a proof, one call at a time.
        on_message: Called with a message about each change that an earlier run left on a real device.

    Returns:
        One proof per task, in the suite's order.

    Raises:
        InputError: The selector matches nothing, or the profile does not exist; or `wipe` is False and the
            device is real.
        DeviceError: The device cannot be reached.
    """
    suite = suite or Suite.load()
    clock = clock or SystemClock()
    items = suite.select(tasks)
    most = jobs or min(os.cpu_count() or 1, MAX_PHONES)
    with contextlib.ExitStack() as stack:
        prover = Prover(
            suite,
            lambda count: stack.enter_context(
                open_device_groups(
                    device,
                    clock,
                    jobs=min(most, count),
                    items=items,
                    wipe=wipe,
                    interrupted=True,
                    apps=suite.app_files,
                    on_message=on_message,
                )
            ),
            cache=ProofCache(proof_cache_folder()) if cached and device == VIRTUAL else None,
            evidence_dir=Path(out) if out is not None else None,
            on_progress=on_progress,
            on_step=on_step,
        )
        return tuple(prover.prove(items))

"""Prove many tasks: each by itself, several at once, and then each against the others."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from garabench.campaign.cross import other_goals
from garabench.campaign.exit_proofs import Passages
from garabench.campaign.parts import Needed, part_findings
from garabench.campaign.proof import VARIANTS, Check, Finding, Proof, Variant
from garabench.campaign.proof_cache import ProofCache
from garabench.campaign.proof_key import proof_key
from garabench.campaign.prove import Proved, keep_end, needed_by, prove_task
from garabench.campaign.suite import Suite, SuiteTask
from garabench.campaign.ways import Stage
from garabench.errors import CommandFailed, DeviceError


class Bench(Protocol):
    """Where one task at a time is proven; `garabench.campaign.benches` has those with devices."""

    @property
    def kind(self) -> str:
        """``virtual`` or ``real``."""
        ...

    @property
    def stages(self) -> Sequence[tuple[Variant, Stage]]:
        """One for each variant, the first being the one for near misses."""
        ...

    @property
    def passages(self) -> Passages | None:
        """Where interruptions are shown."""
        ...

    def keep_below(self, folder: Path | None) -> None:
        """Keep the evidence of what fails in another folder."""
        ...


OpenBenches = Callable[[int], Sequence[Bench]]
"""Opens benches for so many tasks; whoever gives it closes them."""


class Prover:
    """Proves tasks of a suite.

    Attributes:
        kind: ``virtual`` or ``real``, once something had to be performed; else empty.
    """

    def __init__(
        self,
        suite: Suite,
        open_benches: OpenBenches,
        *,
        cache: ProofCache | None = None,
        keep_in: Path | None = None,
        performed: Callable[[str, int, int], None] = lambda task, done, of: None,
    ) -> None:
        """Prepare; nothing is opened.

        Args:
            suite: The suite.
            open_benches: Called at most once, and only when something has to be performed.
            cache: Proofs on virtual phones that were made before; None proves all anew and keeps nothing.
            keep_in: Where the evidence of what failed is kept, in a folder for each task.
            performed: Called after each task that was performed: which, how many, of how many.
        """
        self.kind = ""
        self._suite = suite
        self._open_benches = open_benches
        self._cache = cache
        self._keep_in = keep_in
        self._performed = performed
        self._benches: Sequence[Bench] = ()
        self._keys: dict[str, str] = {}
        self._needed: dict[str, Needed] = {}

    def prove(self, items: Sequence[SuiteTask]) -> tuple[Proof, ...]:
        """Prove tasks.

        Returns:
            The proofs in the tasks' order.

        Raises:
            DeviceError: A device cannot be reached, or was lost. What was proven until then is kept.
            RecordError: A proof or the evidence against one cannot be written.
        """
        proved = {item.task.id: one for item in items if (one := self._before(item)) is not None}
        fresh = [item for item in items if item.task.id not in proved]
        if fresh:
            proved.update((one.proof.task, one) for one in self._perform(fresh))
        self._needed.update((name, dict(one.needed)) for name, one in proved.items())
        return tuple(self._compared(item, proved[item.task.id]) for item in items)

    def _compared(self, item: SuiteTask, one: Proved) -> Proof:
        """A task's proof with what the other tasks say to it."""
        more = part_findings(item, self._suite, dict(one.needed), self._needed_by)
        if one.end is not None:
            more += other_goals(item, self._suite, one.end)
        return self._with_evidence(item, one.proof.with_findings(more))

    def _with_evidence(self, item: SuiteTask, proof: Proof) -> Proof:
        """A proof whose failures that no way's own screen shows name the end of the solution.

        The solution is followed again for it: what all ways together show is known only when they are done.
        """
        if self._keep_in is None or all(finding.evidence for finding in proof.failures):
            return proof
        bench = self._at_hand(1)[0]
        bench.keep_below(self._keep_in / item.task.id)
        stage = bench.stages[0][1]
        try:
            seen = keep_end(item, stage)
        except CommandFailed:
            seen = _evidence(stage)
        return replace(
            proof,
            findings=tuple(
                found if found.ok or found.evidence else replace(found, evidence=seen)
                for found in proof.findings
            ),
        )

    def _needed_by(self, item: SuiteTask) -> Needed:
        """The parts of the goal that a task's ways need; they are performed when it is not known."""
        name = item.task.id
        if name not in self._needed:
            found = self._before(item)
            needed = found.needed if found else self._find_needed(item)
            self._needed[name] = dict(needed)
        return self._needed[name]

    def _find_needed(self, item: SuiteTask) -> tuple[tuple[str, str], ...]:
        bench = self._at_hand(1)[0]
        bench.keep_below(None)
        try:
            return needed_by(item, self._suite, bench.stages)
        except CommandFailed:
            return ()  # its own proof says why

    def _before(self, item: SuiteTask) -> Proved | None:
        return self._cache.get(item.task.id, self._key(item)) if self._cache else None

    def _key(self, item: SuiteTask) -> str:
        if item.task.id not in self._keys:
            self._keys[item.task.id] = proof_key(item, self._suite, VARIANTS)
        return self._keys[item.task.id]

    def _at_hand(self, tasks: int) -> Sequence[Bench]:
        if not self._benches:
            self._benches = self._open_benches(tasks)
            self.kind = self._benches[0].kind
        return self._benches

    def _perform(self, items: Sequence[SuiteTask]) -> tuple[Proved, ...]:
        """Prove tasks on all benches, each bench in a thread of its own."""
        benches = self._at_hand(len(items))
        free: queue.SimpleQueue[Bench] = queue.SimpleQueue()
        for bench in benches:
            free.put(bench)
        telling = threading.Lock()
        done = 0

        def one(item: SuiteTask) -> Proved:
            nonlocal done
            bench = free.get()
            try:
                bench.keep_below(self._keep_in / item.task.id if self._keep_in is not None else None)
                proved = prove_task(item, self._suite, bench.stages, bench.passages)
            except CommandFailed as error:
                # The device is there, and refuses the task's first state: the task's fault.
                seen = _evidence(bench.stages[0][1])
                found = Finding(Check.UNMET_BEFORE, "", False, f"it cannot begin: {error}", 0, seen)
                proved = Proved(Proof(item.task.id, (found,)), (), None)
            finally:
                free.put(bench)
            with telling:
                done += 1
                if self._cache is not None:
                    self._cache.put(proved, self._key(item))
                self._performed(item.task.id, done, len(items))
            return proved

        pool = ThreadPoolExecutor(max_workers=len(benches), thread_name_prefix="proof")
        try:
            jobs = [pool.submit(one, item) for item in items]
            return tuple(job.result() for job in jobs)
        finally:
            pool.shutdown(cancel_futures=True)


def _evidence(stage: Stage) -> str:
    """What a device shows that could not be brought to a task's first state."""
    try:
        return stage.keep("cannot-begin")
    except DeviceError:
        return ""  # it shows nothing

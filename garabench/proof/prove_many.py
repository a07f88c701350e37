"""Prove many tasks on several devices at once, then check each task against the others."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from garabench.core.phrases import first_and_more
from garabench.core.progress import Progress
from garabench.errors import CommandError, DeviceError, InputError
from garabench.proof.cache import ProofCache
from garabench.proof.cache_key import proof_key
from garabench.proof.coverage import NeededParts, coverage_findings
from garabench.proof.cross_tasks import cross_task_findings
from garabench.proof.exit_checks import ExitPerformer
from garabench.proof.findings import VARIANTS, Proof, ProofCheck, ProofFinding, Variant
from garabench.proof.path_performer import PathPerformer
from garabench.proof.prove_task import ProofResult, needed_parts, prove_task, save_solution_end
from garabench.proof.step_progress import OnStep, ProofStep, reporting_performers
from garabench.suite.suite import Suite, SuiteTask


class ProofDevices(Protocol):
    """The performers on which one task at a time is proven; see `garabench.proof.devices`."""

    @property
    def kind(self) -> str:
        """``virtual`` or ``real``."""
        ...

    @property
    def performers(self) -> Sequence[tuple[Variant, PathPerformer]]:
        """One performer per variant; near misses run on the first."""
        ...

    @property
    def exit_performer(self) -> ExitPerformer | None:
        """The performer that performs interruptions; None skips the exit checks."""
        ...

    def save_evidence_in(self, folder: Path | None) -> None:
        """Save the evidence of later failures in another folder; None saves none."""
        ...


OpenProofDevices = Callable[[int], Sequence[ProofDevices]]
"""Opens device groups for a number of tasks. The caller of the prover closes them."""


class Prover:
    """Proves tasks of a suite.

    Attributes:
        kind: ``virtual`` or ``real`` once a task was performed; empty while everything came from the cache.
    """

    def __init__(
        self,
        suite: Suite,
        open_device_groups: OpenProofDevices,
        *,
        cache: ProofCache | None = None,
        evidence_dir: Path | None = None,
        on_progress: Callable[[Progress[Proof]], None] = lambda progress: None,
        on_step: OnStep = lambda step: None,
    ) -> None:
        """Prepare a prover; nothing is opened.

        Args:
            suite: The suite.
            open_device_groups: Called at most once, and only if a task must be performed.
            cache: Cached proofs of virtual phones; None proves every task and caches nothing.
            evidence_dir: Folder for evidence of failures, with one subfolder per task; None saves none.
            on_progress: Called with the proof of each performed task.
            on_step: Called before each step of each path, one call at a time.
        """
        self.kind = ""
        self._suite = suite
        self._open_device_groups = open_device_groups
        self._cache = cache
        self._evidence_dir = evidence_dir
        self._on_progress = on_progress
        self._on_step = on_step
        self._groups: Sequence[ProofDevices] = ()
        self._keys: dict[str, str] = {}
        self._needed: dict[str, NeededParts] = {}

    def prove(self, items: Sequence[SuiteTask]) -> tuple[Proof, ...]:
        """Prove tasks.

        Returns:
            The proofs, in the order of the tasks.

        Raises:
            InputError: A task has no solution.
            DeviceError: A device cannot be reached or was lost. The proofs finished before are cached.
            RecordError: A proof or its evidence cannot be written.
        """
        if unsolved := [item.task.id for item in items if not item.task.solution]:
            raise InputError(
                f"{first_and_more(unsolved)} cannot be proven without a solution",
                hint=f"Record one: garabench tasks record TASK{self._suite.command_option}",
            )
        proved = {item.task.id: result for item in items if (result := self._cached(item)) is not None}
        fresh = [item for item in items if item.task.id not in proved]
        if fresh:
            proved.update((result.proof.task, result) for result in self._perform(fresh))
        self._needed.update((name, dict(result.needed)) for name, result in proved.items())
        return tuple(self._compare(item, proved[item.task.id]) for item in items)

    def _compare(self, item: SuiteTask, result: ProofResult) -> Proof:
        """Return a task's proof with the findings that depend on other tasks."""
        more = coverage_findings(item, self._suite, dict(result.needed), self._needed_parts)
        if result.end is not None:
            more += cross_task_findings(item, self._suite, result.end)
        return self._with_evidence(item, result.proof.with_findings(more))

    def _with_evidence(self, item: SuiteTask, proof: Proof) -> Proof:
        """Return the proof with the end of the solution as evidence of failures that no single path shows.

        Such failures are known only after all paths, so the solution is performed again.
        """
        if self._evidence_dir is None or all(finding.evidence for finding in proof.failures):
            return proof
        group = self._open(1)[0]
        group.save_evidence_in(self._evidence_dir / item.task.id)
        performer = group.performers[0][1]
        try:
            evidence = save_solution_end(item, performer)
        except CommandError:
            evidence = _evidence(performer)
        return replace(
            proof,
            findings=tuple(
                found if found.ok or found.evidence else replace(found, evidence=evidence)
                for found in proof.findings
            ),
        )

    def _needed_parts(self, item: SuiteTask) -> NeededParts:
        """Return the parts of the goal that a task's paths need; performs the paths if that is unknown."""
        name = item.task.id
        if name not in self._needed:
            found = self._cached(item)
            needed = found.needed if found else self._find_needed(item)
            self._needed[name] = dict(needed)
        return self._needed[name]

    def _find_needed(self, item: SuiteTask) -> tuple[tuple[str, str], ...]:
        group = self._open(1)[0]
        group.save_evidence_in(None)
        try:
            return needed_parts(item, self._suite, group.performers)
        except CommandError:
            return ()  # the proof of that task reports it

    def _cached(self, item: SuiteTask) -> ProofResult | None:
        return self._cache.get(item.task.id, self._key(item)) if self._cache else None

    def _key(self, item: SuiteTask) -> str:
        if item.task.id not in self._keys:
            self._keys[item.task.id] = proof_key(item, self._suite, VARIANTS)
        return self._keys[item.task.id]

    def _open(self, tasks: int) -> Sequence[ProofDevices]:
        if not self._groups:
            self._groups = self._open_device_groups(tasks)
            self.kind = self._groups[0].kind
        return self._groups

    def _perform(self, items: Sequence[SuiteTask]) -> tuple[ProofResult, ...]:
        """Prove tasks on all device groups, with one thread per group."""
        groups = self._open(len(items))
        free: queue.SimpleQueue[ProofDevices] = queue.SimpleQueue()
        for group in groups:
            free.put(group)
        reporting = threading.Lock()
        done = 0

        def report_step(step: ProofStep) -> None:
            with reporting:
                self._on_step(step)

        def prove_one(item: SuiteTask) -> ProofResult:
            nonlocal done
            group = free.get()
            try:
                group.save_evidence_in(
                    self._evidence_dir / item.task.id if self._evidence_dir is not None else None
                )
                performers, exit_performer = reporting_performers(
                    item, self._suite, group.performers, group.exit_performer, report_step
                )
                proved = prove_task(item, self._suite, performers, exit_performer)
            except CommandError as error:
                # The device works but refuses the set-up: the task's fault.
                evidence = _evidence(group.performers[0][1])
                found = ProofFinding(
                    ProofCheck.UNMET_BEFORE,
                    "",
                    False,
                    f"cannot reset to the start of the task: {error}",
                    0,
                    evidence,
                )
                proved = ProofResult(Proof(item.task.id, (found,)), (), None)
            finally:
                free.put(group)
            with reporting:
                done += 1
                if self._cache is not None:
                    self._cache.put(proved, self._key(item))
                self._on_progress(Progress(done, len(items), proved.proof))
            return proved

        pool = ThreadPoolExecutor(max_workers=len(groups), thread_name_prefix="proof")
        try:
            jobs = [pool.submit(prove_one, item) for item in items]
            return tuple(job.result() for job in jobs)
        finally:
            pool.shutdown(cancel_futures=True)


def _evidence(performer: PathPerformer) -> str:
    """Save the screen of a device that could not be reset to the start of a task."""
    try:
        return performer.save_evidence("cannot-begin")
    except DeviceError:
        return ""  # there is nothing to see

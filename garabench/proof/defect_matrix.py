"""Prove many pairs of a defect and a task on virtual phones, and write which tasks a defect breaks."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from garabench.campaign.devices import DEFAULT_PROFILE, VirtualLease, started_phone
from garabench.core.clock import Clock
from garabench.core.progress import Progress
from garabench.errors import DeviceError, InputError
from garabench.proof.defect_proof import DefectProof, prove_defect
from garabench.proof.device_performer import DevicePerformer
from garabench.records.disk import disk_error
from garabench.suite.suite import SuiteTask
from garabench.virtual.defects.defect import Defect
from garabench.virtual.defects.defect_table import defect_table, find_defect
from garabench.virtual.phone_process import VirtualPhone

_HEADER = """\
# The tasks that each defect breaks, with its impact; others solve their task despite the defect.
# Generated: garabench tasks prove --defect all --write FILE
"""
Pair = tuple[Defect, SuiteTask]


def select_defects(text: str) -> tuple[Defect, ...]:
    """Return defects by a comma-separated list of ids, or ``all``.

    Raises:
        InputError: An id is unknown.
    """
    if text == "all":
        return tuple(defect_table().values())
    found = tuple(find_defect(name.strip()) for name in text.split(",") if name.strip())
    if not found:
        raise InputError("no defect is named", hint="Name one, or write all.")
    return found


def pairs(defects: Iterable[Defect], items: Sequence[SuiteTask]) -> tuple[Pair, ...]:
    """Return the pairs whose task may pass the defect's app: its own app's tasks, or any for a system app.

    Infeasible tasks are left out, since nothing can be broken in them.
    """
    own = {item.app for item in items}
    return tuple(
        (defect, item)
        for defect in defects
        for item in items
        if item.task.infeasible is None
        and (defect.app == item.app or (defect.app not in own and _visits(item, defect.app)))
    )


def _visits(item: SuiteTask, package: str) -> bool:
    """Return whether a task's known solutions name an app's screens or Android's own widgets."""
    paths = (item.task.solution, *(each.steps for each in item.task.alternatives))
    shown = " ".join(step.model_dump_json() for path in paths for step in path)
    return package in shown or "android:id/" in shown or "main_switch_bar" in shown


def prove_pairs(
    wanted: Sequence[Pair],
    clock: Clock,
    *,
    jobs: int = 1,
    on_progress: Callable[[Progress[DefectProof]], None] = lambda progress: None,
) -> tuple[DefectProof, ...]:
    """Prove pairs on virtual phones.

    Args:
        wanted: The pairs.
        clock: Clock for all time limits.
        jobs: Number of phones.
        on_progress: Called with each proof.

    Raises:
        DeviceError: A phone was lost.
    """
    with _benches(min(jobs, len(wanted)), clock) as free:

        def prove(pair: Pair) -> DefectProof:
            lease, performer = free.get()
            try:
                return prove_defect(pair[1], pair[0], performer, lease.phone)
            finally:
                free.put((lease, performer))

        with ThreadPoolExecutor(max_workers=max(1, min(jobs, len(wanted)))) as pool:
            proofs = []
            for number, proof in enumerate(pool.map(prove, wanted), start=1):
                on_progress(Progress(number, len(wanted), proof))
                proofs.append(proof)
    return tuple(proofs)


@contextlib.contextmanager
def _benches(count: int, clock: Clock) -> Iterator[queue.SimpleQueue[tuple[VirtualLease, DevicePerformer]]]:
    """Start phones, and stop them at the end."""
    with contextlib.ExitStack() as stack:
        free: queue.SimpleQueue[tuple[VirtualLease, DevicePerformer]] = queue.SimpleQueue()
        performers = []
        for _ in range(count):
            phone = VirtualPhone(DEFAULT_PROFILE, clock=clock)
            lease = stack.enter_context(started_phone(phone, clock))
            performers.append(DevicePerformer(lease, None))
            free.put((lease, performers[-1]))
        try:
            yield free
        finally:
            for performer in performers:
                with contextlib.suppress(DeviceError):  # it may be gone already, which was reported
                    performer.close()


def updated_table(
    before: Mapping[str, Mapping[str, str]], proofs: Iterable[DefectProof]
) -> dict[str, dict[str, str]]:
    """Return the impact on each affected task, by defect and task, in the order of the defects' table.

    Args:
        before: An earlier table; what the proofs do not concern stays, unless the defect no longer exists.
        proofs: The proofs.
    """
    table = {defect: dict(before.get(defect, {})) for defect in defect_table()}
    for proof in proofs:
        table[proof.defect].pop(proof.task, None)
        if proof.affected:
            table[proof.defect][proof.task] = proof.impact.value
    return {defect: dict(sorted(tasks.items())) for defect, tasks in table.items() if tasks}


def update_table_file(proofs: Iterable[DefectProof], path: Path) -> None:
    """Write the table of affected tasks, or update it.

    Raises:
        InputError: The file is not such a table.
        RecordError: It cannot be read or written.
    """
    try:
        before = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
        if not isinstance(before, dict) or not all(isinstance(tasks, dict) for tasks in before.values()):
            raise InputError(f"{path} is not a table of broken tasks")
        table = yaml.safe_dump(updated_table(before, proofs), sort_keys=False, allow_unicode=True, width=110)
        path.write_text(_HEADER + table, encoding="utf-8")
    except yaml.YAMLError as error:
        raise InputError(f"{path} is not a table of broken tasks") from error
    except OSError as error:
        raise disk_error(error, path) from error

"""Derive the expected effects of tasks from their correct solutions, and write the generated files."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from garabench.core.expected_effects import EffectExpectation
from garabench.core.progress import Progress
from garabench.core.steps import SolutionStep
from garabench.errors import CommandError
from garabench.proof.findings import Variant
from garabench.proof.path_effects import PathEffects, distinct, effects_finding, path_effects
from garabench.proof.path_performer import PathPerformer, perform_step
from garabench.proof.prove_many import ProofDevices
from garabench.records.disk import disk_error, write_atomic
from garabench.suite.expected_effects import Variants, format_expected_effects, path_of
from garabench.suite.suite import Suite, SuiteTask


@dataclass(frozen=True, slots=True)
class DerivedEffects:
    """The effects of one task's correct paths.

    Attributes:
        item: The task.
        variants: The different effects; None if they could not be derived.
        problem: Why they could not be derived; empty if they were.
    """

    item: SuiteTask
    variants: Variants | None
    problem: str = ""


def derive_effects(item: SuiteTask, performers: Sequence[tuple[Variant, PathPerformer]]) -> DerivedEffects:
    """Perform a task's solution on every phone and its alternatives on the first one.

    Args:
        item: The task.
        performers: The phones.

    Raises:
        DeviceError: A device is gone.
    """
    item = replace(item, effects=EffectExpectation(None, item.effects.incidental))
    found: list[PathEffects] = []
    try:
        for variant, performer in performers:
            path = _perform(item, performer, "", item.task.solution)
            finding = effects_finding(item, found[0] if found else path, (path,))
            if not finding.ok:
                return DerivedEffects(item, None, f"{finding.reason} ({variant})")
            found.append(path)
        alternatives = [
            _perform(item, performers[0][1], each.name, each.steps)
            for each in item.task.alternatives
            if each.steps
        ]
    except CommandError as error:
        return DerivedEffects(item, None, str(error))
    return DerivedEffects(item, distinct((*found[:1], *alternatives)))


def _perform(
    item: SuiteTask, performer: PathPerformer, path: str, steps: Sequence[SolutionStep]
) -> PathEffects:
    """Perform a path and return its effects.

    Raises:
        CommandError: A step cannot be performed, or the effects are unknown.
    """
    performer.begin(item.app, item.task.setup)
    for number, step in enumerate(steps, start=1):
        if problem := perform_step(performer, step):
            raise CommandError(f"{path or 'the solution'}: cannot perform step {number}: {problem}")
    performer.facts(None)  # the screen has settled
    effects = path_effects(item, performer, path)
    if effects is None:
        reason = "; ".join(f"{app.package}: {app.unknown}" for app in performer.effects() if not app.known)
        raise CommandError(f"{path or 'the solution'}: its effects are unknown: {reason or 'no state'}")
    return effects


def derive_all(
    items: Sequence[SuiteTask],
    groups: Sequence[ProofDevices],
    on_progress: Callable[[Progress[DerivedEffects]], None] = lambda progress: None,
) -> tuple[DerivedEffects, ...]:
    """Derive the effects of tasks on several groups of phones at once; in the order of the tasks.

    Raises:
        DeviceError: A device is gone.
    """
    free: queue.SimpleQueue[ProofDevices] = queue.SimpleQueue()
    for group in groups:
        free.put(group)

    def derive(item: SuiteTask) -> DerivedEffects:
        group = free.get()
        try:
            group.save_evidence_in(None)
            return derive_effects(item, group.performers)
        finally:
            free.put(group)

    found: list[DerivedEffects] = []
    with ThreadPoolExecutor(max_workers=len(groups), thread_name_prefix="effects") as pool:
        for result in pool.map(derive, items):
            found.append(result)
            on_progress(Progress(len(found), len(items), result))
    return tuple(found)


def write_effects(suite: Suite, derived: Sequence[DerivedEffects]) -> tuple[Path, ...]:
    """Write the files of expected effects; other tasks of a file keep theirs, unless they no longer exist.

    Args:
        suite: The suite.
        derived: The derived effects; a task whose effects could not be derived keeps the recorded ones.

    Returns:
        The files that changed.

    Raises:
        RecordError: A file cannot be written.
    """
    fresh = {each.item.task.id: each.variants for each in derived if each.variants is not None}
    written = []
    for group in sorted({each.item.group for each in derived}):
        tasks = {
            name: variants
            for name, item in suite.every_task.items()
            if item.group == group and (variants := fresh.get(name, item.effects.variants)) is not None
        }
        path, data = path_of(suite.root / "tasks", group), format_expected_effects(tasks)
        try:
            if path.is_file() and path.read_bytes() == data:
                continue
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise disk_error(error, path) from error
        write_atomic(path, data)
        written.append(path)
    return tuple(written)

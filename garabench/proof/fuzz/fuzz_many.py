"""Fuzz many tasks in several processes, and continue what was interrupted.

The results file has one line per task, written when the task is done. A task is performed again only if
something that its result depends on has changed.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from pydantic import ValidationError

from garabench.core.garbage import collect_rarely
from garabench.core.progress import Progress
from garabench.errors import InputError
from garabench.proof.cache_key import proof_key
from garabench.proof.findings import VARIANTS
from garabench.proof.fuzz.accepted_findings import AcceptedFinding
from garabench.proof.fuzz.fuzz_task import fuzz_task
from garabench.proof.fuzz.phone_performer import PhonePerformer
from garabench.proof.fuzz.walk import FuzzedTask, FuzzFinding
from garabench.records.disk import complete_lines, disk_error, write_atomic
from garabench.suite.suite import Suite, SuiteTask

RESULTS = "walks.jsonl"
"""Name of the results file."""
OnFuzzed = Callable[[Progress[FuzzedTask]], None]


def fuzz_tasks(
    suite: Suite,
    items: Sequence[SuiteTask],
    *,
    walks: int,
    seed: int,
    accepted: Sequence[AcceptedFinding] = (),
    jobs: int = 1,
    out: Path | None = None,
    on_progress: OnFuzzed = lambda progress: None,
) -> tuple[FuzzedTask, ...]:
    """Fuzz tasks.

    Args:
        suite: The suite.
        items: The tasks.
        walks: Number of walks per task.
        seed: Seed of the walks.
        accepted: The accepted findings.
        jobs: Number of processes; with 1, this process does it.
        out: Folder of the results file, which is continued; None saves nothing.
        on_progress: Called after each performed task.

    Returns:
        The results, in the order of the tasks.

    Raises:
        RecordError: The results file cannot be written.
    """
    of_task = {item.task.id: tuple(e for e in accepted if e.task == item.task.id) for item in items}
    keys = {item.task.id: _key(item, suite, walks, seed, of_task[item.task.id]) for item in items}
    path = out / RESULTS if out is not None else None
    known = {done.task: done for done in (read_walk_results(path) if path is not None else ())}
    done = {name: each for name, each in known.items() if keys.get(name) == each.key}
    if path is not None:  # other tasks' results stay, outdated ones of these tasks do not
        others = [each for name, each in known.items() if name not in keys]
        write_atomic(
            path, "".join(f"{each.model_dump_json()}\n" for each in (*others, *done.values())).encode()
        )
    todo = [item for item in items if item.task.id not in done]
    performed = (
        _in_processes(suite, todo, walks, seed, of_task, jobs)
        if jobs > 1
        else _here(suite, todo, walks, seed, of_task)
    )
    for number, each in enumerate(performed, start=1):
        fuzzed = each.model_copy(update={"key": keys[each.task]})
        done[each.task] = fuzzed
        if path is not None:
            _append(path, fuzzed)
        on_progress(Progress(number, len(todo), fuzzed))
    return tuple(done[item.task.id] for item in items)


def read_walk_results(path: Path) -> tuple[FuzzedTask, ...]:
    """Read a results file; none if there is no file. Lines of another version are left out."""
    if not path.is_file():
        return ()
    found: dict[str, FuzzedTask] = {}
    for line in complete_lines(path):
        try:
            each = FuzzedTask.model_validate_json(line)
        except ValidationError:
            continue
        found[each.task] = each
    return tuple(found.values())


def find_finding(path: Path, name: str) -> FuzzFinding:
    """Return a finding of a results file by its id, or by the unique start of it.

    Raises:
        InputError: There is none, or several begin so.
    """
    known = {finding.id: finding for each in read_walk_results(path) for finding in each.findings}
    found = [known[name]] if name in known else [each for key, each in known.items() if key.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"several findings begin with {name!r}: {', '.join(each.id for each in found)}")
    hint = (
        f"{path} has: {', '.join(sorted(known))}"
        if known
        else f"First run garabench tasks fuzz; {path} has none."
    )
    raise InputError(f"unknown finding {name!r}", hint=hint)


def _key(item: SuiteTask, suite: Suite, walks: int, seed: int, accepted: Sequence[AcceptedFinding]) -> str:
    others = [
        [each.task.model_dump_json(include={"id", "solution", "near_misses"}), each.effects.variants]
        for each in suite.every_task.values()
        if each.app == item.app
    ]
    parts = [
        proof_key(item, suite, VARIANTS[:1]),
        walks,
        seed,
        [each.model_dump_json() for each in accepted],
        repr(others),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _append(path: Path, fuzzed: FuzzedTask) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{fuzzed.model_dump_json()}\n")
    except OSError as error:
        raise disk_error(error, path) from error


def _here(
    suite: Suite,
    items: Sequence[SuiteTask],
    walks: int,
    seed: int,
    accepted: dict[str, tuple[AcceptedFinding, ...]],
) -> Iterator[FuzzedTask]:
    performer = PhonePerformer.start(VARIANTS[0], suite.app_files)
    for item in items:
        others = tuple(suite.every_task.values())
        mine = accepted[item.task.id]
        yield fuzz_task(item, walks=walks, seed=seed, accepted=mine, performer=performer, others=others)


def _in_processes(
    suite: Suite,
    items: Sequence[SuiteTask],
    walks: int,
    seed: int,
    accepted: dict[str, tuple[AcceptedFinding, ...]],
    jobs: int,
) -> Iterator[FuzzedTask]:
    pool = ProcessPoolExecutor(min(jobs, max(1, len(items))), mp_context=get_context("spawn"))
    try:
        waiting: list[Future[FuzzedTask]] = [
            pool.submit(_fuzz_one, suite.root, item.task.id, walks, seed, accepted[item.task.id])
            for item in items
        ]
        for future in as_completed(waiting):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


@functools.cache
def _worker(root: Path) -> tuple[Suite, PhonePerformer]:
    """Return the suite and the phone of a worker process."""
    collect_rarely()
    suite = Suite.load(root)
    return suite, PhonePerformer.start(VARIANTS[0], suite.app_files)


def _fuzz_one(
    root: Path, task: str, walks: int, seed: int, accepted: tuple[AcceptedFinding, ...]
) -> FuzzedTask:
    suite, performer = _worker(root)
    item, others = suite.every_task[task], tuple(suite.every_task.values())
    return fuzz_task(item, walks=walks, seed=seed, accepted=accepted, performer=performer, others=others)

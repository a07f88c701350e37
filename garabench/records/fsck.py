"""Check a run's folder: every record is readable, every file that it names is there and unchanged."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from garabench.errors import InputError
from garabench.records.campaign_log import damaged_lines
from garabench.records.content_store import content_hash
from garabench.records.reader import Run
from garabench.records.references import attempts, references
from garabench.records.results import as_version, read_results, summarize_episodes
from garabench.records.run_layout import CAMPAIGN, EPISODES, IMAGES, RESULTS, SCREENS, TREES


class InconsistencyKind(enum.StrEnum):
    """What is wrong with a run's folder."""

    BROKEN = "broken"
    """A log, a transcript, the results or a line of the campaign's log cannot be read."""
    MISSING = "missing"
    """A file that a record names is missing."""
    ALTERED = "altered"
    """The content of a stored file does not have the hash in its name."""
    ORPHAN = "orphan"
    """No record names the file; ``garabench runs prune`` removes it."""
    RESULTS = "results"
    """``results.jsonl`` differs from the episodes' records; resuming the run rebuilds it."""


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """A mistake in a run's folder.

    Attributes:
        kind: What is wrong.
        path: The file, relative to the run's folder.
        message: The reason in words.
    """

    kind: InconsistencyKind
    path: str
    message: str


def check_run(run: Run) -> Iterator[Inconsistency]:
    """Check a run that is not being performed.

    Pictures that earlier attempts name may be missing: pruning removes them.
    """
    named: set[Path] = set()
    readable = True
    for attempt, latest in attempts(run.folder):
        try:
            for reference in references(attempt, latest=latest):
                named.add(reference.path)
                if (latest or reference.is_tree) and not reference.path.is_file():
                    source = reference.source.relative_to(run.folder)
                    yield _found(run, InconsistencyKind.MISSING, reference.path, f"{source} names it")
        except InputError as error:
            readable = False
            yield _found(run, InconsistencyKind.BROKEN, attempt.log, error.message)
    yield from _campaign(run)
    yield from _unplanned(run)
    yield from _store(run)
    if readable:  # what a broken log names is unknown
        for path in orphans(run, named):
            yield _found(run, InconsistencyKind.ORPHAN, path, "no record names it")
        yield from _results(run)


def orphans(run: Run, named: set[Path]) -> Iterator[Path]:
    """Iterate over the pictures and trees that no record names, and over partially written ones.

    Args:
        run: The run.
        named: The files that its records name.
    """
    for path in sorted(run.store.folder.glob("*/*")):
        if path.is_file() and path not in named:
            yield path
    for name in (SCREENS, TREES, IMAGES):
        for path in sorted((run.folder / EPISODES).glob(f"**/{name}/*")):
            if path.is_file() and path not in named:
                yield path


def _unplanned(run: Run) -> Iterator[Inconsistency]:
    planned = {run.folder / key.folder for key in run.file.episode_keys()}
    for attempt, latest in attempts(run.folder):
        if latest and attempt.folder not in planned:
            yield _found(run, InconsistencyKind.ORPHAN, attempt.folder, "the plan has no such episode")


def _campaign(run: Run) -> Iterator[Inconsistency]:
    path = run.folder / CAMPAIGN
    try:
        for number, reason in damaged_lines(run.folder):
            yield _found(run, InconsistencyKind.BROKEN, path, f"line {number}: {reason}")
    except OSError as error:
        yield _found(run, InconsistencyKind.BROKEN, path, error.strerror or str(error))


def _store(run: Run) -> Iterator[Inconsistency]:
    for file in run.store.files():
        try:
            digest = content_hash(file)
        except OSError as error:
            yield _found(run, InconsistencyKind.BROKEN, file.path, error.strerror or str(error))
            continue
        if digest != file.sha256:
            message = "it cannot be decompressed" if digest is None else f"its content has the hash {digest}"
            yield _found(run, InconsistencyKind.ALTERED, file.path, message)


def _results(run: Run) -> Iterator[Inconsistency]:
    path = run.folder / RESULTS
    try:
        written = {summary.key: summary for summary in read_results(run.folder)}
    except InputError as error:
        yield _found(run, InconsistencyKind.BROKEN, path, error.message)
        return
    recorded = {summary.key: summary for summary in summarize_episodes(run.folder, run.file)}
    for key in sorted(written.keys() | recorded.keys(), key=str):
        if key not in recorded:
            yield _found(run, InconsistencyKind.RESULTS, path, f"{key} has not ended by its record")
        elif key not in written:
            yield _found(run, InconsistencyKind.RESULTS, path, f"{key} has ended and is missing")
        elif written[key] != as_version(recorded[key], written[key].version):
            yield _found(run, InconsistencyKind.RESULTS, path, f"{key} differs from its record")


def _found(run: Run, kind: InconsistencyKind, path: Path, message: str) -> Inconsistency:
    return Inconsistency(kind, path.relative_to(run.folder).as_posix(), message)

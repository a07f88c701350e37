"""Merge the run folders of several workers of one campaign into one run.

Each worker performs a part of the same plan (``garabench run --shard 2/5``) and writes a separate folder.
So no two processes ever write the same file, on any file system. Nothing is computed here: results are
rebuilt from the episodes' records.
"""

from __future__ import annotations

import heapq
import os
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from garabench.core.campaign_events import CampaignEvent, RunMerged
from garabench.errors import InputError
from garabench.records.campaign_log import CampaignLog, read_campaign
from garabench.records.disk import disk_error
from garabench.records.episode import Episode
from garabench.records.reader import Run, load_run
from garabench.records.remote_runs import require_local
from garabench.records.run_layout import STORE, EpisodeKey
from garabench.records.run_writer import RunWriter

_SAME = ("plan", "agents", "suite_hash")


@dataclass(frozen=True, slots=True)
class MergedRun:
    """The result of a merge.

    Attributes:
        run: The merged run.
        ended: Number of its episodes that have ended.
        skipped: Episodes of a later folder that an earlier one has, too; they were not taken.
    """

    run: Run
    ended: int
    skipped: tuple[str, ...]


def merge_runs(folders: Sequence[Path | str], out: Path | str) -> MergedRun:
    """Merge runs with the same plan into a new folder.

    If several folders have an episode, the first one that ended without an error counts. Diagnoses and
    verdicts are not merged; run them on the merged run.

    Args:
        folders: The folders of the workers.
        out: The folder of the merged run; it must not exist, or be empty.

    Raises:
        InputError: A folder is not a run, two runs differ in plan, agents, suite or kind of device, or `out`
            holds something.
        RecordError: The merged run cannot be written.
    """
    out = require_local(out)
    runs = [load_run(folder) for folder in folders]
    if not runs:
        raise InputError("nothing to merge", hint="Give the folders of the workers.")
    for run in runs[1:]:
        _check_same(runs[0], run)
    writer = RunWriter.create(out, runs[0].file)
    skipped: list[str] = []
    with writer.lock():
        try:
            for run in runs:
                _copy(run.folder / STORE, out / STORE)
            for key in runs[0].file.episode_keys():
                skipped += _merge_episode(key, runs, out)
        except OSError as error:
            raise disk_error(error, out) from error
        results = writer.rebuild()
        _merge_logs(runs, writer, Counter(each.known_outcome for each in results))
    return MergedRun(load_run(out), len(results), tuple(skipped))


def _merge_logs(runs: Sequence[Run], writer: RunWriter, outcomes: Counter[str]) -> None:
    """Write the events of all workers in order of time, each with its worker's name, and the sum of them."""
    names = _worker_names([run.folder for run in runs])
    events: list[CampaignEvent] = list(
        heapq.merge(  # never changes the order of one worker's events, although its clock may jump
            *(_events_of(run.folder, name) for run, name in zip(runs, names, strict=True)),
            key=lambda each: each.time,
        )
    )
    if not events:  # older runs have no such log
        return
    log = CampaignLog(writer.folder)
    for event in events:
        log.append(event)
    log.append(
        RunMerged(
            time=max(event.time for event in events),
            planned=len(tuple(writer.file.episode_keys())),
            ended=outcomes.total(),
            outcomes=dict(sorted(outcomes.items())),
            workers=names,
        )
    )


def _events_of(folder: Path, name: str) -> list[CampaignEvent]:
    return [
        event.model_copy(update={"worker": f"{name}/{event.worker}" if event.worker else name})
        for event in read_campaign(folder)
    ]


def _worker_names(folders: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of the folders, with a number if several have the same one."""
    names = [folder.resolve().name for folder in folders]
    return tuple(
        f"{name}#{number}" if names.count(name) > 1 else name for number, name in enumerate(names, start=1)
    )


def _check_same(first: Run, other: Run) -> None:
    for name in _SAME:
        if getattr(first.file, name) != getattr(other.file, name):
            what = "version of the suite" if name == "suite_hash" else name
            raise InputError(
                f"{other.folder} has another {what} than {first.folder}",
                hint="Only parts of one campaign can be merged; compare other runs with garabench compare.",
            )
    if first.kind is not other.kind:
        raise InputError(
            f"{other.folder} was recorded on a {other.kind} device, and {first.folder} on a {first.kind} "
            "one: their results are never mixed"
        )
    if first.environment.left_out != other.environment.left_out:
        raise InputError(
            f"{other.folder} and {first.folder} left out different rules",
            hint="Compare device.left_out in their run.json: the devices differ in what they can perform.",
        )


def _merge_episode(key: EpisodeKey, runs: Sequence[Run], out: Path) -> list[str]:
    """Copy the best record of an episode; return the others."""
    found = [(run, episode) for run in runs if (episode := run.episode(key)) is not None]
    if not found:
        return []
    best = min(range(len(found)), key=lambda index: (_rank(found[index][1]), index))
    run, _ = found[best]
    _copy(run.folder / key.folder, out / key.folder)
    return [f"{other.folder}: {key}" for index, (other, _) in enumerate(found) if index != best]


def _rank(episode: Episode) -> int:
    """Return 0 for an episode that ended, 1 for one that ended in error, 2 for one that did not end."""
    if episode.outcome is None:
        return 2
    return int(episode.outcome == "error")


def _copy(source: Path, target: Path) -> None:
    """Copy a folder; files are linked where the file system can, and existing ones stay."""
    for path in sorted(source.rglob("*")) if source.is_dir() else ():
        place = target / path.relative_to(source)
        if path.is_symlink() or not path.is_file() or place.exists():
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        _link(path, place)


def _link(path: Path, place: Path) -> None:
    """Link a file that is never changed again; copy logs, and everything across file systems."""
    if path.suffix != ".jsonl":
        try:
            os.link(path, place)
        except OSError:
            pass
        else:
            return
    shutil.copy2(path, place)

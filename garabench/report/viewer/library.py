"""The opened runs and the list of their episodes, which follows the runs while they are written."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from garabench.core.clock import Clock
from garabench.core.file_errors import missing_path
from garabench.errors import InputError
from garabench.records.episode import Episode
from garabench.records.reader import Run, load_run
from garabench.records.results import Summary
from garabench.records.run_layout import EVENTS, RESULTS, EpisodeKey, run_folders
from garabench.report.viewer.clipping import clip, clip_all
from garabench.report.viewer.task_texts import TaskTexts

RUNNING = "running"
"""Outcome of an episode whose log has just been written to."""
STOPPED = "stopped"
"""Outcome of an episode that began and has neither ended nor gone on."""
UNREADABLE = "unreadable"
"""Outcome of an episode whose record cannot be read."""
_ACTIVE_SECONDS = 60
_MAX_FAULT = 300
_MAX_LABEL = 200
"""Longest label in the list; the parts of a path are not longer than 255 bytes."""
_MAX_ID = 2_000
"""Longer ids are of no folder, so that nothing is lost if they are cut."""

Row = dict[str, Any]
"""An episode in the list, as JSON-compatible data."""


@dataclass(frozen=True, slots=True)
class EpisodeAddress:
    """What identifies an episode among all opened runs.

    Attributes:
        run: The run's name in the viewer.
        key: The episode's key within it.
    """

    run: str
    key: EpisodeKey

    def __str__(self) -> str:
        return f"{self.run}/{self.key}"


@dataclass(slots=True)
class _OpenedRun:
    """A run and what is known of it so far.

    Attributes:
        name: Its name in the viewer.
        run: The run.
        planned: The places of its episodes among those of all runs.
        pending: The episodes without a result.
        stamp: Time and size of the results when they were read.
        problem: Why the results cannot be read; empty if they can.
        rows: The episodes that have begun.
    """

    name: str
    run: Run
    planned: Mapping[EpisodeKey, int]
    pending: set[EpisodeKey]
    stamp: tuple[int, int] = (-1, -1)
    problem: str = ""
    rows: dict[EpisodeKey, Row] = field(default_factory=dict)


class RunLibrary:
    """The opened runs. Its methods may be called from several threads.

    Attributes:
        problems: Folders that could not be opened, each with the reason.
    """

    def __init__(self, folders: Sequence[Path], texts: TaskTexts, clock: Clock) -> None:
        """Open runs.

        Args:
            folders: Folders of runs, or folders that contain runs.
            texts: The tasks' instructions and apps.
            clock: Tells whether a log is being written.

        Raises:
            InputError: No run could be opened.
        """
        self._texts = texts
        self._clock = clock
        self._lock = threading.Lock()
        self._version = 0
        self._opened: dict[str, _OpenedRun] = {}
        self.problems: list[tuple[str, str]] = []
        for folder in folders:
            found = list(run_folders(folder))
            if not found:
                missing = str(missing_path(folder, "folder"))
                reason = "there is no run in this folder" if folder.is_dir() else missing
                self.problems.append((str(folder), reason))
            for path in found:
                self._open(path)
        if not self._opened:
            raise InputError(
                "\n".join(
                    reason if folder in reason else f"{folder}: {reason}" for folder, reason in self.problems
                )
                or "no run is given",
                hint="A run is a folder with a run.json, such as runs/first.",
            )

    def _open(self, path: Path) -> None:
        try:
            run = load_run(path)
        except InputError as error:
            self.problems.append((str(path), str(error)))
            return
        base = path.resolve().name
        name, number = base, 1
        while name in self._opened:
            number += 1
            name = f"{base}-{number}"
        first = sum(len(opened.planned) for opened in self._opened.values())
        planned = {key: place for place, key in enumerate(run.file.episode_keys(), start=first)}
        self._opened[name] = _OpenedRun(name, run, planned, set(planned))

    def run(self, name: str) -> Run | None:
        """Return a run by its name in the viewer; None if there is none."""
        opened = self._opened.get(name)
        return None if opened is None else opened.run

    def episode(self, address: EpisodeAddress) -> tuple[Run, Episode] | None:
        """Return a run and an episode of its plan; None if there is none, or if it has not begun."""
        opened = self._opened.get(address.run)
        # Only planned keys: the parts of others could lead out of the folder.
        if opened is None or address.key not in opened.planned:
            return None
        episode = opened.run.episode(address.key)
        return None if episode is None else (opened.run, episode)

    def state(self, address: EpisodeAddress) -> dict[str, str]:
        """Return the outcome and the reason of an episode as the list has them; empty if it has not begun."""
        opened = self._opened[address.run]
        with self._lock:
            self._refresh(opened)
            row = opened.rows.get(address.key, {})
        return {name: row[name] for name in ("outcome", "reason") if name in row}

    def partners(self, address: EpisodeAddress) -> list[Row]:
        """Return the begun episodes of the same run, task, agent and seed, in the plan's order."""
        opened = self._opened[address.run]
        key = address.key
        keys = (
            EpisodeKey(key.task, key.agent, condition, key.seed) for condition in opened.run.plan.conditions
        )
        with self._lock:
            self._refresh(opened)
            return [opened.rows[each] for each in keys if each in opened.rows]

    def listing(self, since: int = -1) -> dict[str, Any]:
        """Return the list of episodes, as JSON-compatible data.

        Args:
            since: The version that the caller has; only changed rows are returned.
        """
        with self._lock:
            for opened in self._opened.values():
                self._refresh(opened)
            rows = [
                row
                for opened in self._opened.values()
                for row in opened.rows.values()
                if row["version"] > since
            ]
            return {
                "version": self._version,
                "runs": [_run_data(opened) for opened in self._opened.values()],
                "problems": [{"folder": folder, "reason": reason} for folder, reason in self.problems],
                "tasks": self._texts.data({row["task"] for row in rows}),
                "rows": rows,
            }

    def _refresh(self, opened: _OpenedRun) -> None:
        stamp = _stamp(opened.run.folder / RESULTS)
        fresh: dict[EpisodeKey, Row] = {}
        if stamp != opened.stamp:
            opened.stamp = stamp
            opened.run = Run(opened.run.folder, opened.run.file)  # without the summaries it has cached
            fresh.update(self._ended(opened))
        opened.pending.difference_update(fresh)
        for key in opened.pending:
            begun = self._begun(opened, key)
            if begun is not None:
                fresh[key] = begun
        changed = {key: row for key, row in fresh.items() if not _same(opened.rows.get(key), row)}
        if changed:
            self._version += 1
            for key, row in changed.items():
                opened.rows[key] = {**row, "version": self._version}

    def _ended(self, opened: _OpenedRun) -> Iterator[tuple[EpisodeKey, Row]]:
        opened.problem = ""
        try:
            for summary in opened.run.summaries:
                yield summary.key, self._row(opened, summary.key, summary)
            return
        except InputError as error:
            hint = "; ".join(error.hint.splitlines())
            opened.problem = (
                f"{error.message}. The results are read from the logs of the episodes instead. {hint}"
            )
        for key in opened.run.file.episode_keys():
            episode = opened.run.episode(key)
            if episode is None:
                continue
            try:
                found = episode.summary
            except InputError as error:
                yield key, self._row(opened, key, None, UNREADABLE, fault=str(error))
                continue
            if found is not None:
                yield key, self._row(opened, key, found)

    def _begun(self, opened: _OpenedRun, key: EpisodeKey) -> Row | None:
        try:
            written = (opened.run.folder / key.folder / EVENTS).stat().st_mtime
        except OSError:
            return None
        active = self._clock.now().timestamp() - written < _ACTIVE_SECONDS
        return self._row(opened, key, None, RUNNING if active else STOPPED)

    def _row(
        self,
        opened: _OpenedRun,
        key: EpisodeKey,
        summary: Summary | None,
        outcome: str = "",
        fault: str = "",
    ) -> Row:
        row: Row = {
            "id": clip(str(EpisodeAddress(opened.name, key)), _MAX_ID),
            "place": opened.planned.get(key, -1),
            "run": opened.name,
            "task": clip(key.task, _MAX_LABEL),
            "agent": clip(key.agent, _MAX_LABEL),
            "condition": clip(key.condition, _MAX_LABEL),
            "seed": key.seed,
            "app": clip(self._texts.app(key.task), _MAX_LABEL),
            "outcome": outcome,
            "fault": clip(fault, _MAX_FAULT),
        }
        if summary is None:
            return row
        usage = summary.usage
        return row | {
            "outcome": summary.known_outcome,
            "reason": clip(summary.unknown, _MAX_FAULT) or clip(summary.reason, _MAX_LABEL),
            "steps": summary.steps,
            "solution": summary.solution_steps,
            "injected": summary.injected,
            "shown": summary.shown,
            "exits": [clip(each, _MAX_LABEL) for each in summary.exits],
            "interruptions": [clip(each.interruption, _MAX_LABEL) for each in summary.interruptions],
            "seconds": round(summary.seconds, 1),
            "tokens": None if usage is None else usage.tokens,
            "cost": None if usage is None or usage.cost is None else float(usage.cost),
            "fault": clip(summary.fault, _MAX_FAULT),
        }


def _stamp(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_mtime_ns, stat.st_size)


def _same(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> bool:
    return old is not None and {**old, "version": 0} == {**new, "version": 0}


def _run_data(opened: _OpenedRun) -> dict[str, Any]:
    file = opened.run.file
    return {
        "name": opened.name,
        "folder": str(opened.run.folder),
        "kind": str(file.device.kind),
        "garabench": file.garabench,
        "suite": file.suite_hash[:12],
        "planned": len(opened.planned),
        "conditions": clip_all(file.plan.conditions, _MAX_LABEL),
        "agents": [clip(agent.name, _MAX_LABEL) for agent in file.agents],
        "outcomes": dict(Counter(row["outcome"] for row in opened.rows.values())),
        "problem": opened.problem,
    }

"""Labels in SQLite: each change is committed before it is confirmed, so nothing is lost when a page closes.

A label has two stages. Once the verifier's findings were shown, the blind stage is closed.
"""

from __future__ import annotations

import contextlib
import enum
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from garabench.core.clock import Clock, SystemClock
from garabench.errors import InputError, RecordError
from garabench.verifier.label_files import HumanLabel, LabelSet

LABELS = "labels.sqlite"
"""File name of the labels, in the folder of the verdicts."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS labels (
  trajectory TEXT NOT NULL,
  annotator TEXT NOT NULL,
  judge TEXT NOT NULL DEFAULT '',
  outcome TEXT NOT NULL DEFAULT '',
  points TEXT NOT NULL DEFAULT '{}',
  process_score REAL,
  comment TEXT NOT NULL DEFAULT '',
  revealed INTEGER NOT NULL DEFAULT 0,
  informed_outcome TEXT NOT NULL DEFAULT '',
  informed_process TEXT NOT NULL DEFAULT '',
  informed_comment TEXT NOT NULL DEFAULT '',
  changed TEXT NOT NULL,
  PRIMARY KEY (trajectory, annotator)
)
"""
_VERSION = 1
_BUSY_MS = 5000
_MAX_TEXT = 5000


class LabelChoice(enum.StrEnum):
    """An annotator's choice; empty while there is none."""

    NONE = ""
    SUCCESS = "success"
    FAILURE = "failure"
    UNSURE = "unsure"

    @property
    def value_or_none(self) -> bool | None:
        """True for a success, False for a failure, None for unsure and none."""
        return {LabelChoice.SUCCESS: True, LabelChoice.FAILURE: False}.get(self)


@dataclass(frozen=True, slots=True)
class StoredLabel:
    """An annotator's label of a trajectory.

    Attributes:
        trajectory, annotator: What identifies it.
        judge: The judge whose rubric and findings were shown.
        outcome: The blind outcome.
        points: The blind points by criterion.
        process_score: Points divided by the most points; None unless every criterion has points.
        comment: The blind comment.
        revealed: Whether the findings were shown, so that the blind stage is closed.
        informed_outcome, informed_process: The choices after the findings were shown.
        informed_comment: The comment on the findings.
    """

    trajectory: str
    annotator: str
    judge: str = ""
    outcome: LabelChoice = LabelChoice.NONE
    points: Mapping[str, float] = field(default_factory=dict)
    process_score: float | None = None
    comment: str = ""
    revealed: bool = False
    informed_outcome: LabelChoice = LabelChoice.NONE
    informed_process: LabelChoice = LabelChoice.NONE
    informed_comment: str = ""


class BlindStageClosedError(InputError):
    """A blind label cannot be changed after the findings were shown."""


class LabelStore:
    """The labels of a run; its methods may be called from several threads."""

    def __init__(self, file: Path, clock: Clock | None = None) -> None:
        """Open or create the file.

        Args:
            file: The file.
            clock: Dates the changes.

        Raises:
            InputError: It is not a file of labels, or has a newer version.
            RecordError: It cannot be written.
        """
        self.file = file
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
            self._database.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version > _VERSION:
                raise InputError(
                    f"{file} has version {version}; this GaraBench reads versions up to {_VERSION}"
                )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute(_SCHEMA)
            self._database.execute(f"PRAGMA user_version = {_VERSION}")
        except sqlite3.DatabaseError as error:
            raise InputError(f"{file} is not a file of labels: {error}") from error
        except OSError as error:
            raise RecordError(f"{file} could not be created: {error.strerror or error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def find(self, trajectory: str, annotator: str) -> StoredLabel:
        """Return a label; an empty one if there is none.

        Args:
            trajectory: The trajectory's key.
            annotator: Name of the annotator.
        """
        with self._lock:
            return self._find(trajectory, annotator)

    def save_blind(
        self,
        trajectory: str,
        annotator: str,
        judge: str,
        *,
        outcome: LabelChoice,
        points: Mapping[str, float],
        process_score: float | None,
        comment: str,
    ) -> StoredLabel:
        """Store the blind stage.

        Args:
            trajectory: The trajectory's key.
            annotator: Name of the annotator.
            judge: The judge whose rubric is shown.
            outcome: The outcome.
            points: The points by criterion.
            process_score: The process score; None unless every criterion has points.
            comment: The comment.

        Raises:
            BlindStageClosedError: The findings were shown.
        """
        with self._change():
            before = self._find(trajectory, annotator)
            if before.revealed:
                raise BlindStageClosedError("the blind label is closed: the findings were shown")
            values = {
                "judge": judge,
                "outcome": outcome.value,
                "points": json.dumps(dict(points)),
                "process_score": process_score,
                "comment": comment[:_MAX_TEXT],
            }
            self._write(trajectory, annotator, values)
            return self._find(trajectory, annotator)

    def reveal(self, trajectory: str, annotator: str) -> StoredLabel:
        """Close the blind stage, so that the findings may be shown.

        Args:
            trajectory: The trajectory's key.
            annotator: Name of the annotator.

        Raises:
            InputError: There is no blind outcome yet.
        """
        with self._change():
            if self._find(trajectory, annotator).outcome is LabelChoice.NONE:
                raise InputError("choose an outcome first: the findings are shown afterwards")
            self._write(trajectory, annotator, {"revealed": 1})
            return self._find(trajectory, annotator)

    def save_informed(
        self, trajectory: str, annotator: str, *, outcome: LabelChoice, process: LabelChoice, comment: str
    ) -> StoredLabel:
        """Store the informed stage.

        Args:
            trajectory: The trajectory's key.
            annotator: Name of the annotator.
            outcome: The outcome.
            process: The process.
            comment: The comment.

        Raises:
            InputError: The findings were not shown yet.
        """
        with self._change():
            if not self._find(trajectory, annotator).revealed:
                raise InputError("the findings were not shown yet")
            values = {
                "informed_outcome": outcome.value,
                "informed_process": process.value,
                "informed_comment": comment[:_MAX_TEXT],
            }
            self._write(trajectory, annotator, values)
            return self._find(trajectory, annotator)

    def labels(self) -> tuple[StoredLabel, ...]:
        """Return all labels, by trajectory and annotator."""
        with self._lock:
            rows = self._database.execute(f"SELECT {_COLUMNS} FROM labels ORDER BY trajectory, annotator")  # noqa: S608
            return tuple(_label(row) for row in rows)

    def label_set(self, group_of: Mapping[str, str], *, closed: bool = False) -> LabelSet:
        """Return the labels as values of `garabench.verifier.label_files`.

        Args:
            group_of: The group of each trajectory, such as its app.
            closed: Leave out labels whose blind stage can still be changed.
        """
        return LabelSet(
            tuple(
                HumanLabel(
                    trajectory=label.trajectory,
                    annotator=label.annotator,
                    outcome=label.outcome.value_or_none,
                    process_score=label.process_score,
                    informed_outcome=label.informed_outcome.value_or_none,
                    informed_process=label.informed_process.value_or_none,
                    group=group_of.get(label.trajectory, ""),
                    comment=label.comment,
                    informed_comment=label.informed_comment,
                )
                for label in self.labels()
                if label.outcome is not LabelChoice.NONE and (label.revealed or not closed)
            )
        )

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        """Perform a change in a transaction, which is on the disk when it ends."""
        with self._lock:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                try:
                    yield
                except BaseException:  # also an interrupt: a change is whole or not there
                    self._database.execute("ROLLBACK")
                    raise
                self._database.execute("COMMIT")
            except sqlite3.Error as error:
                raise RecordError(f"{self.file} could not be written: {error}") from error

    def _find(self, trajectory: str, annotator: str) -> StoredLabel:
        row = self._database.execute(
            f"SELECT {_COLUMNS} FROM labels WHERE trajectory = ? AND annotator = ?",  # noqa: S608
            (trajectory, annotator),
        ).fetchone()
        return StoredLabel(trajectory, annotator) if row is None else _label(row)

    def _write(self, trajectory: str, annotator: str, values: Mapping[str, Any]) -> None:
        columns = {**values, "changed": self._clock.now().isoformat(timespec="seconds")}
        names = ", ".join(columns)
        marks = ", ".join("?" for _ in columns)
        updates = ", ".join(f"{name} = excluded.{name}" for name in columns)
        self._database.execute(
            f"INSERT INTO labels (trajectory, annotator, {names}) VALUES (?, ?, {marks})"  # noqa: S608
            f" ON CONFLICT (trajectory, annotator) DO UPDATE SET {updates}",
            (trajectory, annotator, *columns.values()),
        )


_COLUMNS = (
    "trajectory, annotator, judge, outcome, points, process_score, comment, revealed, informed_outcome,"
    " informed_process, informed_comment"
)


def _label(row: Sequence[Any]) -> StoredLabel:
    (
        trajectory,
        annotator,
        judge,
        outcome,
        points,
        score,
        comment,
        revealed,
        informed,
        process,
        informed_comment,
    ) = row
    return StoredLabel(
        trajectory,
        annotator,
        judge,
        LabelChoice(outcome),
        json.loads(points),
        score,
        comment,
        bool(revealed),
        LabelChoice(informed),
        LabelChoice(process),
        informed_comment,
    )

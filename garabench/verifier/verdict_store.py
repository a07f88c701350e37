"""The stored verdicts of a run.

::

    RUN/verdicts/JUDGE/TASK/AGENT/CONDITION/SEED/verdict.json     the verdict
    RUN/verdicts/JUDGE/TASK/AGENT/CONDITION/SEED/stages/*.json    the model's replies by stage

``JUDGE`` is the judge's name with unsafe characters replaced. A verdict whose digest is not that of the
episode's present record is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from garabench.core.file_errors import unreadable
from garabench.errors import InputError
from garabench.records.disk import write_atomic
from garabench.verifier.verdict import VERDICT_VERSION, TrajectoryVerdict

VERDICTS = "verdicts"
"""Folder of the verdicts in a run's folder."""
VERDICT_FILE = "verdict.json"
STAGES = "stages"
"""Folder of the model's replies by stage, next to the verdict."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class VerdictStore:
    """The verdicts of one judge.

    Attributes:
        folder: Folder of the verdicts of all judges, ``RUN/verdicts`` for a run.
        judge: Name of the judge.
    """

    folder: Path
    judge: str

    @classmethod
    def of_run(cls, run: Path, judge: str) -> VerdictStore:
        """Return the verdicts of a judge on the run in a folder."""
        return cls(run / VERDICTS, judge)

    @property
    def judge_folder(self) -> Path:
        """The judge's folder."""
        return self.folder / safe_name(self.judge)

    def trajectory_folder(self, key: str) -> Path:
        """Return the folder for a trajectory.

        Args:
            key: The trajectory's key; each part becomes a safe file name.
        """
        return self.judge_folder.joinpath(*(safe_name(part) for part in PurePosixPath(key).parts))

    def write(self, verdict: TrajectoryVerdict) -> Path:
        """Store a verdict and return its file.

        Raises:
            RecordError: It cannot be written.
        """
        path = self.trajectory_folder(verdict.trajectory) / VERDICT_FILE
        write_atomic(path, verdict.model_dump_json(indent=1, exclude_defaults=True).encode() + b"\n")
        return path

    def read(self, key: str) -> TrajectoryVerdict | None:
        """Return the verdict on a trajectory; None if there is none.

        Raises:
            InputError: The file is broken or of a newer version.
        """
        path = self.trajectory_folder(key) / VERDICT_FILE
        return read_verdict(path) if path.is_file() else None

    def verdicts(self) -> Iterator[TrajectoryVerdict]:
        """Iterate over the judge's verdicts in alphabetical order.

        Raises:
            InputError: A file is broken or of a newer version.
        """
        for path in sorted(self.judge_folder.glob(f"**/{VERDICT_FILE}")):
            yield read_verdict(path)


def judges(run: Path) -> tuple[str, ...]:
    """Return the names of the judges with verdicts on a run, as file names, in alphabetical order."""
    folder = run / VERDICTS
    return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir())) if folder.is_dir() else ()


def only_judge(run: Path) -> str:
    """Return the judge that has judged a run; empty if none has.

    Raises:
        InputError: Several have.
    """
    found = judges(run)
    if len(found) > 1:
        raise InputError(
            f"several judges have judged {run}: {', '.join(found)}", hint="Choose one with --judge."
        )
    return found[0] if found else ""


def read_verdict(path: Path) -> TrajectoryVerdict:
    """Read a verdict.

    Raises:
        InputError: The file is broken or of a newer version.
    """
    try:
        verdict = TrajectoryVerdict.model_validate_json(path.read_bytes())
    except OSError as error:
        raise unreadable(path, error) from error
    except ValidationError as error:
        raise InputError(f"{path} is not a verdict: {error.errors(include_url=False)[0]['msg']}") from error
    if verdict.version > VERDICT_VERSION:
        raise InputError(
            f"{path} has verdict version {verdict.version}; this GaraBench reads versions up to"
            f" {VERDICT_VERSION}"
        )
    return verdict


def safe_name(name: str) -> str:
    """Return a name as a file name: unsafe characters become ``_``, and it never names another folder."""
    safe = _UNSAFE.sub("_", name)[:120]
    return safe if safe.strip(".") else f"_{safe}"

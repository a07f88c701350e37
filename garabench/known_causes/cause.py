"""The cause of a failed episode, and the file of causes next to the runs."""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from garabench.core.file_errors import unreadable
from garabench.errors import InputError
from garabench.records.disk import disk_error

TRUTH = "truth.jsonl"
"""Name of the file of causes, in the data set's folder."""
_HALF_SALT = "diagnosis-half"


class CauseKind(enum.StrEnum):
    """Who caused a failure."""

    DEFECT = "defect"
    """The app is broken, and no known solution works, or works only sometimes."""
    AGENT_FAULT = "agent-fault"
    """The agent was given a fault; the app works."""
    AGENT = "agent"
    """The agent failed by itself; the app works."""


class Half(enum.StrEnum):
    """The half of the tasks that a task belongs to."""

    TUNING = "tuning"
    HELD_OUT = "held-out"


def half_of(task: str) -> Half:
    """Return the half of a task, by its hash alone."""
    digest = hashlib.sha256(f"{_HALF_SALT}\x1f{task}".encode()).digest()
    return Half.TUNING if digest[0] % 2 == 0 else Half.HELD_OUT


@dataclass(frozen=True, slots=True)
class Cause:
    """What makes an episode fail.

    Attributes:
        kind: Who causes it.
        name: Id of the defect or of the agent's fault; empty if the agent fails by itself.
        impact: What the defect does to the task: ``impossible`` or ``flaky``; empty for other kinds.
    """

    kind: CauseKind
    name: str = ""
    impact: str = ""

    @property
    def environment(self) -> bool:
        """Whether the environment is to blame, not the agent."""
        return self.kind is CauseKind.DEFECT


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """A failed episode with its cause.

    Attributes:
        run: Folder of the run, relative to the data set's.
        task, agent, condition, seed: What identifies the episode within its run.
        cause: The cause.
    """

    run: str
    task: str
    agent: str
    condition: str
    seed: int
    cause: Cause

    @property
    def half(self) -> Half:
        """The half of its task."""
        return half_of(self.task)


def write_truth(folder: Path, failures: Iterable[KnownFailure]) -> None:
    """Write the file of causes.

    Raises:
        RecordError: It cannot be written.
    """
    lines = [json.dumps({**asdict(each), "half": each.half}, ensure_ascii=False) for each in failures]
    path = folder / TRUTH
    try:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise disk_error(error, path) from error


def read_truth(folder: Path) -> tuple[KnownFailure, ...]:
    """Read the file of causes.

    Raises:
        InputError: It is missing or malformed.
    """
    path = folder / TRUTH
    try:
        return tuple(_failure(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a file of known causes: {error}") from error


def _failure(data: dict[str, object]) -> KnownFailure:
    cause = data["cause"]
    if not isinstance(cause, dict):
        raise TypeError("the cause is not an object")
    made = Cause(CauseKind(cause["kind"]), str(cause["name"]), str(cause["impact"]))
    return KnownFailure(
        run=str(data["run"]),
        task=str(data["task"]),
        agent=str(data["agent"]),
        condition=str(data["condition"]),
        seed=int(str(data["seed"])),
        cause=made,
    )

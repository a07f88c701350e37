"""A run's folder: its plan, its episodes, its results.

``results.jsonl`` has one line for each episode that has ended and can be rebuilt from the episodes, which
are the record; nothing is kept in two places that could disagree.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from garabench.agents.registry import is_reference
from garabench.campaign.plan import Plan
from garabench.campaign.suite import Suite
from garabench.episode.recorder import disk_error, ended, read_events, whole_lines
from garabench.episode.spec import CLEAN, EpisodeSpec
from garabench.errors import InputError
from garabench.stats.measures import Summary, from_json, summarize, to_json

RUN_FILE, RESULTS, LOCK = "run.json", "results.jsonl", ".lock"
RUN_VERSION = 1


class RunFile(BaseModel):
    """What ``run.json`` holds.

    Attributes:
        version: Of this form.
        garabench: Version that made the run.
        plan: What it does.
        suite_hash: Of the suite's files.
        device: Where it ran: fingerprint, kind (``virtual`` or ``real``) and ``companion``, the SHA-256 of
            the companion app's APK, empty where it has none of its own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = RUN_VERSION
    garabench: str
    plan: Plan
    suite_hash: str
    device: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunStore:
    """A run on disk.

    Attributes:
        folder: The run's folder.
        run: Its ``run.json``.
    """

    folder: Path
    run: RunFile

    @staticmethod
    def check_free(folder: Path) -> None:
        """Whether a run can begin in a folder.

        Raises:
            InputError: It holds a run, or something else.
        """
        if (folder / RUN_FILE).exists():
            raise InputError(
                f"{folder} holds a run already", hint="Go on with it by --resume, or choose another --out."
            )
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder} is there already and is no run", hint="Choose another --out.")

    @classmethod
    def create(cls, folder: Path, run: RunFile) -> RunStore:
        """Begin a run.

        Raises:
            InputError: The folder holds a run already.
            RecordError: It cannot be written.
        """
        cls.check_free(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            beside = folder / (RUN_FILE + ".part")
            beside.write_text(run.model_dump_json(indent=2) + "\n", encoding="utf-8")
            beside.replace(folder / RUN_FILE)
        except OSError as error:
            raise disk_error(error, folder) from error
        return cls(folder, run)

    @classmethod
    def open(cls, folder: Path) -> RunStore:
        """Open a run.

        Raises:
            InputError: There is none, or it is broken or of a newer version.
        """
        path = folder / RUN_FILE
        if not path.is_file():
            raise InputError(f"{folder} holds no run: there is no {RUN_FILE}")
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path} is broken: {error}") from error
        version = data.get("version") if isinstance(data, dict) else None
        if isinstance(version, int) and version > RUN_VERSION:
            raise InputError(
                f"{path} is of version {version}, and this GaraBench reads up to {RUN_VERSION}",
                hint="Use a newer GaraBench to read it.",
            )
        try:
            return cls(folder, RunFile.model_validate(data))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise InputError(f"{path} is broken: {where + ': ' if where else ''}{first['msg']}") from error

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other process from performing this run: two would move each other's episodes aside.

        The system lets go of it when this process ends, however it ends.

        Raises:
            InputError: Another process performs it.
            RecordError: The folder cannot be written.
        """
        path = self.folder / LOCK
        try:
            file = path.open("a", encoding="utf-8")
        except OSError as error:
            raise disk_error(error, path) from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InputError(
                    f"{self.folder} is being performed by another process",
                    hint="Wait for its end, or stop it.",
                ) from error
            yield

    def check_resumable(self, plan: Plan, suite: Suite) -> None:
        """Whether this run can be gone on with.

        Raises:
            InputError: It was made with another suite or another plan.
        """
        if self.run.suite_hash != suite.digest:
            raise InputError(
                f"{self.folder} was made with another version of the suite "
                f"({self.run.suite_hash[:12]}, now {suite.digest[:12]})",
                hint="Check the suite's files, or begin a new run.",
            )
        if self.run.plan != plan:
            before, now = self.run.plan.model_dump(), plan.model_dump()
            other = next(name for name in before if before[name] != now[name])
            raise InputError(
                f"{self.folder} was planned with other {other}: {before[other]}",
                hint="Give the same options as before, or begin a new run.",
            )

    def check_kind(self, kind: str) -> None:
        """Whether a device of this kind may go on with this run: results of the two kinds are never mixed.

        Raises:
            InputError: It was made on the other kind.
        """
        made_on = str(self.run.device.get("kind", "real"))
        if made_on != kind:
            raise InputError(
                f"{self.folder} was made on a {made_on} device, and this is a {kind} one: "
                "results of the two are never mixed",
                hint="Give the same --device as before, or begin a new run.",
            )

    def check_device(self, device: Mapping[str, Any]) -> None:
        """Whether this device is like the one on which the run was begun.

        Args:
            device: As in `RunFile.device`.

        Raises:
            InputError: It is of another make or size, or the run shows interruptions and the companion app,
                which shows them, is another build.
        """
        for name in ("model", "release", "size", "fingerprint"):
            before, now = self.run.device.get(name), device.get(name)
            if before is not None and before != now:
                raise InputError(
                    f"{self.folder} was made on a device of another {name}: {before}, now {now}",
                    hint="Give the same --device as before (the same one first), or begin a new run.",
                )
        if all(name == CLEAN for name in self.run.plan.conditions):
            return
        before, now = self.run.device.get("companion"), device.get("companion")
        if before is not None and before != now:
            raise InputError(
                f"{self.folder} was begun with another build of the companion app: "
                f"{_build(before)}, now {_build(now)}",
                hint=f"Go on with the GaraBench that it was begun with, {self.run.garabench}, and the app "
                "that comes with it, or begin a new run.",
            )

    def has_ended(self, spec: EpisodeSpec) -> bool:
        """Whether an episode has ended otherwise than by a fault."""
        end = ended(self.folder / spec.folder)
        return end is not None and end.outcome != "error"

    def append_result(self, summary: Summary) -> None:
        """Add an episode's line to the results.

        Raises:
            RecordError: It cannot be written.
        """
        path = self.folder / RESULTS
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(to_json(summary), ensure_ascii=False) + "\n")
        except OSError as error:
            raise disk_error(error, path) from error

    def summarize(self, spec: EpisodeSpec) -> Summary | None:
        """An episode's summary, from its record; None when it has not ended."""
        return summarize(
            read_events(self.folder / spec.folder),
            reference=is_reference(spec.agent_named),
            solution_steps=len(spec.task.solution),
        )

    def rebuild(self, specs: tuple[EpisodeSpec, ...]) -> tuple[Summary, ...]:
        """Write the results anew from the episodes' records, in the plan's order.

        Raises:
            RecordError: They cannot be written.
        """
        found = tuple(item for spec in specs if (item := self.summarize(spec)) is not None)
        path = self.folder / RESULTS
        beside = path.with_suffix(".part")
        lines = [json.dumps(to_json(item), ensure_ascii=False) + "\n" for item in found]
        try:
            beside.write_text("".join(lines), encoding="utf-8")
            beside.replace(path)
        except OSError as error:
            raise disk_error(error, path) from error
        return found


def _build(sha256: object) -> str:
    """A build of the companion app in a message; a virtual phone's own has no file."""
    return f"an APK with the SHA-256 {sha256}" if sha256 else "a virtual phone's own"


def read_results(folder: Path) -> tuple[Summary, ...]:
    """The summaries of a run's ended episodes, from ``results.jsonl``; the last line of an episode counts.

    Raises:
        InputError: The file is broken.
    """
    path = folder / RESULTS
    if not path.is_file():
        return ()
    found: dict[PurePosixPath, Summary] = {}
    # A line that a kill has cut off is left out; the episode's record still has it.
    for number, line in enumerate(whole_lines(path), start=1):
        try:
            summary = from_json(json.loads(line))
        except (TypeError, KeyError, ValueError) as error:
            raise InputError(f"{path}:{number}:1: not a result: {error}") from error
        key = PurePosixPath(summary.task, summary.agent, summary.condition, str(summary.seed))
        found.pop(key, None)
        found[key] = summary
    return tuple(found.values())

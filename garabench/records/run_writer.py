"""Create a run, or open one to resume it, and write its results."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from garabench.errors import InputError
from garabench.records.event_reader import read_events
from garabench.records.lock import locked
from garabench.records.results import Summary, append_result, rebuild_results, summarize
from garabench.records.run_file import RunFile, read_run_file, write_run_file
from garabench.records.run_layout import RUN_FILE, EpisodeKey
from garabench.records.tree_files import TreeOpener


@dataclass(frozen=True, slots=True)
class RunWriter:
    """A run that is being performed.

    Attributes:
        folder: The run's folder.
        file: Its ``run.json``.
    """

    folder: Path
    file: RunFile

    @staticmethod
    def check_free(folder: Path, *, resume: str = "") -> None:
        """Check that a run can begin in a folder.

        Args:
            folder: The folder.
            resume: The option that resumes the run in it; empty if the command has none.

        Raises:
            InputError: It holds a run, or something else.
        """
        if (folder / RUN_FILE).exists():
            hint = f"Resume it with {resume}, or choose another --out." if resume else "Choose another --out."
            raise InputError(f"{folder} already holds a run", hint=hint)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder} exists and is not a run", hint="Choose another --out.")

    @classmethod
    def create(cls, folder: Path, file: RunFile) -> RunWriter:
        """Begin a run.

        Raises:
            InputError: The folder already holds a run, or something else.
            RecordError: It cannot be written.
        """
        cls.check_free(folder)
        write_run_file(folder, file)
        return cls(folder, file)

    @classmethod
    def open(cls, folder: Path) -> RunWriter:
        """Open a run to resume it.

        Raises:
            InputError: The record is missing, broken or of a newer version.
        """
        return cls(folder, read_run_file(folder))

    def lock(self) -> AbstractContextManager[None]:
        """See `garabench.records.lock.locked`."""
        return locked(self.folder)

    def append_result(self, summary: Summary) -> None:
        """See `garabench.records.results.append_result`."""
        append_result(self.folder, summary)

    def summarize(self, key: EpisodeKey, solution_steps: int = 0) -> Summary | None:
        """Summarize an episode from its log; return None if it has not ended.

        Args:
            key: The episode.
            solution_steps: As in `garabench.records.results.summarize`.

        Raises:
            InputError: The record is broken or of a newer version.
        """
        agent = self.file.agent(key.agent)
        folder = self.folder / key.folder
        return summarize(
            read_events(folder),
            reference=agent is not None and agent.reference,
            solution_steps=solution_steps,
            open_tree=TreeOpener.of_run(self.folder).of_episode(folder),
        )

    def rebuild(self) -> tuple[Summary, ...]:
        """See `garabench.records.results.rebuild_results`."""
        return rebuild_results(self.folder, self.file)

"""Read a run: analyses, comparisons and reports read records only through `load_run`."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from garabench.errors import InputError
from garabench.records.content_store import ContentStore
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.episode import Episode
from garabench.records.plan import Plan
from garabench.records.results import Summary, read_results
from garabench.records.run_file import RunAgent, RunFile, read_run_file
from garabench.records.run_layout import EpisodeKey


@dataclass(frozen=True)
class Run:
    """A run and its record. Episodes are read lazily, one by one.

    Attributes:
        folder: The run's folder.
        file: Its ``run.json``.
    """

    folder: Path
    file: RunFile

    @property
    def plan(self) -> Plan:
        """The run's plan."""
        return self.file.plan

    @property
    def agents(self) -> tuple[RunAgent, ...]:
        """The plan's agents, as resolved when the run began."""
        return self.file.agents

    @property
    def environment(self) -> Environment:
        """The device on which the run began."""
        return self.file.device

    @property
    def kind(self) -> DeviceKind:
        """``virtual`` or ``real``; their results are never mixed."""
        return self.file.device.kind

    @property
    def store(self) -> ContentStore:
        """The store of its pictures and trees."""
        return ContentStore.of_run(self.folder)

    @functools.cached_property
    def summaries(self) -> tuple[Summary, ...]:
        """The summaries of the ended episodes, from ``results.jsonl``.

        Raises:
            InputError: The file is broken.
        """
        return read_results(self.folder)

    @property
    def episodes(self) -> Iterator[Episode]:
        """The episodes that have begun, in the plan's order.

        Each is created when it is reached and not held in memory, so that a run of any size can be read.
        """
        for key in self.file.episode_keys():
            episode = self.episode(key)
            if episode is not None:
                yield episode

    def episode(self, key: EpisodeKey) -> Episode | None:
        """Return an episode; None if it has not begun, or if the run has no such agent."""
        folder, agent = self.folder / key.folder, self.file.agent(key.agent)
        try:
            begun = folder.is_dir()
        except OSError:  # the name of a task is longer than any file's: someone else wrote the run
            begun = False
        if agent is None or not begun:
            return None
        return Episode(folder, self.store, key, agent)


def load_run(folder: Path | str) -> Run:
    """Open a run's record.

    Args:
        folder: The run's folder, which contains ``run.json``.

    Raises:
        InputError: There is no run, or it is broken or of a newer version.
    """
    if isinstance(folder, str) and "://" in folder:
        raise InputError(
            f"{folder} is not a local folder", hint="Copy the run first: garabench runs fetch URL --out DIR"
        )
    folder = Path(folder)
    return Run(folder, read_run_file(folder))

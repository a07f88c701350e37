"""The names of the files and folders of a run.

::

    RUN/run.json                                            the plan, the agents, where it ran
    RUN/results.jsonl                                       one line an ended episode
    RUN/episodes/TASK/AGENT/CONDITION/SEED/events.jsonl     the record of an episode's latest attempt
    RUN/episodes/TASK/AGENT/CONDITION/SEED/attempt-1/       an earlier attempt
    RUN/store/ab/<sha256>.png|.xml.gz                       pictures and trees, each once
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

RUN_FILE, RESULTS, LOCK = "run.json", "results.jsonl", ".lock"
EPISODES, STORE = "episodes", "store"

EVENTS = "events.jsonl"
FAULT_LOG = "fault.log"
"""The traceback of an unforeseen fault, in an episode's folder."""
AGENT_LOG = "agent.log"
"""What an external agent's program wrote to its standard error, in an episode's folder."""
REQUESTS = "requests"
"""Folder of the transcripts of an episode's model, in an episode's folder: one JSON file a step."""
SCREENS, TREES, IMAGES = "screens", "trees", "images"
"""Folders in which episodes of log version 2 and before have separate pictures and trees."""
ATTEMPT_FILES = (EVENTS, FAULT_LOG, AGENT_LOG, REQUESTS, SCREENS, TREES, IMAGES)
"""All that belongs to one attempt at an episode."""
_ATTEMPT = "attempt-"
_EPISODE_DEPTH = 5


@dataclass(frozen=True, slots=True)
class EpisodeKey:
    """What identifies an episode within its run.

    Attributes:
        task: The task's id.
        agent: The agent's name.
        condition: ``clean``, ``dual`` or ``forced``.
        seed: The seed of this repetition.
    """

    task: str
    agent: str
    condition: str
    seed: int

    @property
    def folder(self) -> PurePosixPath:
        """The episode's folder, relative to the run's; every part is a checked id."""
        return PurePosixPath(EPISODES, self.task, self.agent, self.condition, str(self.seed))

    def __str__(self) -> str:
        return "/".join(self.folder.parts[1:])


def episode_folders(run: Path) -> Iterator[Path]:
    """The folders of all episodes of a run, in alphabetical order, whether its plan names them or not."""
    yield from sorted(path for path in (run / EPISODES).glob("*/*/*/*") if path.is_dir())


def run_folders(folder: Path) -> Iterator[Path]:
    """The runs at and below a folder, in alphabetical order; what lies within a run is not searched."""
    if (folder / RUN_FILE).is_file():
        yield folder
        return
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir() and not path.is_symlink():
            yield from run_folders(path)


def run_folder(episode: Path) -> Path | None:
    """The folder of the run that an episode's folder belongs to; None where it lies in none.

    Args:
        episode: The episode's folder, or an earlier attempt's.
    """
    if episode.name.startswith(_ATTEMPT):
        episode = episode.parent
    parts = episode.parts
    if len(parts) <= _EPISODE_DEPTH or parts[-_EPISODE_DEPTH] != EPISODES:
        return None
    return episode.parents[_EPISODE_DEPTH - 1]


def earlier_attempts(episode: Path) -> tuple[Path, ...]:
    """The folders of an episode's earlier attempts, the first one first."""
    found = {
        int(number): path
        for path in episode.glob(f"{_ATTEMPT}*")
        if (number := path.name.removeprefix(_ATTEMPT)).isdecimal() and path.is_dir()
    }
    return tuple(found[number] for number in sorted(found))


def attempt_folder(episode: Path, number: int) -> Path:
    """Where an earlier attempt is moved to; `number` counts from 1."""
    return episode / f"{_ATTEMPT}{number}"


def transcripts(attempt: Path) -> tuple[Path, ...]:
    """The transcripts of a model's requests in one attempt, in the order of their steps."""
    return tuple(sorted((attempt / REQUESTS).glob("*.json")))

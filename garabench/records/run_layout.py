"""The names of the files and folders of a run.

::

    RUN/run.json                                            the plan, the agents, where it ran
    RUN/report.html                                         the report, which can be written again
    RUN/results.jsonl                                       one line per ended episode
    RUN/campaign.jsonl                                      devices, recoveries and attempts, in order of time
    RUN/episodes/TASK/AGENT/CONDITION/SEED/events.jsonl     the record of an episode's latest attempt
    RUN/episodes/TASK/AGENT/CONDITION/SEED/attempt-1/       an earlier attempt
    RUN/store/ab/<sha256>.png|.xml.gz                       pictures and trees, each stored once
    RUN/diagnosis/TASK/AGENT/CONDITION/SEED/PROBE/          the records of probes, as of episodes
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

RUN_FILE, RESULTS, LOCK = "run.json", "results.jsonl", ".lock"
CAMPAIGN = "campaign.jsonl"
EPISODES, STORE, DIAGNOSIS = "episodes", "store", "diagnosis"

REPORT = "report.html"
"""The report that `garabench run` writes when it ends."""

EVENTS = "events.jsonl"
FAULT_LOG = "fault.log"
"""The traceback of an unexpected fault, in an episode's folder."""
AGENT_LOG = "agent.log"
"""The standard error of an external agent's program, in an episode's folder."""
REQUESTS = "requests"
"""The folder of the model's transcripts, in an episode's folder: one JSON file per step."""
SCREENS, TREES, IMAGES = "screens", "trees", "images"
"""Folders of pictures and trees in an episode's folder, up to log version 2."""
ATTEMPT_FILES = (EVENTS, FAULT_LOG, AGENT_LOG, REQUESTS, SCREENS, TREES, IMAGES)
"""Everything that belongs to one attempt at an episode."""
_ATTEMPT = "attempt-"
_EPISODE_DEPTH = 5
_PROBE_DEPTH = 6


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
    """Iterate over all episode folders of a run in alphabetical order, planned or not."""
    yield from sorted(path for path in (run / EPISODES).glob("*/*/*/*") if path.is_dir())


def probe_folders(run: Path) -> Iterator[Path]:
    """Iterate over the folders of a run's diagnostic probes in alphabetical order."""
    yield from sorted(path for path in (run / DIAGNOSIS).glob("*/*/*/*/*") if path.is_dir())


def run_folders(folder: Path) -> Iterator[Path]:
    """Iterate over the runs at and below a folder in alphabetical order; runs are not searched for runs."""
    if (folder / RUN_FILE).is_file():
        yield folder
        return
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir() and not path.is_symlink():
            yield from run_folders(path)


def run_folder(episode: Path) -> Path | None:
    """Return the run's folder of an episode's folder; None if it is not within a run.

    Args:
        episode: The episode's folder, or an earlier attempt's, or that of a diagnostic probe.
    """
    if episode.name.startswith(_ATTEMPT):
        episode = episode.parent
    parts = episode.parts
    for name, depth in ((EPISODES, _EPISODE_DEPTH), (DIAGNOSIS, _PROBE_DEPTH)):
        if len(parts) > depth and parts[-depth] == name:
            return episode.parents[depth - 1]
    return None


def earlier_attempts(episode: Path) -> tuple[Path, ...]:
    """Return the folders of an episode's earlier attempts, in order."""
    found = {
        int(number): path
        for path in episode.glob(f"{_ATTEMPT}*")
        if (number := path.name.removeprefix(_ATTEMPT)).isdecimal() and path.is_dir()
    }
    return tuple(found[number] for number in sorted(found))


def attempt_folder(episode: Path, number: int) -> Path:
    """Return the folder for an earlier attempt, numbered from 1."""
    return episode / f"{_ATTEMPT}{number}"


def transcripts(attempt: Path) -> tuple[Path, ...]:
    """Return the transcripts of a model's requests in one attempt, by step."""
    return tuple(sorted((attempt / REQUESTS).glob("*.json")))

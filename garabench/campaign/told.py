"""What agents of one's own have told that their models took, by a run's record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from garabench.core import events as ev
from garabench.core.spending import Spent
from garabench.episode.recorder import read_events
from garabench.episode.spec import EpisodeSpec


def told_in(folder: Path, specs: Iterable[EpisodeSpec]) -> Iterator[Spent]:
    """What each decision took, of every attempt: also of those that were cut off or repeated.

    Args:
        folder: The run's.
        specs: The episodes of the agents that tell it.

    Raises:
        InputError: A log is broken or of a newer version.
    """
    for spec in specs:
        episode = folder / spec.folder
        for attempt in (episode, *sorted(episode.glob("attempt-*"))):
            for event in read_events(attempt):
                if isinstance(event, ev.Decided | ev.FaultEvent) and event.spent is not None:
                    yield event.spent

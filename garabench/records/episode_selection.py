"""Select episodes of a run by task, agent and condition."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from garabench.core.seeds import generator
from garabench.records.run_layout import EpisodeKey

SelectEpisode = Callable[[EpisodeKey], bool]
"""Returns whether an episode is selected."""


def every_episode(key: EpisodeKey) -> bool:
    """Select every episode."""
    return True


@dataclass(frozen=True, slots=True)
class EpisodeSelection:
    """Names that episodes must match; an empty tuple matches all.

    Each name may be a glob, such as ``bili-*``.

    Attributes:
        tasks: Names of tasks.
        agents: Names of agents.
        conditions: Names of conditions.
        episodes: Episodes as ``TASK/AGENT/CONDITION/SEED``.
    """

    tasks: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()

    def __call__(self, key: EpisodeKey) -> bool:
        """Return whether an episode is selected."""
        return (
            matches_any(key.task, self.tasks)
            and matches_any(key.agent, self.agents)
            and matches_any(key.condition, self.conditions)
            and matches_any(str(key), self.episodes)
        )

    @property
    def is_limited(self) -> bool:
        """Whether it may leave episodes out."""
        return bool(self.tasks or self.agents or self.conditions or self.episodes)


def drawn_episodes(keys: Iterable[EpisodeKey], number: int, seed: int) -> frozenset[EpisodeKey]:
    """Draw episodes at random, independent of the order of the keys.

    Args:
        keys: The episodes.
        number: How many to draw; all if there are fewer.
        seed: Seed of the drawing.
    """
    ordered = sorted(keys, key=str)
    return frozenset(generator(seed, "sample of episodes").sample(ordered, min(number, len(ordered))))


def split_names(text: str) -> tuple[str, ...]:
    """Return the names of a comma list."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Return whether a name is one of the patterns or matches one as a glob; no patterns match all names."""
    known = tuple(patterns)
    return not known or any(name == each or fnmatch.fnmatchcase(name, each) for each in known)

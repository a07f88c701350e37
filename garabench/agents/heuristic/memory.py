"""The memory of an episode: the current subgoal, what was tried, what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import normalize_label
from garabench.agents.heuristic.subgoals import Subgoal

_SEARCH_BAR = 0.08
"""Fraction of the screen's height that contains a search bar."""

MAX_ATTEMPTS = 9
"""Maximum number of steps to look for a subgoal's element before it is skipped."""


@dataclass(slots=True)
class EpisodeMemory:
    """The memory of one episode.

    Attributes:
        subgoals: The subgoals of the instruction.
        at: Index of the current subgoal.
        tries: Steps spent looking for its element so far.
        backs: Number of Back presses for it.
        failed: Keys of elements that had no effect, by screen.
        counts: Counts of actions, such as scrolling on a page for a subgoal.
        picked: Whether an option was chosen on this page that a button may need to confirm.
        acted: Step at which a control was last pressed; a dialog right after it belongs to it.
        last: Step at which the last subgoal was acted on.
        last_names: Names of its element.
        searched: The text last typed into a search field.
        missed: Number of skipped subgoals.
        met: Number of met subgoals.
        answer: The answer found so far.
    """

    subgoals: tuple[Subgoal, ...]
    at: int = 0
    tries: int = 0
    backs: int = 0
    failed: dict[str, set[str]] = field(default_factory=dict)
    counts: Counter[Hashable] = field(default_factory=Counter)
    picked: bool = False
    acted: int = -9
    last: int = -9
    last_names: tuple[str, ...] = ()
    searched: str = ""
    missed: int = 0
    met: int = 0
    answer: str = ""

    @property
    def subgoal(self) -> Subgoal | None:
        """The current subgoal; None after the last one."""
        return self.subgoals[self.at] if self.at < len(self.subgoals) else None

    @property
    def following(self) -> Subgoal | None:
        """The subgoal after the current one, if any."""
        return self.subgoals[self.at + 1] if self.at + 1 < len(self.subgoals) else None

    def advance(self, *, missed: bool = False) -> None:
        """Advance to the next subgoal."""
        subgoal = self.subgoal
        self.at += 1
        self.tries = self.backs = 0
        if not missed:
            self.met += 1
        elif subgoal is not None and not subgoal.optional:
            self.missed += 1

    def excluded_keys(self, screen: ScreenContents) -> frozenset[str]:
        """Return the keys of failed elements, and of the search field's own text, which is not a result."""
        typed = normalize_label(self.searched).plain
        height = screen.size.height * _SEARCH_BAR
        own_text = (
            item.key for item in screen.items if typed and item.title == typed and item.bounds.top < height
        )
        return frozenset((*self.failed.get(screen.key, ()), *own_text))

    def mark_failed(self, screen_key: str, item: ScreenItem) -> None:
        """Record that an element had no effect."""
        self.failed.setdefault(screen_key, set()).add(item.key)

    def first_time(self, *what: Hashable, limit: int = 1) -> bool:
        """Count an action, and return whether it was done at most as often as the limit."""
        self.counts[what] += 1
        return self.counts[what] <= limit

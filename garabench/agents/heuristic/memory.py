"""The memory of an episode: the current subgoal, what was tried, what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import normalize
from garabench.agents.heuristic.subgoals import Subgoal

_BAR = 0.08
"""Share of the screen's height that contains a search bar."""

MAX_ATTEMPTS = 9
"""Steps that are spent on finding one thing before it is passed over."""


@dataclass(slots=True)
class EpisodeMemory:
    """All of it; new for every episode.

    Attributes:
        intents: What is to be done.
        at: Which one is next.
        tries: Steps spent on finding it so far.
        backs: How often Back was pressed for it.
        dead: Elements that changed nothing or led nowhere, by the screen they are on.
        counts: How often something was done, such as scrolling on a page for an intent.
        picked: Whether something was chosen on this page that a button may need to confirm.
        acted: The step at which a control was pressed last; a question right after it is its own.
        last: The step at which the last intent was acted on.
        last_names: What it may be called.
        searched: What was typed into a search field last.
        missed: How many intents were passed over.
        met: How many were met.
        answer: What was read off so far.
    """

    intents: tuple[Subgoal, ...]
    at: int = 0
    tries: int = 0
    backs: int = 0
    dead: dict[str, set[str]] = field(default_factory=dict)
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
    def intent(self) -> Subgoal | None:
        """What is to be done next, or None when all is done."""
        return self.intents[self.at] if self.at < len(self.intents) else None

    @property
    def following(self) -> Subgoal | None:
        """What comes after it."""
        return self.intents[self.at + 1] if self.at + 1 < len(self.intents) else None

    def advance(self, *, missed: bool = False) -> None:
        """Go on to what comes next."""
        intent = self.intent
        self.at += 1
        self.tries = self.backs = 0
        if not missed:
            self.met += 1
        elif intent is not None and not intent.optional:
            self.missed += 1

    def without(self, screen: ScreenContents) -> frozenset[str]:
        """Elements of a screen that led nowhere, and the search field's own words, which are no result."""
        typed = normalize(self.searched).plain
        height = screen.size.height * _BAR
        echoes = (
            item.key for item in screen.items if typed and item.title == typed and item.bounds.top < height
        )
        return frozenset((*self.dead.get(screen.key, ()), *echoes))

    def bury(self, screen_key: str, item: ScreenItem) -> None:
        """Note that an element led nowhere."""
        self.dead.setdefault(screen_key, set()).add(item.key)

    def first_time(self, *what: Hashable, limit: int = 1) -> bool:
        """Whether something was done less often than the limit; counts it."""
        self.counts[what] += 1
        return self.counts[what] <= limit

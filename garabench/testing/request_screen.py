"""The screen of a request, and the running episodes that show it."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.testing.move_planner import ScreenState


@dataclass(frozen=True, slots=True)
class RunningEpisode:
    """An episode in progress.

    Attributes:
        place: By which it is known.
        looks: The screens so far, one for each step; the last one is the current screen.
    """

    place: str
    looks: tuple[ScreenState, ...]


@dataclass(frozen=True, slots=True)
class RequestScreen:
    """What a request shows.

    Attributes:
        look: The screen.
        digest: Its hash.
        pasts: The episodes that show it at present; empty where that is not known, or need not be.
    """

    look: ScreenState
    digest: str
    pasts: tuple[RunningEpisode, ...] = ()

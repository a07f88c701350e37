"""The screen in a request, and the running episodes that show it."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.testing.move_planner import ScreenState


@dataclass(frozen=True, slots=True)
class RunningEpisode:
    """An episode in progress.

    Attributes:
        place: Identifies its attempt: episode folder and attempt number.
        states: The screens so far, one for each step; the last one is the current screen.
    """

    place: str
    states: tuple[ScreenState, ...]


@dataclass(frozen=True, slots=True)
class RequestScreen:
    """The screen in a request.

    Attributes:
        state: The state of the screen.
        digest: SHA-256 of its screenshot.
        episodes: The episodes that show it now; empty if unknown or not needed.
    """

    state: ScreenState
    digest: str
    episodes: tuple[RunningEpisode, ...] = ()

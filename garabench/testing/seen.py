"""What a request shows, and which episodes show the same at present."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.testing.player import Look


@dataclass(frozen=True, slots=True)
class Past:
    """An episode that goes on.

    Attributes:
        place: By which it is known.
        looks: What it has shown, one look for each step; the last one is what it shows at present.
    """

    place: str
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a request shows.

    Attributes:
        look: The screen.
        digest: Its hash.
        pasts: The episodes that show it at present; empty where that is not known, or need not be.
    """

    look: Look
    digest: str
    pasts: tuple[Past, ...] = ()

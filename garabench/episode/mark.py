"""A mark of an episode: what the runner knows before a decision, so that it can continue from there again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel

from garabench.core.events import Event
from garabench.core.memory_image import MemoryImage, Outside
from garabench.core.tree import UiTree
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.episode.commands import RequestDecision
from garabench.episode.spec import EpisodeSpec
from garabench.rules.engine import RuleEngine

_OUTSIDE: Outside = {
    UiTree: None,
    BaseModel: None,
    EpisodeSpec: None,
    RuleEngine: None,  # a marked episode injects nothing new
    Device: None,
    Adb: None,
    Journal: None,
}
"""What a mark of an episode leaves out: immutable values, and the device."""


@dataclass(frozen=True, slots=True, eq=False)
class EpisodeMark:
    """What the runner knows before a decision of an episode, from which it can continue several times.

    Attributes:
        image: The memory of the machine and of what it commands.
        request: The request for the decision.
        events: The events so far.
        changes: The changes to the device that are undone at the end of the episode.
        t: Seconds since the episode began.
    """

    image: MemoryImage
    request: RequestDecision
    events: tuple[Event, ...]
    changes: tuple[UndoEntry, ...]
    t: float

    def record_changes(self, journal: Journal) -> None:
        """Record the changes to the device once more: they were undone when the episode ended.

        Raises:
            HarnessError: The journal cannot be written.
        """
        for entry in self.changes:
            if not journal.has(entry.subject, Scope.EPISODE):
                journal.open(entry)


def mark_episode(
    parts: Iterable[object], journal: Journal, request: RequestDecision, events: tuple[Event, ...], t: float
) -> EpisodeMark:
    """Return a mark of an episode.

    Args:
        parts: The objects whose memory belongs to the episode.
        journal: The changes to the device.
        request: The request for the decision.
        events: The events so far.
        t: Seconds since the episode began.

    Raises:
        UnsupportedObjectError: One of the objects cannot be saved.
    """
    image = MemoryImage(parts, _OUTSIDE)
    changes = tuple(entry for _, entry in reversed(journal.entries) if entry.scope is Scope.EPISODE)
    return EpisodeMark(image, request, events, changes, t)

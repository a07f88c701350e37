"""Notifications."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from garabench.virtual.apps.framework import Intent

URGENT = frozenset({"alarm", "call", "message", "urgent"})
"""Channels whose notifications show at once at the top of the screen."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification in the shade.

    Attributes:
        number: Counts up.
        package, channel: Whose it is.
        title, text: What it says.
        intent: What a tap on it starts.
    """

    number: int
    package: str
    channel: str
    title: str
    text: str
    intent: Intent | None = None


@dataclass(slots=True)
class Notifications:
    """The active notifications, the newest first.

    Attributes:
        changed: Called after each change.
        urgent: Called with each new one of an urgent channel.
    """

    changed: Callable[[], None]
    urgent: Callable[[Notification], None] = field(default=lambda note: None)
    _active: list[Notification] = field(default_factory=list)
    _count: int = 0

    def post(
        self, package: str, channel: str, title: str, text: str, intent: Intent | None = None
    ) -> Notification:
        """Post a notification."""
        self._count += 1
        posted = Notification(self._count, package, channel, title, text, intent)
        self._active.insert(0, posted)
        if channel in URGENT:
            self.urgent(posted)
        self.changed()
        return posted

    def cancel(self, number: int) -> None:
        """Remove one; harmless when it is gone."""
        self._active = [each for each in self._active if each.number != number]
        self.changed()

    def cancel_all(self, package: str = "") -> None:
        """Remove all of a package, or all there are."""
        self._active = [each for each in self._active if package and each.package != package]
        self.changed()

    def replace_all(self, notes: Iterable[Notification]) -> None:
        """Have exactly these, as a snapshot holds them."""
        self._active = list(notes)
        self.changed()

    def active(self) -> tuple[Notification, ...]:
        """Those in the shade, the newest first."""
        return tuple(self._active)

"""The notification manager."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from garabench.virtual.kit.framework import Intent

HEADS_UP_CHANNELS = frozenset({"alarm", "call", "message", "urgent"})
"""Channels whose notifications pop up at the top of the screen (heads-up)."""


@dataclass(frozen=True, slots=True)
class NotificationAction:
    """A notification's button: its label, and the broadcast that pressing it sends to the app."""

    label: str
    intent: Intent


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification in the shade.

    Attributes:
        number: Sequence number.
        package, channel: Its app and channel.
        title, text: Its texts.
        intent: Intent of the activity that a tap on it starts.
        full_screen: Whether the intent opens at once, where Android allows it.
        delete_intent: Broadcast sent when it is swiped away.
        urgent: Whether it pops up regardless of its channel.
        tap_broadcast: Broadcast sent by a tap on it, if it starts no activity.
        actions: Its buttons.
    """

    number: int
    package: str
    channel: str
    title: str
    text: str
    intent: Intent | None = None
    full_screen: bool = False
    delete_intent: Intent | None = None
    urgent: bool = False
    tap_broadcast: Intent | None = None
    actions: tuple[NotificationAction, ...] = ()


@dataclass(slots=True)
class Notifications:
    """The active notifications, the newest first.

    Attributes:
        changed: Called after each change.
        urgent: Called with each new urgent or full-screen notification.
        swiped: Called with each notification that the user swipes away.
    """

    changed: Callable[[], None]
    urgent: Callable[[Notification], None] = field(default=lambda note: None)
    swiped: Callable[[Notification], None] = field(default=lambda note: None)
    _active: list[Notification] = field(default_factory=list)
    _count: int = 0

    def post(
        self,
        package: str,
        channel: str,
        title: str,
        text: str,
        intent: Intent | None = None,
        *,
        full_screen: bool = False,
        delete_intent: Intent | None = None,
        urgent: bool = False,
        tap_broadcast: Intent | None = None,
        actions: tuple[NotificationAction, ...] = (),
    ) -> Notification:
        """Post a notification; arguments as the attributes of `Notification`."""
        self._count += 1
        posted = Notification(
            self._count,
            package,
            channel,
            title,
            text,
            intent,
            full_screen,
            delete_intent,
            urgent,
            tap_broadcast,
            actions,
        )
        self._active.insert(0, posted)
        if channel in HEADS_UP_CHANNELS or full_screen or urgent:
            self.urgent(posted)
        self.changed()
        return posted

    def cancel(self, number: int) -> None:
        """Remove a notification, if it still exists."""
        self._active = [note for note in self._active if note.number != number]
        self.changed()

    def swipe(self, number: int) -> None:
        """Swipe a notification away, if it still exists."""
        found = [note for note in self._active if note.number == number]
        self.cancel(number)
        for note in found:
            self.swiped(note)

    def clear(self) -> None:
        """Clear all, as the user does."""
        for note in self.active():
            self.swipe(note.number)

    def cancel_all(self, package: str = "") -> None:
        """Remove all notifications, or those of one package."""
        self._active = [note for note in self._active if package and note.package != package]
        self.changed()

    def replace_all(self, notes: Iterable[Notification]) -> None:
        """Replace all with those of a snapshot."""
        self._active = list(notes)
        self.changed()

    def active(self) -> tuple[Notification, ...]:
        """Return the notifications in the shade, the newest first."""
        return tuple(self._active)

"""Notifications."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from garabench.virtual.apps.framework import Intent

URGENT = frozenset({"alarm", "call", "message", "urgent"})
"""Channels whose notifications show at once at the top of the screen."""


@dataclass(frozen=True, slots=True)
class Action:
    """A button of a notification: its label, and the broadcast that pressing it sends to its app."""

    label: str
    sends: Intent


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification in the shade.

    Attributes:
        number: Counts up.
        package, channel: Whose it is.
        title, text: What it says.
        intent: What a tap on it starts.
        full_screen: Whether that is to open at once, where Android lets it.
        deleted: The broadcast that is sent when it is swiped away.
        urgent: Whether it shows at once at the top of the screen, whatever its channel.
        tapped: The broadcast that a tap on it sends, of one that starts nothing.
        actions: Its buttons.
    """

    number: int
    package: str
    channel: str
    title: str
    text: str
    intent: Intent | None = None
    full_screen: bool = False
    deleted: Intent | None = None
    urgent: bool = False
    tapped: Intent | None = None
    actions: tuple[Action, ...] = ()


@dataclass(slots=True)
class Notifications:
    """The active notifications, the newest first.

    Attributes:
        changed: Called after each change.
        urgent: Called with each new one of an urgent channel, or with a full-screen intent.
        swiped: Called with each one that a person has taken away.
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
        deleted: Intent | None = None,
        urgent: bool = False,
        tapped: Intent | None = None,
        actions: tuple[Action, ...] = (),
    ) -> Notification:
        """Post a notification; arguments as the attributes of `Notification`."""
        self._count += 1
        posted = Notification(
            self._count, package, channel, title, text, intent, full_screen, deleted, urgent, tapped, actions
        )
        self._active.insert(0, posted)
        if channel in URGENT or full_screen or urgent:
            self.urgent(posted)
        self.changed()
        return posted

    def cancel(self, number: int) -> None:
        """Remove one; harmless when it is gone."""
        self._active = [each for each in self._active if each.number != number]
        self.changed()

    def swipe(self, number: int) -> None:
        """A person takes one away; harmless when it is gone."""
        found = [each for each in self._active if each.number == number]
        self.cancel(number)
        for each in found:
            self.swiped(each)

    def clear(self) -> None:
        """A person takes all away."""
        for each in self.active():
            self.swipe(each.number)

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

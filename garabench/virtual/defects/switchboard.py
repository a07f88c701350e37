"""The defects that are switched on, and what they do where the phone consults them.

They belong to the phone like its faults: a reset and the loading of a snapshot leave them on. A defect that
shows itself only sometimes draws from the phone's seed and the number of its occasions since it was switched
on, so that a run can be repeated, and a second attempt from a snapshot is a new draw.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from garabench.core.seeds import generator
from garabench.errors import InputError
from garabench.virtual.defects.data_rollback import DataChange, changes, undo
from garabench.virtual.defects.defect import VIEW_KINDS, Defect, DefectKind
from garabench.virtual.defects.defect_table import defect_table, find_defect
from garabench.virtual.defects.view_rewriter import rewrite
from garabench.virtual.ui.widgets import Handler, Widget

_CRASH = "java.lang.NullPointerException: Attempt to invoke a virtual method on a null object reference"


class DefectHost(Protocol):
    """The phone as defects use it."""

    @property
    def seed(self) -> int:
        """Random seed."""
        ...

    def app_data(self, package: str) -> dict[str, Any] | None:
        """Return an app's persistent data; None if it is not installed."""
        ...

    def app_lang(self, package: str) -> str:
        """Return an app's language."""
        ...

    def later(self, milliseconds: int, package: str, call: Callable[[], None]) -> None:
        """Call into an app after some time."""
        ...

    def is_visible(self, package: str) -> bool:
        """Return whether a screen of an app is visible."""
        ...

    def crash(self, package: str, reason: str) -> None:
        """Crash an app."""
        ...

    def toast(self, text: str, package: str) -> None:
        """Show a toast."""
        ...

    def request_permission(self, package: str, permission: str) -> None:
        """Show the system's permission dialog, unless a dialog is shown already."""
        ...

    def changed(self) -> None:
        """Note that the screen may have changed."""
        ...


class Defects:
    """The defects that are switched on."""

    def __init__(self, host: DefectHost) -> None:
        self._host = host
        self._on: dict[str, Defect] = {}
        self._occasions: Counter[str] = Counter()
        self._sequence: dict[str, int] = {}
        self._unsaved: dict[tuple[str, str], list[DataChange]] = {}

    @staticmethod
    def known() -> Mapping[str, Defect]:
        """Return every defect by its id."""
        return defect_table()

    @property
    def active(self) -> tuple[str, ...]:
        """Ids of the defects that are on, in the order in which they were switched on."""
        return tuple(self._on)

    def enable(self, name: str, *, rate: float | None = None, draw: int = 0) -> None:
        """Switch a defect on.

        Args:
            name: Its id.
            rate: Share of the occasions at which it shows itself, above 0 and up to 1; default: its own.
            draw: Number of the sequence of draws; another one is independent.

        Raises:
            InputError: It is unknown, or the rate is invalid.
        """
        defect = find_defect(name)
        if rate is not None and not 0 < rate <= 1:
            raise InputError("a defect's rate must be above 0 and at most 1")
        self.inject(defect if rate is None else defect.model_copy(update={"rate": rate}), draw=draw)

    def inject(self, defect: Defect, *, draw: int = 0) -> None:
        """Switch on a defect that need not be in the table; see `enable`."""
        self._on[defect.id] = defect
        self._sequence[defect.id] = draw
        self._forget(defect.id)
        self._host.changed()

    def disable(self, name: str) -> None:
        """Switch a defect off; does nothing if it is off.

        Raises:
            InputError: It is unknown.
        """
        find_defect(name)
        self._on.pop(name, None)
        self._forget(name)
        self._host.changed()

    def _forget(self, name: str) -> None:
        """Restart a defect's sequence of draws."""
        self._occasions[name] = 0
        self._unsaved.clear()

    def _here(self, package: str, activity: str, *kinds: DefectKind) -> list[Defect]:
        return [
            defect
            for defect in self._on.values()
            if defect.kind in kinds and defect.concerns(package, activity)
        ]

    def _occurs(self, defect: Defect) -> bool:
        """Draw whether a defect shows itself on this occasion."""
        if defect.rate >= 1:
            return True
        self._occasions[defect.id] += 1
        names = (defect.id, self._sequence[defect.id], self._occasions[defect.id])
        return generator(self._host.seed, "defect", *names).random() < defect.rate

    # Views

    def rewrite(self, view: Widget, package: str, activity: str) -> Widget:
        """Return a view as the defective app builds it."""
        found = self._here(package, activity, *VIEW_KINDS) if self._on else []
        return rewrite(view, found, self) if found else view

    def lang(self, package: str) -> str:
        """Return an app's language."""
        return self._host.app_lang(package)

    def press(self, defect: Defect, handler: Handler) -> Handler:
        """Return what a press does instead of calling the handler."""

        def run() -> None:
            if self._occurs(defect):
                self._press(defect, handler)
            else:
                handler()

        return run

    def _press(self, defect: Defect, handler: Handler) -> None:
        match defect.kind:
            case DefectKind.SLOW:
                self._host.later(defect.ms, defect.app, lambda: self._react(defect, handler))
            case DefectKind.CRASH:
                self._host.crash(defect.app, _CRASH)
            case DefectKind.NOTICE:
                self._host.toast(defect.text[self.lang(defect.app)], defect.app)
            case DefectKind.UNSAVED:
                self._lose(defect, handler)

    def _react(self, defect: Defect, handler: Handler) -> None:
        """React late: no longer once the app's screens are stopped, as what is bound to their lifecycle."""
        if self._host.is_visible(defect.app):
            handler()

    def _lose(self, defect: Defect, handler: Handler) -> None:
        """Call a handler, and undo later what it changed in the app's data."""
        data = self._host.app_data(defect.app)
        before = copy.deepcopy(data) if data is not None else {}
        handler()
        if data is None:
            return
        lost = changes(before, data)
        if defect.on_leave:
            self._unsaved.setdefault((defect.app, defect.activity), []).extend(lost)
        elif defect.ms:
            self._host.later(defect.ms, defect.app, lambda: self._undo(defect.app, lost))
        else:
            undo(data, lost)

    def _undo(self, package: str, lost: tuple[DataChange, ...]) -> None:
        data = self._host.app_data(package)
        if data is not None:
            undo(data, lost)
            self._host.changed()

    # Screens

    def left(self, package: str, activity: str) -> None:
        """Handle that a screen is no longer visible: what was not saved is lost."""
        for key, lost in list(self._unsaved.items()):
            if key[0] == package and activity.endswith(key[1]):
                del self._unsaved[key]
                self._undo(package, tuple(reversed(lost)))

    def shown(self, package: str, activity: str) -> None:
        """Handle that a screen is about to be built."""
        for defect in self._here(package, activity, DefectKind.PERMISSION_LOOP):
            self._host.request_permission(package, defect.permission)

    def created(self, package: str, activity: str) -> None:
        """Handle that a screen was created: the app may crash."""
        drawn = [self._occurs(each) for each in self._here(package, activity, DefectKind.CRASH_SCREEN)]
        if any(drawn):
            self._host.crash(package, _CRASH)

    def opens(self, package: str, activity: str) -> bool:
        """Return whether a screen opens when its app starts it."""
        drawn = [self._occurs(each) for each in self._here(package, activity, DefectKind.NO_OPEN)]
        return not any(drawn)

    def back(self, package: str, activity: str) -> DefectKind | None:
        """Return how Back is broken on a screen, if it is."""
        for defect in self._here(package, activity, DefectKind.BACK_DEAD, DefectKind.BACK_EXITS):
            if self._occurs(defect):
                return defect.kind
        return None

    def covers(self, package: str, activity: str) -> bool:
        """Return whether the keyboard covers a screen instead of resizing it."""
        return bool(self._here(package, activity, DefectKind.COVERED))

    def holds_keyboard(self, package: str, activity: str) -> bool:
        """Return whether Back leaves the keyboard open."""
        return any(defect.sticky for defect in self._here(package, activity, DefectKind.COVERED))

    def reaches_servers(self, package: str) -> bool:
        """Return whether an app reaches its servers if the phone is online."""
        return not any(
            defect.kind is DefectKind.OFFLINE and defect.app == package for defect in self._on.values()
        )

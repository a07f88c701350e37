"""The phone as its defects use it; see `garabench.virtual.defects.switchboard.DefectHost`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from garabench.virtual.android.phone_interface import PhoneInterface


class PhoneDefectHost:
    """Gives defects access to a phone's services."""

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone

    @property
    def seed(self) -> int:
        """Random seed."""
        return self._phone.seed

    def app_data(self, package: str) -> dict[str, Any] | None:
        """Return an app's persistent data; None if it is not installed."""
        installed = self._phone.packages.get(package)
        return installed.data if installed is not None else None

    def app_lang(self, package: str) -> str:
        """Return an app's language."""
        installed = self._phone.packages.get(package)
        return installed.language(self._phone.lang) if installed is not None else self._phone.lang

    def later(self, milliseconds: int, package: str, call: Callable[[], None]) -> None:
        """Call into an app after some time, unless its process has ended by then."""
        phone, pid = self._phone, self._phone.processes.pidof(package)

        def run() -> None:
            if phone.processes.pidof(package) == pid:
                phone.run_app(package, call)
                phone.changed()

        phone.clock.after(milliseconds, run)

    def is_visible(self, package: str) -> bool:
        """Return whether a screen of an app is visible."""
        visible = self._phone.activities.visible()
        return any(each.component.partition("/")[0] == package for each in visible)

    def crash(self, package: str, reason: str) -> None:
        """Crash an app."""
        self._phone.activities.crash(package, reason)

    def toast(self, text: str, package: str) -> None:
        """Show a toast."""
        self._phone.windows.toast(text, package)

    def request_permission(self, package: str, permission: str) -> None:
        """Show the system's permission dialog, unless a dialog is shown already."""
        if self._phone.windows.dialogs.shown is None:
            self._phone.windows.ask_permission(package, permission, _ignore)

    def changed(self) -> None:
        """Note that the screen may have changed."""
        self._phone.changed()


def _ignore(granted: bool) -> None:
    """Do nothing with the answer: the app requests the permission again."""

"""The phone's implementation of an app's context; see `garabench.virtual.kit.framework.Context`."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from typing import Any

from garabench.core.seeds import generator
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.task_records import ActivityRecord
from garabench.virtual.kit.framework import App, Intent, Timer

_SYSTEM_PACKAGES = ("com.android.", "org.garabench.")
_THAW_MS = 100
"""Interval at which a due call is retried while the process is stopped."""
_NOTIFY, _NOTIFY_SDK = "android.permission.POST_NOTIFICATIONS", 33


class PhoneContext:
    """The context of an activity or receiver."""

    def __init__(self, phone: PhoneInterface, app: App) -> None:
        self._phone = phone
        self._app = app
        self._record: ActivityRecord | None = None
        self.package = app.package

    def attach(self, record: ActivityRecord) -> None:
        """Bind to the activity that this context belongs to."""
        self._record = record

    @property
    def data(self) -> dict[str, Any]:
        """The app's persistent data."""
        installed = self._phone.packages.get(self.package)
        if installed is None:
            raise RuntimeError(f"{self.package} is no longer installed")
        return installed.data

    @property
    def lang(self) -> str:
        """The app's language: its per-app language, or the phone's."""
        installed = self._phone.packages.get(self.package)
        return installed.language(self._phone.lang) if installed else self._phone.lang

    @property
    def sdk(self) -> int:
        """The phone's API level."""
        return self._phone.profile.sdk

    @property
    def online(self) -> bool:
        """Whether there is a working network."""
        return self._phone.network.online and self._phone.defects.reaches_servers(self.package)

    @property
    def dark(self) -> bool:
        """Whether dark mode is on."""
        return self._phone.settings.get("secure", "ui_night_mode") == "2"

    @property
    def width_dp(self) -> float:
        """Width of the app's area in dp."""
        return self._phone.windows.area_of(self._record).width * 160 / self._phone.display.density

    @property
    def height_dp(self) -> float:
        """Height of the app's area in dp."""
        return self._phone.windows.area_of(self._record).height * 160 / self._phone.display.density

    def t(self, zh: str, en: str) -> str:
        """Return the text in this app's language."""
        return zh if self.lang == "zh" else en

    def now(self) -> dt.datetime:
        """Return the phone's wall clock."""
        return self._phone.clock.wall()

    def random(self, *names: str | int) -> random.Random:
        """Return a random generator seeded by the phone's seed, the package and the names."""
        return generator(self._phone.seed, "app", self.package, *names)

    def start(self, intent: Intent) -> None:
        """Start an activity."""
        result = self._phone.activities.start(intent, caller=self.package)
        if not result.ok:
            self.toast(self.t("没有可用的应用", "No app can perform this action"))

    def open(self, activity: str, **extras: Any) -> None:
        """Start another activity of this app."""
        self.start(Intent(package=self.package, activity=activity, extras=extras))

    def finish(self) -> None:
        """End this activity."""
        if self._record is not None:
            self._phone.activities.finish(self._record)

    def relaunch(self) -> None:
        """End this app's task and start its launcher activity."""
        self._phone.activities.relaunch(self.package)

    def invalidate(self) -> None:
        """Request a rebuild of the view."""
        self._phone.changed()

    def toast(self, text: str) -> None:
        """Show a toast."""
        self._phone.windows.toast(text, self.package)

    def after(self, milliseconds: int, call: Callable[[], None]) -> Timer:
        """Call after a delay, unless the activity or process has ended by then."""
        processes, pid = self._phone.processes, self._phone.processes.pidof(self.package)

        def run() -> None:
            alive = self._record is None or not self._record.destroyed
            if processes.frozen(self.package):
                self._phone.clock.after(_THAW_MS, run)
            elif alive and processes.pidof(self.package) == pid:
                self._phone.run_app(self.package, call)
                self._phone.changed()

        return self._phone.clock.after(milliseconds, run)

    def log(self, tag: str, message: str, level: str = "I") -> None:
        """Write to logcat."""
        self._phone.logcat.write(level, tag, message, pid=self._phone.processes.start(self.package))

    def hide_keyboard(self) -> None:
        """Close the soft keyboard and clear the focus."""
        self._phone.ime.hide(drop_focus=True)

    def focus(self, key: str) -> None:
        """Give a text field the focus."""
        self._phone.windows.focus_by_key(key)

    def scroll_to(self, key: str, offset_dp: float = 0) -> None:
        """Set a scrollable's position."""
        self._phone.windows.scroll_by_key(key, offset_dp)

    def notify(self, channel: str, title: str, text: str, intent: Intent | None = None) -> None:
        """Post a notification; since Android 13 only with the permission, if the app declares it."""
        phone = self._phone
        needs_permission = _NOTIFY in self._app.permissions and phone.profile.sdk >= _NOTIFY_SDK
        if needs_permission and not self.permission(_NOTIFY):
            return
        phone.notifications.post(self.package, channel, title, text, intent)

    def permission(self, name: str) -> bool:
        """Return whether this app holds a permission."""
        return self._phone.packages.is_granted(self.package, name)

    def request_permission(self, name: str, done: Callable[[bool], None]) -> None:
        """Ask the user for a permission, or answer at once if it is already decided."""
        if self.permission(name) or name not in self._app.permissions:
            done(self.permission(name))
            return
        self._phone.windows.ask_permission(self.package, name, done)

    @property
    def system(self) -> Any:
        """The phone itself, for system apps."""
        if not self._app.system and not self.package.startswith(_SYSTEM_PACKAGES):
            raise PermissionError(f"{self.package} is not a system app")
        return self._phone

"""Fill the system's surfaces with the phone's present state."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.os.notifications import Notification
from garabench.virtual.ui import system_bars
from garabench.virtual.ui.widgets import View

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone

SYSTEM_UI = "com.android.systemui"


class Surfaces:
    """The system's views."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    def _t(self, zh: str, en: str) -> str:
        return zh if self._phone.lang == "zh" else en

    def status_bar(self, ground: str) -> View:
        """The status bar."""
        phone = self._phone
        return system_bars.status_bar(
            time=phone.clock.wall().strftime("%H:%M"),
            battery=phone.battery.level,
            wifi=phone.network.wifi,
            airplane=phone.network.airplane,
            ground=ground,
        )

    def nav_bar(self) -> View:
        """The navigation bar."""
        phone = self._phone
        dark = phone.settings.get("secure", "ui_night_mode") == "2"
        return system_bars.nav_bar(
            phone.press_back,
            phone.press_home,
            phone.windows.open_recents,
            ground="#111318" if dark else "#FFFFFF",
        )

    def shade(self) -> View:
        """The notification shade."""
        phone = self._phone
        network, battery = phone.network, phone.battery

        def flip(thing: object, name: str) -> None:
            setattr(thing, name, not getattr(thing, name))
            phone.changed()

        tiles = [
            ("wifi", "WLAN", network.wifi, partial(flip, network, "wifi")),
            (
                "signal",
                self._t("移动数据", "Mobile data"),
                network.mobile_data,
                partial(flip, network, "mobile_data"),
            ),
            (
                "airplane",
                self._t("飞行模式", "Airplane mode"),
                network.airplane,
                partial(flip, network, "airplane"),
            ),
            ("battery", self._t("省电模式", "Battery Saver"), battery.saver, partial(flip, battery, "saver")),
        ]
        notes = [
            (phone.label(note.package), note.title, note.text, partial(self._open, note))
            for note in phone.notifications.active()
        ]
        return system_bars.shade(tiles, notes, phone.notifications.cancel_all, texts=self._t)

    def _open(self, note: Notification) -> None:
        self._phone.windows.close_overlay()
        self._phone.notifications.cancel(note.number)
        if note.intent is not None:
            self._phone.activities.start(note.intent, caller=note.package)

    def recents(self) -> View:
        """The recent apps."""
        phone = self._phone
        home = phone.packages.home()
        cards = []
        for task in phone.activities.tasks:
            top = task.top
            if (
                top is None
                or top.activity.excluded_from_recents
                or (home and top.app.package == home.app.package)
            ):
                continue

            def go(number: int = task.number) -> None:
                phone.windows.close_overlay()
                phone.activities.task_to_front(number)

            cards.append((top.app.package, phone.label(top.app.package), go))

        def clear() -> None:
            phone.windows.close_overlay()
            for package, _, _ in cards:
                phone.activities.force_stop(package)
            phone.activities.home()

        return system_bars.recents(cards, clear, texts=self._t)

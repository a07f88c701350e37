"""SystemUI: the bars, the shade, the recents and other system views, from the phone's state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from garabench.virtual.android.notifications import Notification, NotificationAction
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.kit.framework import Intent
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui import system_widgets
from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, Row, Text, Widget, insets

SYSTEM_UI = "com.android.systemui"
_DESCRIBED_TILES_SDK = 19


class SystemUi:
    """Builds the views of SystemUI."""

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone

    def _t(self, zh: str, en: str) -> str:
        return zh if self._phone.lang == "zh" else en

    def status_bar(self, background: str) -> Widget:
        """Build the status bar."""
        phone = self._phone
        packages = list(dict.fromkeys(note.package for note in phone.notifications.active()))
        named = self._t("“{}”通知", "{} notification")
        return system_widgets.status_bar(
            time=phone.clock.wall().strftime("%H:%M"),
            battery=phone.battery.level,
            wifi=phone.network.wifi,
            airplane=phone.network.airplane,
            background=background,
            notification_descriptions=[named.format(phone.label(package)) for package in packages],
        )

    def ticker(self) -> Widget | None:
        """Build the animation of the fault ``animation``: a number in the corner of the foreground app."""
        tick = self._phone.tick
        if tick is None:
            return None
        return Text(
            id="android:id/progress",
            text=f"{tick % 1000:03d}",
            size=10,
            color="#9E9E9E",
            background="#FFFFFF",
            padding=insets(2),
        )

    def nav_bar(self) -> Widget:
        """Build the navigation bar."""
        phone = self._phone
        dark = phone.settings.get("secure", "ui_night_mode") == "2"
        return system_widgets.nav_bar(
            phone.press_back,
            phone.press_home,
            phone.windows.open_recents,
            background="#111318" if dark else "#FFFFFF",
        )

    def divider(self, *, stacked: bool) -> Widget:
        """Build the divider of a split screen."""
        return system_widgets.split_screen_divider(
            stacked=stacked, desc=self._t("分屏分隔线", "Split-screen divider")
        )

    def shade(self) -> Widget:
        """Build the notification shade."""
        phone = self._phone
        network, battery = phone.network, phone.battery

        def flip(service: object, name: str) -> None:
            setattr(service, name, not getattr(service, name))
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
            (
                "rotate",
                self._t("自动旋转", "Auto-rotate"),
                phone.settings.get("system", "accelerometer_rotation") == "1",
                partial(self._switch, "system", "accelerometer_rotation", "0", "1"),
            ),
            (
                "moon",
                self._t("深色主题", "Dark theme"),
                phone.settings.get("secure", "ui_night_mode") == "2",
                partial(self._switch, "secure", "ui_night_mode", "1", "2"),
            ),
        ]
        notes = [(note.number, self._note(note, radius=16)) for note in phone.notifications.active()]
        described = phone.profile.sdk <= _DESCRIBED_TILES_SDK
        return system_widgets.shade(
            tiles, notes, phone.notifications.clear, texts=self._t, described=described
        )

    def _switch(self, namespace: str, key: str, off: str, on: str) -> None:
        settings = self._phone.settings
        settings.put(namespace, key, off if settings.get(namespace, key) == on else on)

    def heads_up(self, note: Notification) -> Widget:
        """Build a heads-up notification."""
        return replace(self._note(note, radius=20, lines=2), elevation=6)

    def _note(self, note: Notification, *, radius: float, lines: int = 0) -> Column:
        return system_widgets.notification_card(
            app=self._phone.label(note.package),
            title=note.title,
            text=note.text,
            on_open=partial(self._open, note),
            actions=[(action.label, partial(self._act, note, action)) for action in note.actions],
            radius=radius,
            lines=lines,
        )

    def adb_keyboard_strip(self, package: str) -> Widget:
        """Build the strip of a keyboard without keys, which types text from broadcasts."""
        return Row(
            width=MATCH,
            height=MATCH,
            padding=insets(16, 0),
            background="#E8EAED",
            children=[Text(text=f"{self._phone.label(package)} {{ON}}", size=14, color="#3C4043")],
        )

    def _open(self, note: Notification) -> None:
        self._phone.windows.close_overlay()
        self._phone.windows.close_heads_up()
        self._phone.notifications.cancel(note.number)
        if note.intent is not None:
            self._phone.activities.start(note.intent, caller=note.package)
        elif note.tap_broadcast is not None:
            self._send(note, note.tap_broadcast)

    def _act(self, note: Notification, action: NotificationAction) -> None:
        """Press a button of a notification, which stays until its app cancels it."""
        self._phone.windows.close_heads_up()
        self._send(note, action.intent)

    def _send(self, note: Notification, intent: Intent) -> None:
        self._phone.broadcast(intent.action, dict(intent.extras), note.package)

    def recents(self) -> Widget:
        """Build the recent apps."""
        phone = self._phone
        home, shown = phone.packages.home(), list[str]()
        cards: list[tuple[int, str, Widget, Widget, Callable[[], None]]] = []
        for task in phone.activities.tasks:
            top = task.top
            if (
                top is None
                or top.activity.excluded_from_recents
                or (home and top.app.package == home.app.package)
            ):
                continue

            def go(task_id: int = task.task_id) -> None:
                phone.windows.close_overlay()
                phone.activities.move_task_to_front(task_id)

            large = app_icon(top.app, 88)
            middle = Box(align_self=Align.CENTER, align_vertical=Align.CENTER, children=[large])
            shown.append(top.app.package)
            cards.append((task.task_id, phone.label(top.app.package), app_icon(top.app, 24), middle, go))

        def clear() -> None:
            phone.windows.close_overlay()
            for package in shown:
                phone.activities.force_stop(package)
            phone.activities.home()

        return system_widgets.recents(cards, clear, texts=self._t)

"""The lock screen, one without a secret: a swipe up opens it (``com.android.systemui`` draws it as a shade).

A phone has none until ``locksettings set-disabled false`` gives it one: so are images for automated tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.ui.widgets import MATCH, Align, Column, Text, View, insets, spacer

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone


class Keyguard:
    """The lock screen.

    Attributes:
        enabled: Whether the phone has one.
        showing: Whether it is up, above everything but the navigation bar.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.enabled = False
        self.showing = False

    def lock(self) -> None:
        """Come up, where the phone has a lock screen; what the screen's going dark does."""
        if self.enabled and not self.showing:
            self._phone.ime.hide(drop_focus=True)
            self._phone.windows.close_overlay()
            self.showing = True

    def dismiss(self) -> None:
        """Go away: by a swipe up, by the Menu key, or by ``wm dismiss-keyguard``."""
        if self.showing:
            self.showing = False
            self._phone.activities.update()
            self._phone.changed()

    def view(self) -> View:
        """What it shows: the time, the date, and how it is opened."""
        now, zh = self._phone.clock.wall(), self._phone.lang == "zh"
        date = f"{now.month}月{now.day}日" if zh else f"{now:%B} {now.day}"
        return Column(
            id="keyguard_status_view",
            width=MATCH,
            height=MATCH,
            padding=insets(24, 96, 24, 32),
            gap=8,
            background="#17324D",
            children=[
                _line("lockscreen_clock_view", f"{now:%H:%M}", 64),
                _line("keyguard_date", date, 18),
                spacer(),
                _line("keyguard_indication_text", "向上滑动即可打开" if zh else "Swipe up to open", 14),
            ],
        )


def _line(name: str, text: str, size: int) -> View:
    return Text(id=name, text=text, size=size, color="#FFFFFF", align_self=Align.CENTER)

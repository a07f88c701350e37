"""The lock screen, without a credential: a swipe up opens it (``com.android.systemui`` draws it).

It is disabled until ``locksettings set-disabled false``, as in images for automated tests.
"""

from __future__ import annotations

from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.ui.widgets import MATCH, Align, Column, Text, Widget, insets, spacer


class Keyguard:
    """The lock screen.

    Attributes:
        enabled: Whether the phone has a lock screen.
        showing: Whether it covers everything but the navigation bar.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self.enabled = False
        self.showing = False

    def lock(self) -> None:
        """Lock the phone if the lock screen is enabled; switching the screen off does it."""
        if self.enabled and not self.showing:
            self._phone.ime.hide(drop_focus=True)
            self._phone.windows.close_overlay()
            self.showing = True

    def dismiss(self) -> None:
        """Unlock: by a swipe up, the Menu key, or ``wm dismiss-keyguard``."""
        if self.showing:
            self.showing = False
            self._phone.activities.update()
            self._phone.changed()

    def view(self) -> Widget:
        """Build its view: the time, the date, and a hint how to unlock."""
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


def _line(name: str, text: str, size: int) -> Widget:
    return Text(id=name, text=text, size=size, color="#FFFFFF", align_self=Align.CENTER)

"""The lock screen: a swipe up opens it, unless a fault makes it ask for a credential.

Android 4.4 has it from the start. Newer versions have none until ``locksettings set-disabled false``, as in
images for automated tests.
"""

from __future__ import annotations

from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.system_ui import SYSTEM_UI
from garabench.virtual.ui.widgets import MATCH, Align, Column, Text, Widget, insets, spacer

_OWN_PACKAGE_UNTIL_SDK = 20
"""Until Android 4.4 the lock screen is a separate app; later it is part of the system UI."""
_VIEWS = {
    "pin": ("keyguard_pin_view", "输入 PIN 码", "Enter PIN"),
    "pattern": ("keyguard_pattern_view", "绘制您的图案", "Draw your pattern"),
    "password": ("keyguard_password_view", "输入密码", "Enter password"),
}
"""By credential: id of its view, and the prompt in Chinese and English."""


class Keyguard:
    """The lock screen.

    Attributes:
        enabled: Whether the phone has a lock screen.
        showing: Whether it covers everything but the navigation bar.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self.enabled = phone.profile.sdk < _OWN_PACKAGE_UNTIL_SDK
        self.showing = False

    @property
    def secret(self) -> str:
        """The credential that it asks for, by the fault: ``pin``, ``pattern``, ``password``, or empty."""
        fault = self._phone.faults.active("credential-lock")
        return "" if fault is None else str(fault.get("secret", "pin"))

    @property
    def package(self) -> str:
        """Package of its window."""
        own = self._phone.profile.sdk < _OWN_PACKAGE_UNTIL_SDK
        return "com.android.keyguard" if own else SYSTEM_UI

    @property
    def title(self) -> str:
        """Title of its window."""
        return "Keyguard" if self._phone.profile.sdk < _OWN_PACKAGE_UNTIL_SDK else "NotificationShade"

    def secret_changed(self) -> None:
        """Lock the phone if the lock screen asks for a credential now, else unlock it."""
        if self.secret:
            self.enabled = True
            self.lock()
            self._phone.activities.update()
        else:
            self.dismiss()

    def lock(self) -> None:
        """Lock the phone if the lock screen is enabled; switching the screen off does it."""
        if self.enabled and not self.showing:
            self._phone.ime.hide(drop_focus=True)
            self._phone.windows.close_overlay()
            self.showing = True

    def dismiss(self) -> None:
        """Unlock by a swipe up, the Menu key, or ``wm dismiss-keyguard``, unless it asks for a credential."""
        if self.showing and not self.secret:
            self.showing = False
            self._phone.activities.update()
            self._phone.changed()

    def view(self) -> Widget:
        """Build its view: the time, the date, and a hint on how to unlock."""
        now, zh = self._phone.clock.wall(), self._phone.lang == "zh"
        name, prompt_zh, prompt_en = _VIEWS.get(
            self.secret, ("keyguard_indication_text", "向上滑动即可打开", "Swipe up to open")
        )
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
                _line(name, prompt_zh if zh else prompt_en, 14),
            ],
        )


def _line(name: str, text: str, size: int) -> Widget:
    return Text(id=name, text=text, size=size, color="#FFFFFF", align_self=Align.CENTER)

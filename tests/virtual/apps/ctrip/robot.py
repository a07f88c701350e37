"""The robot for Ctrip: taps what selectors name, types, and reads the screen."""

from __future__ import annotations

from typing import Any

from garabench.virtual.apps.ctrip.app import APP
from tests.virtual.apps.robot import AppRobot

TALL = "android-34:1440x3120"


class Robot(AppRobot):
    """A phone with Ctrip in the foreground; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)

    def write(self, text: str, **selector: Any) -> None:
        """Replace a field's text, and close the keyboard."""
        self.tap(**selector)
        self.phone.ime.clear()
        self.phone.ime.commit_text(text)
        self.settle()
        if self.phone.ime.shown:
            self.phone.press_back()
            self.settle()

    def pick_day(self, day: str) -> None:
        """Tap a day (such as 2024年6月7日) of the calendar."""
        self.scroll({"id": "calendar_day", "desc": day}, {"id": "calendar_list"})
        self.tap(id="calendar_day", desc=day)

"""The robot for Weibo: taps what selectors name, types, swipes, and reads the screen."""

from __future__ import annotations

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.app import APP
from tests.virtual.apps.robot import AppRobot


class Robot(AppRobot):
    """A phone with Weibo in the foreground; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)

    def choose(self, label: str) -> None:
        """Tap an item of the open sheet."""
        self.tap(id="sheet_item", text=label)

    def search(self, query: str) -> None:
        """Search from the first screen."""
        self.open(names.SEARCH)
        self.write(query, id="search_edit")
        self.submit()

    def scroll_tabs(self, label: str) -> None:
        """Scroll the channels sideways until one is in view."""
        area = self.node(id="channel_tabs").bounds
        for _ in range(6):
            found = self.nodes(id="tab_title", text=label, inside={"id": "channel_tabs"})
            if found and found[0].bounds.right <= area.right:
                return
            self.phone.input.swipe(area.right - 80, area.center.y, area.left + 200, area.center.y, 400)
            self.settle()
        raise AssertionError(f"no channel {label}")

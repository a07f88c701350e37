"""A hand on a phone with Weibo: taps what selectors name, types, swipes, and looks."""

from __future__ import annotations

from typing import Any

from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode
from garabench.virtual.apps.framework import Intent
from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.app import APP
from tests.virtual.apps.driver import Driver


class Hand(Driver):
    """A phone with Weibo in front; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(profile, APP)

    def open(self, activity: str, **extras: Any) -> None:
        self.phone.activities.start(Intent(package=APP.package, activity=activity, extras=extras))
        self.settle()

    def tab(self, label: str) -> None:
        self.open(names.MAIN, tab=label)

    def nodes(self, **selector: Any) -> tuple[UiNode, ...]:
        return find(self.facts().tree, Selector.model_validate(selector))

    def node(self, **selector: Any) -> UiNode:
        return self.find(Selector.model_validate(selector))

    def sees(self, **selector: Any) -> bool:
        return bool(self.nodes(**selector))

    def texts(self, **selector: Any) -> list[str]:
        return [node.text for node in self.nodes(**selector)]

    def text(self, **selector: Any) -> str:
        return self.node(**selector).text

    def tap(self, **selector: Any) -> None:
        at = self.node(**selector).bounds.center
        self.phone.input.tap(at.x, at.y)
        self.settle()

    def hold(self, **selector: Any) -> None:
        at = self.node(**selector).bounds.center
        self.phone.input.long_press(at.x, at.y, 800)
        self.settle()

    def choose(self, label: str) -> None:
        """Tap a choice of the open sheet."""
        self.tap(id="sheet_item", text=label)

    def write(self, text: str, **selector: Any) -> None:
        """Replace what a field holds."""
        self.tap(**selector)
        self.phone.ime.clear()
        self.phone.ime.commit_text(text)
        self.settle()

    def submit(self) -> None:
        self.phone.input.key(66)
        self.settle()

    def search(self, query: str) -> None:
        """Search from the first screen."""
        self.open(names.SEARCH)
        self.write(query, id="search_edit")
        self.submit()

    def scroll(self, until: dict[str, Any], inside: dict[str, Any]) -> None:
        """Scroll down until something is on the screen."""
        area = self.node(**inside).bounds
        for _ in range(24):
            if self.sees(**until):
                return
            x, y = area.center.x, area.center.y
            self.phone.input.swipe(x, y + area.height // 4, x, y - area.height // 4, 500)
            self.settle()
        raise AssertionError(f"no scrolling shows {until}")

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

    def back(self) -> None:
        self.phone.press_back()
        self.settle()

    def stop(self) -> None:
        """Force-stop the app and start it again."""
        self.phone.activities.force_stop(APP.package)
        self.launch()

    def network(self, on: bool) -> None:
        self.phone.settings.put("global", "wifi_on", "1" if on else "0")
        self.phone.settings.put("global", "mobile_data", "1" if on else "0")
        self.settle()

    @property
    def toast(self) -> str:
        toast = self.phone.windows.last_toast
        return toast[0] if toast else ""

    @property
    def front(self) -> str:
        """The activity in front."""
        resumed = self.phone.activities.resumed
        return resumed.name if resumed else ""

"""The robot of a phone with an app in the foreground: taps, types, swipes, and reads the screen.

Selectors are given as keyword arguments. Each app's robot adds the steps that only this app needs.
"""

from __future__ import annotations

from typing import Any

from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode
from garabench.virtual.kit.framework import App, Intent
from tests.virtual.apps.driver import ENTER, Driver

MAX_SCROLLS = 24
WIFI = "wifi_on"
MOBILE_DATA = "mobile_data"


class AppRobot(Driver):
    """A phone with an app in the foreground."""

    def __init__(self, app: App, profile: str = "android-34:1080x2400") -> None:
        super().__init__(profile, app)

    def open(self, activity: str, **extras: Any) -> None:
        """Start an activity of the app."""
        self.phone.activities.start(Intent(package=self.app.package, activity=activity, extras=extras))
        self.settle()

    def tab(self, label: str) -> None:
        """Open a tab of the first screen."""
        self.open(self.app.launcher, tab=label)

    def link(self, data: str) -> None:
        """Open a deep link."""
        package, activity = self.app.package, self.app.launcher
        view = Intent(action="android.intent.action.VIEW", package=package, activity=activity, data=data)
        self.phone.activities.start(view)
        self.settle()

    def nodes(self, **selector: Any) -> tuple[UiNode, ...]:
        return find(self.facts().tree, Selector.model_validate(selector))

    def node(self, **selector: Any) -> UiNode:
        return self.find(Selector.model_validate(selector))

    def sees(self, **selector: Any) -> bool:
        return bool(self.nodes(**selector))

    def text(self, **selector: Any) -> str:
        return self.node(**selector).text

    def texts(self, **selector: Any) -> list[str]:
        return [node.text for node in self.nodes(**selector)]

    def tap(self, **selector: Any) -> None:
        at = self.node(**selector).bounds.center
        self.phone.input.tap(at.x, at.y)
        self.settle()

    def hold(self, **selector: Any) -> None:
        at = self.node(**selector).bounds.center
        self.phone.input.long_press(at.x, at.y, 800)
        self.settle()

    def write(self, text: str, *, submit: bool = False, **selector: Any) -> None:
        """Replace a field's text; the keyboard stays open unless `submit` is set."""
        self.tap(**selector)
        self.phone.ime.clear()
        self.phone.ime.commit_text(text)
        if submit:
            self.phone.input.key(ENTER)
        self.settle()

    def submit(self) -> None:
        self.phone.input.key(ENTER)
        self.settle()

    def scroll(self, until: dict[str, Any], inside: dict[str, Any]) -> None:
        """Scroll down until an element is on the screen."""
        area = self.node(**inside).bounds
        x, y, reach = area.center.x, area.center.y, area.height // 4
        for _ in range(MAX_SCROLLS):
            if self.sees(**until):
                return
            self.phone.input.swipe(x, y + reach, x, y - reach, 500)
            self.settle()
        raise AssertionError(f"no scrolling shows {until}")

    def scroll_down(self) -> None:
        """Scroll down by a third of the screen."""
        size = self.phone.display.current_size
        middle, low, high = size.width // 2, size.height * 7 // 10, size.height * 4 // 10
        self.phone.input.swipe(middle, low, middle, high, 500)
        self.settle()

    def back(self) -> None:
        self.phone.press_back()
        self.settle()

    def stop(self) -> None:
        """Force-stop the app and start it again."""
        self.phone.activities.force_stop(self.app.package)
        self.launch()

    def network(self, on: bool) -> None:
        for key in (WIFI, MOBILE_DATA):
            self.phone.settings.put("global", key, "1" if on else "0")
        self.settle()

    @property
    def toast(self) -> str:
        toast = self.phone.windows.last_toast
        return toast[0] if toast else ""

    @property
    def front(self) -> str:
        """The activity in the foreground."""
        resumed = self.phone.activities.resumed
        return resumed.name if resumed else ""

    @property
    def in_front(self) -> bool:
        """Whether the app is in the foreground."""
        resumed = self.phone.activities.resumed
        return resumed is not None and resumed.app is self.app

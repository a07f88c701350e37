"""A hand on a phone with Facebook: taps what selectors name, types, swipes, and looks."""

from __future__ import annotations

from typing import Any

from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode
from garabench.virtual.apps.facebook import names
from garabench.virtual.apps.facebook.app import APP
from garabench.virtual.apps.framework import Intent
from tests.virtual.apps.driver import Driver


class Hand(Driver):
    """A phone with Facebook in front; selectors are given as keyword arguments."""

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

    def tap(self, **selector: Any) -> None:
        at = self.node(**selector).bounds.center
        self.phone.input.tap(at.x, at.y)
        self.settle()

    def hold(self, **selector: Any) -> None:
        at = self.node(**selector).bounds.center
        self.phone.input.long_press(at.x, at.y, 800)
        self.settle()

    def write(self, text: str, **selector: Any) -> None:
        """Replace what a field holds."""
        self.tap(**selector)
        self.phone.ime.clear()
        self.phone.ime.commit_text(text)
        self.settle()

    def scroll(self, until: dict[str, Any], inside: dict[str, Any]) -> None:
        """Scroll down until something is on the screen."""
        area = self.node(**inside).bounds
        for _ in range(12):
            if self.sees(**until):
                return
            middle = area.center
            self.phone.input.swipe(
                middle.x, middle.y + area.height // 4, middle.x, middle.y - area.height // 4, 500
            )
            self.settle()
        raise AssertionError(f"no scrolling shows {until}")

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


def post(text: str) -> dict[str, Any]:
    """What is inside the post with this text."""
    return {"id": "post", "has": {"id": "post_text", "text_contains": text}}

"""A hand on a phone with Google Maps: taps what selectors name, types, moves the map, and looks."""

from __future__ import annotations

from typing import Any

from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode
from garabench.virtual.apps.framework import Intent
from garabench.virtual.apps.gmaps import names
from garabench.virtual.apps.gmaps.activity import MapsActivity
from garabench.virtual.apps.gmaps.app import APP
from tests.virtual.apps.driver import Driver


class Hand(Driver):
    """A phone with Google Maps in front; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(profile, APP)

    @property
    def activity(self) -> MapsActivity:
        """The app's activity, where it is in front."""
        record = self.phone.activities.resumed
        assert record is not None
        assert isinstance(record.activity, MapsActivity)
        return record.activity

    def link(self, data: str) -> None:
        """Follow a link."""
        intent = Intent(
            action="android.intent.action.VIEW", package=APP.package, activity=names.MAIN, data=data
        )
        self.phone.activities.start(intent)
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

    def write(self, text: str, *, submit: bool = False, **selector: Any) -> None:
        """Replace what a field holds."""
        self.tap(**selector)
        self.phone.ime.clear()
        self.phone.ime.commit_text(text)
        if submit:
            self.phone.input.key(66)
        self.settle()

    def tab(self, label: str) -> None:
        self.tap(id="tab_label", text=label)

    def look_for(self, query: str) -> None:
        """Search from the map."""
        self.tap(id="search_omnibox_text_box")
        self.write(query, submit=True, id="search_omnibox_edit_text")

    def open(self, place: str) -> None:
        """Open a place's page by its whole name."""
        self.tap(id="search_omnibox_text_box")
        self.write(place, id="search_omnibox_edit_text")
        self.tap(id="suggestion_title", text=place)

    def route_to(self, place: str) -> None:
        """Plan a route from the own place."""
        self.open(place)
        self.tap(id="directions_button")

    def menu(self, label: str) -> None:
        """Open a page of the account's menu."""
        self.tap(id="selected_account_disc")
        self.tap(id="account_menu_item", has={"text": label})

    def scroll_down(self) -> None:
        """Move what is in the lower half up by a third of the screen."""
        size = self.phone.display.current_size
        middle, low, high = size.width // 2, size.height * 7 // 10, size.height * 4 // 10
        self.phone.input.swipe(middle, low, middle, high, 500)
        self.settle()

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

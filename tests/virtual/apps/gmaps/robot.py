"""The robot for Google Maps: taps what selectors name, types, moves the map, and reads the screen."""

from __future__ import annotations

from garabench.virtual.apps.gmaps.activity import MapsActivity
from garabench.virtual.apps.gmaps.app import APP
from tests.virtual.apps.robot import AppRobot


class Robot(AppRobot):
    """A phone with Google Maps in the foreground; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)

    @property
    def activity(self) -> MapsActivity:
        """The app's activity, if it is in the foreground."""
        record = self.phone.activities.resumed
        assert record is not None
        assert isinstance(record.activity, MapsActivity)
        return record.activity

    def tab(self, label: str) -> None:
        self.tap(id="tab_label", text=label)

    def look_for(self, query: str) -> None:
        """Search from the map."""
        self.tap(id="search_omnibox_text_box")
        self.write(query, submit=True, id="search_omnibox_edit_text")

    def visit(self, place: str) -> None:
        """Open the page of the place with this full name."""
        self.tap(id="search_omnibox_text_box")
        self.write(place, id="search_omnibox_edit_text")
        self.tap(id="suggestion_title", text=place)

    def route_to(self, place: str) -> None:
        """Plan a route from the current location."""
        self.visit(place)
        self.tap(id="directions_button")

    def menu(self, label: str) -> None:
        """Open a page of the account menu."""
        self.tap(id="selected_account_disc")
        self.tap(id="account_menu_item", has={"text": label})

"""A hand on a phone with Amap: taps what selectors name, types, moves the map, and looks."""

from __future__ import annotations

from garabench.virtual.apps.amap.activity import NewMapActivity
from garabench.virtual.apps.amap.app import APP
from tests.virtual.apps.hand import AppHand


class Hand(AppHand):
    """A phone with Amap in front; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)

    @property
    def activity(self) -> NewMapActivity:
        """The app's activity, where it is in front."""
        record = self.phone.activities.resumed
        assert record is not None
        assert isinstance(record.activity, NewMapActivity)
        return record.activity

    def tab(self, label: str) -> None:
        self.tap(id="tab_text", text=label)

    def look_for(self, query: str) -> None:
        """Search from the map, and open the results."""
        self.tap(id="search_bar")
        self.write(query, submit=True, id="search_edit")

    def visit(self, place: str) -> None:
        """Open a place's page by its whole name."""
        self.look_for(place)
        self.tap(id="poi_name", text=place)

    def route_to(self, place: str) -> None:
        """Plan a route from the own place."""
        self.visit(place)
        self.tap(id="poi_route_button")

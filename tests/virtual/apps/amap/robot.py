"""The robot for Amap: taps what selectors name, types, moves the map, and reads the screen."""

from __future__ import annotations

from garabench.virtual.apps.amap.activity import NewMapActivity
from garabench.virtual.apps.amap.app import APP
from tests.virtual.apps.robot import AppRobot


class Robot(AppRobot):
    """A phone with Amap in the foreground; selectors are given as keyword arguments."""

    def __init__(self, profile: str = "android-34:1080x2400") -> None:
        super().__init__(APP, profile)

    @property
    def activity(self) -> NewMapActivity:
        """The app's activity, if it is in the foreground."""
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
        """Open the page of the place with this full name."""
        self.look_for(place)
        self.tap(id="poi_name", text=place)

    def route_to(self, place: str) -> None:
        """Plan a route from the current location."""
        self.visit(place)
        self.tap(id="poi_route_button")

"""The user's persistent state: lists, notes, labels, searches, settings, offline maps.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.gmaps import content
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.server_calls import ServerStore, requires_network

_MAX_SEARCHES = 10
OWN_LISTS = ("Favorites", "Want to go", "Starred places")


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    data: dict[str, Any] = copy.deepcopy(content.load("account.json"))
    for row in data["lists"]:
        row["places"] = [content.named(name).id for name in row["places"]]
    data["notes"] = {content.named(name).id: text for name, text in data["notes"].items()}
    data["labels"] = {key: content.named(name).id if name else "" for key, name in data["labels"].items()}
    return data


@dataclass(frozen=True, slots=True)
class PlaceList:
    """A list of places; a `private` one is visible to the user only."""

    name: str
    icon: str
    private: bool
    places: tuple[MapPlace, ...]


class GmapsStore(ServerStore):
    """Reads and modifies the app's data; every method takes effect immediately."""

    # Lists

    def lists(self) -> tuple[PlaceList, ...]:
        """Return all lists in their order."""
        result = []
        for row in self._data["lists"]:
            found = (content.place(name) for name in row["places"])
            places = tuple(each for each in found if each is not None)
            result.append(PlaceList(row["name"], row["icon"], bool(row["private"]), places))
        return tuple(result)

    def list_named(self, name: str) -> PlaceList | None:
        """Return a list by its name."""
        return next((each for each in self.lists() if each.name == name), None)

    def saved_in(self, place: MapPlace) -> tuple[str, ...]:
        """Return the names of the lists that contain a place."""
        return tuple(row["name"] for row in self._data["lists"] if place.id in row["places"])

    def set_saved(self, name: str, place: MapPlace, wanted: bool) -> None:
        """Add a place to the top of a list, or remove it."""
        for row in self._data["lists"]:
            if row["name"] == name:
                others = [other for other in row["places"] if other != place.id]
                row["places"] = [place.id, *others] if wanted else others
        if not self.saved_in(place):
            self._data["notes"].pop(place.id, None)

    def add_list(self, name: str, *, private: bool = True) -> bool:
        """Create an empty list; return False if the name is empty or in use."""
        name = name.strip()
        if not name or self.list_named(name) is not None:
            return False
        self._data["lists"].append(
            {"name": name, "icon": "format_list_bulleted", "private": private, "places": []}
        )
        return True

    def rename_list(self, old: str, new: str) -> bool:
        """Rename a list; return False if the new name is empty or in use."""
        new = new.strip()
        if not new or (new != old and self.list_named(new) is not None):
            return False
        for row in self._data["lists"]:
            if row["name"] == old:
                row["name"] = new
        return True

    def delete_list(self, name: str) -> None:
        """Delete a list."""
        self._data["lists"] = [row for row in self._data["lists"] if row["name"] != name]

    def note_of(self, place: MapPlace) -> str:
        """Return the user's note on a saved place."""
        return str(self._data["notes"].get(place.id, ""))

    def set_note(self, place: MapPlace, text: str) -> None:
        """Set a note; an empty one deletes it."""
        if text.strip():
            self._data["notes"][place.id] = text.strip()
        else:
            self._data["notes"].pop(place.id, None)

    # Labels

    def label(self, which: str) -> MapPlace | None:
        """Return ``Home`` or ``Work``, if set."""
        return content.place(self._data["labels"].get(which, ""))

    def set_label(self, which: str, place: MapPlace | None) -> None:
        """Set or delete ``Home`` or ``Work``."""
        self._data["labels"][which] = place.id if place is not None else ""

    # Searches

    def searches(self) -> tuple[str, ...]:
        """Return recent searches, latest first."""
        return tuple(self._data["searches"])

    def add_search(self, query: str) -> None:
        """Add a query to the recent searches."""
        others = [text for text in self._data["searches"] if text != query]
        self._data["searches"] = [query, *others][:_MAX_SEARCHES]

    def delete_search(self, query: str) -> None:
        """Remove a recent search."""
        self._data["searches"] = [text for text in self._data["searches"] if text != query]

    # Other data

    def offline(self) -> tuple[str, ...]:
        """Return the names of the downloaded maps."""
        return tuple(self._data["offline"])

    def set_offline(self, name: str, wanted: bool) -> None:
        """Add or delete a downloaded map."""
        others = [other for other in self._data["offline"] if other != name]
        self._data["offline"] = [*others, name] if wanted else others

    def sharing(self) -> tuple[tuple[str, str], ...]:
        """Return with whom the location is shared, and for how long."""
        return tuple((who, how_long) for who, how_long in self._data["sharing"])

    @requires_network
    def share(self, who: str, how_long: str) -> None:
        """Share the location with a person; an empty duration stops sharing."""
        others = [row for row in self._data["sharing"] if row[0] != who]
        self._data["sharing"] = [*others, [who, how_long]] if how_long else others

    def setting(self, key: str, default: Any = None) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value

    @property
    def metric(self) -> bool:
        """Whether distances are in kilometres."""
        return bool(self.setting("units", "Automatic") == "Kilometers")

    def format_distance(self, metres: float) -> str:
        """Format a distance in the user's units."""
        return content.distance_text(metres, metric=self.metric)

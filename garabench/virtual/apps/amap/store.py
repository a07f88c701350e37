"""The user's persistent state: favourites, home and company, searches, routes, settings, offline maps.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop.
"""

from __future__ import annotations

import copy
import datetime as dt
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.amap import content
from garabench.virtual.kit.maps.atlas import MapPlace

_MAX_SEARCHES = 12
_MAX_ROUTES = 30
_SCALES = {"标准": 1.0, "大": 1.15, "超大": 1.3}


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    data: dict[str, Any] = copy.deepcopy(content.load("account.json"))
    data["favorites"] = [content.named(name).id for name in data.pop("favorite_names")]
    for row in data["routes"]:
        row["end"] = content.named(row.pop("end_name")).id
    return data


@dataclass(frozen=True, slots=True)
class Trip:
    """A planned route."""

    start: MapPlace
    end: MapPlace
    mode: str
    at: dt.datetime


class AmapStore:
    """Reads and modifies the app's data; every method takes effect immediately."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    # Favourites

    def favorites(self) -> tuple[MapPlace, ...]:
        """The favourite places, latest first."""
        found = (content.place(name) for name in self._data["favorites"])
        return tuple(place for place in found if place is not None)

    def is_favorite(self, place: MapPlace) -> bool:
        """Return whether a place is a favourite."""
        return place.id in self._data["favorites"]

    def set_favorite(self, place: MapPlace, wanted: bool) -> None:
        """Add or remove a favourite."""
        others = [other for other in self._data["favorites"] if other != place.id]
        self._data["favorites"] = [place.id, *others] if wanted else others
        if not wanted:
            self._data["notes"].pop(place.id, None)

    def note_of(self, place: MapPlace) -> str:
        """Return the user's name of a favourite; empty if there is none."""
        return str(self._data["notes"].get(place.id, ""))

    def set_note(self, place: MapPlace, text: str) -> None:
        """Rename a favourite; an empty name restores the place's own."""
        if text.strip():
            self._data["notes"][place.id] = text.strip()
        else:
            self._data["notes"].pop(place.id, None)

    def shortcut(self, which: str) -> MapPlace | None:
        """Return ``home`` or ``company``, if set."""
        return content.place(self._data[which]) if self._data[which] else None

    def set_shortcut(self, which: str, place: MapPlace | None) -> None:
        """Set or delete ``home`` or ``company``."""
        self._data[which] = place.id if place is not None else ""

    # History

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

    def clear_searches(self) -> None:
        """Clear the recent searches."""
        self._data["searches"] = []

    def trips(self) -> tuple[Trip, ...]:
        """The planned routes, latest first."""
        result = []
        for row in self._data["routes"]:
            start, end = content.place(row["start"]), content.place(row["end"])
            if start is not None and end is not None:
                result.append(Trip(start, end, row["mode"], dt.datetime.fromisoformat(row["at"])))
        return tuple(result)

    def add_trip(self, start: MapPlace, end: MapPlace, mode: str, at: dt.datetime) -> None:
        """Add a route to the history."""
        row = {"start": start.id, "end": end.id, "mode": mode, "at": at.isoformat()}
        same = ("start", "end", "mode")
        others = [old for old in self._data["routes"] if any(old[key] != row[key] for key in same)]
        self._data["routes"] = [row, *others][:_MAX_ROUTES]

    def delete_trip(self, trip: Trip) -> None:
        """Delete a route from the history."""
        removed = (trip.start.id, trip.end.id, trip.mode)
        rows = self._data["routes"]
        self._data["routes"] = [row for row in rows if (row["start"], row["end"], row["mode"]) != removed]

    def clear_trips(self) -> None:
        """Clear the history of routes."""
        self._data["routes"] = []

    # Other data

    def offline(self) -> tuple[str, ...]:
        """The cities with downloaded maps."""
        return tuple(self._data["offline"])

    def set_offline(self, city: str, wanted: bool) -> None:
        """Add or delete a city's downloaded map."""
        others = [name for name in self._data["offline"] if name != city]
        self._data["offline"] = [*others, city] if wanted else others

    @property
    def plate(self) -> str:
        """The car's plate, such as ``沪A12345``; empty if none is set."""
        return str(self._data["plate"])

    def set_plate(self, plate: str) -> None:
        """Set the car's plate; an empty one deletes it."""
        self._data["plate"] = plate

    @property
    def profile(self) -> dict[str, str]:
        """The user's name and mileage."""
        profile: dict[str, str] = self._data["profile"]
        return profile

    def is_read(self, message: str) -> bool:
        """Return whether a message has been read."""
        return message in self._data["read"]

    def mark_read(self, message: str) -> None:
        """Mark a message as read."""
        if message not in self._data["read"]:
            self._data["read"].append(message)

    def setting(self, key: str, default: Any = None) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value

    @property
    def font_scale(self) -> float:
        """The font scale of the app."""
        return _SCALES.get(str(self.setting("font", "标准")), 1.0)

"""The app's content: its atlas, the phone's location, place search, and distance formats."""

from __future__ import annotations

import datetime as dt
import functools
import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from garabench.core.seeds import generator
from garabench.virtual.kit.maps.atlas import Atlas, MapPlace, atlas
from garabench.virtual.kit.maps.driving_routes import Route
from garabench.virtual.kit.maps.geo import LatLon, metres_between

HERE = LatLon(37.7867, -122.4100)
"""The phone's location: in San Francisco, two blocks west of Union Square."""
MINE = "me"
MY_PLACE = "Your location"
METRES_PER_MILE = 1609.344
TOLLED = frozenset({"Bay Bridge", "Golden Gate Bridge"})
_CLASSES = {
    "Restaurants": ("美食", ("restaurant", "restaurants", "food", "dinner", "lunch")),
    "Coffee": ("咖啡", ("coffee", "cafe", "cafes", "coffee shop", "coffee shops")),
    "Hotels": ("酒店", ("hotel", "hotels", "hostel", "lodging")),
    "Gas": ("加油站", ("gas", "gas station", "gas stations", "petrol")),
    "Groceries": ("超市", ("grocery", "groceries", "supermarket", "supermarkets")),
    "Parking": ("停车场", ("parking", "parking garage", "parking garages")),
    "Pharmacies": ("药店", ("pharmacy", "pharmacies", "drugstore")),
    "Hospitals": ("医院", ("hospital", "hospitals")),
    "Shopping": ("商场", ("shopping", "mall", "malls")),
    "Attractions": ("景点", ("attractions", "things to do", "attraction")),
    "Movies": ("电影院", ("movies", "movie theater", "cinema")),
    "Banks": ("银行", ("bank", "banks", "atm", "atms")),
}
CATEGORIES = tuple(_CLASSES)


def app_atlas() -> Atlas:
    """Return the map of the app: the Bay Area."""
    return atlas("sanfrancisco")


@functools.cache
def load(name: str) -> Any:
    """Read a data file; the result must not be modified."""
    source = resources.files("garabench.virtual.apps.gmaps").joinpath("content", name)
    return json.loads(source.read_text("utf-8"))


def here() -> MapPlace:
    """Return the current location as a place."""
    return MapPlace(MINE, MY_PLACE, HERE, "San Francisco", "位置", "Location", "San Francisco", "")


def place(name: str) -> MapPlace | None:
    """Return a place by its id."""
    return here() if name == MINE else app_atlas().place(name)


def named(name: str) -> MapPlace:
    """Return the first place with this full name.

    Raises:
        LookupError: No place has this name.
    """
    found = next((each for each in app_atlas().places if each.name == name), None)
    if found is None:
        raise LookupError(f"no place is called {name!r}")
    return found


def address(target: MapPlace) -> str:
    """Return street and town in one line."""
    return ", ".join(part for part in (target.address, target.district) if part)


def _words(text: str) -> list[str]:
    flat = text.casefold().replace("'", "").replace("é", "e")
    return "".join(char if char.isalnum() else " " for char in flat).split()


def _score(wanted: list[str], target: MapPlace) -> float:
    name = _words(target.name)
    if wanted == name:
        return 100
    if name[: len(wanted)] == wanted:
        return 70
    rest = name + _words(target.kind) + _words(target.address) + _words(target.district)
    if not all(any(word.startswith(each) for word in rest) for each in wanted):
        return 0
    own = sum(any(word.startswith(each) for word in name) for each in wanted)
    return 20 + 30 * own / len(wanted)


@functools.lru_cache(maxsize=512)
def search(query: str) -> tuple[MapPlace, ...]:
    """Return matching places, best first: a category nearby, or places by name, kind and address."""
    wanted = _words(query)
    if not wanted:
        return ()
    flat = " ".join(wanted)
    places = app_atlas().places
    for label, (category, words) in _CLASSES.items():
        if flat in words or flat == label.casefold():
            found = [each for each in places if each.category == category]
            return tuple(sorted(found, key=lambda each: metres_between(each.at, HERE) - each.rating * 300))
    scored = [(_score(wanted, each), each) for each in places]
    matching = [pair for pair in scored if pair[0]]
    matching.sort(key=lambda pair: (-pair[0], -pair[1].reviews))
    return tuple(each for _, each in matching)


def is_open(target: MapPlace, now: dt.datetime) -> bool | None:
    """Return whether a place is open now; None if its hours are unknown."""
    if not target.hours:
        return None
    start, end = target.hours.split("-")
    return start <= now.strftime("%H:%M") < end


def clock_text(text: str) -> str:
    """Format an hour of the day in American notation: ``9:30 AM``, ``5 PM``."""
    hour, minute = int(text[:2]) % 24, text[3:]
    shown = hour % 12 or 12
    return f"{shown}{'' if minute == '00' else ':' + minute} {'AM' if hour < 12 else 'PM'}"


def hours_text(target: MapPlace, now: dt.datetime) -> tuple[str, str]:
    """Return whether a place is open, and until or from when: ``("Open", "Closes 5 PM")``."""
    if not target.hours:
        return "", ""
    start, end = target.hours.split("-")
    if target.hours == "00:00-24:00":
        return "Open 24 hours", ""
    if is_open(target, now):
        return "Open", f"Closes {clock_text(end)}"
    return "Closed", f"Opens {clock_text(start)}"


def price_text(target: MapPlace) -> str:
    """Format the price per person: ``$10–20``; for hotels, per night."""
    if target.price is None:
        return ""
    if target.category == "酒店":
        return f"${target.price}"
    low = target.price // 10 * 10
    return f"${low or 1}–{low + 10}"


def distance_text(metres: float, *, metric: bool) -> str:
    """Format a distance: ``0.4 mi``, ``350 ft``, ``2.1 km``."""
    if metric:
        return f"{round(metres)} m" if metres < 1000 else f"{metres / 1000:.1f} km"
    miles = metres / METRES_PER_MILE
    return f"{round(metres * 3.2808 / 50) * 50 or 50} ft" if miles < 0.1 else f"{miles:.1f} mi"


def duration_text(seconds: float) -> str:
    """Format a duration: ``25 min``, ``1 hr 8 min``."""
    hours, minutes = divmod(max(1, round(seconds / 60)), 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} hr {minutes} min" if minutes else f"{hours} hr"


def is_tolled(route: Route) -> bool:
    """Return whether a route has tolls."""
    return any(step.road in TOLLED for step in route.steps)


@dataclass(frozen=True, slots=True)
class GmapsReview:
    """A review of a place."""

    author: str
    stars: int
    text: str
    age: str


@functools.lru_cache(maxsize=256)
def reviews_of(target: MapPlace) -> tuple[GmapsReview, ...]:
    """Return a place's reviews, the same in every call."""
    pools = load("reviews.json")
    chance = generator(0, "gmaps-reviews", target.id)
    texts = list(pools["food" if target.category in ("美食", "咖啡") else "places"])
    chance.shuffle(texts)
    names = list(pools["names"])
    chance.shuffle(names)
    result = []
    for author, text in zip(names, texts, strict=False):
        weeks = chance.randrange(1, 40)
        age = "a week ago" if weeks == 1 else f"{weeks} weeks ago"
        result.append(GmapsReview(author, chance.choice((5, 5, 4, 4, 3)), text, age))
    return tuple(result)

"""Place search by name, category or distance, with sorting and filters; pure."""

from __future__ import annotations

import enum
import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.virtual.kit.maps.atlas import Atlas, MapPlace
from garabench.virtual.kit.maps.geo import LatLon, metres_between

_MIN_SHARE = 0.75
"""Share of a query's letter pairs that a name must contain to match."""
_CATEGORY_SCORE = 40.0
"""Score of a place whose category or tag equals the query; they are only searched in the current city."""
_WORDS = {
    "美食": ("美食", "餐厅", "吃饭", "饭店", "餐馆"),
    "酒店": ("酒店", "宾馆", "住宿", "旅馆"),
    "景点": ("景点", "旅游景点", "公园"),
    "咖啡": ("咖啡", "咖啡厅", "咖啡馆"),
    "停车场": ("停车", "停车场"),
    "加油站": ("加油", "加油站"),
    "充电站": ("充电", "充电桩", "充电站"),
    "公共厕所": ("厕所", "卫生间", "洗手间", "公共厕所"),
    "超市": ("超市", "便利店"),
    "药店": ("药店", "药房"),
    "银行": ("银行", "atm"),
    "医院": ("医院",),
    "电影院": ("电影院", "影院", "电影"),
    "商场": ("商场", "购物", "购物中心"),
    "地铁站": ("地铁站", "地铁"),
}


class ResultOrder(enum.Enum):
    """Sort orders of the results."""

    SMART = "智能排序"
    NEAREST = "距离优先"
    BEST = "好评优先"
    CHEAPEST = "低价优先"
    DEAREST = "高价优先"


@dataclass(frozen=True, slots=True)
class PlaceFilters:
    """Filters of the results.

    Attributes:
        within: Maximum distance in metres; None for any.
        kind: A subcategory such as ``火锅``; empty for any.
        rating: Minimum rating.
        max_price: Maximum price; None for any.
        min_price: Minimum price; None for any.
        tags: Required tags.
    """

    within: int | None = None
    kind: str = ""
    rating: float = 0
    min_price: int | None = None
    max_price: int | None = None
    tags: frozenset[str] = frozenset()

    @property
    def active(self) -> int:
        """The number of active filters, except sort order and subcategory."""
        return bool(self.rating) + (self.min_price is not None or self.max_price is not None) + len(self.tags)

    def matches(self, place: MapPlace, here: LatLon) -> bool:
        """Return whether a place passes the filters."""
        priced = self.min_price is None and self.max_price is None
        if not priced and place.price is not None:
            priced = (
                (self.min_price or 0)
                <= place.price
                <= (self.max_price if self.max_price is not None else 10**9)
            )
        return (
            (self.within is None or metres_between(place.at, here) <= self.within)
            and (not self.kind or place.kind == self.kind)
            and place.rating >= self.rating
            and priced
            and self.tags <= set(place.tags)
        )


@functools.lru_cache(maxsize=4096)
def fold_query(text: str) -> str:
    """Normalize a text for search: case-folded, without spaces and punctuation."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in flat if char.isalnum())


def category_of(query: str) -> str:
    """Return the category that a query names; empty if it names none."""
    wanted = fold_query(query)
    return next((name for name, words in _WORDS.items() if wanted in words), "")


def _score(wanted: str, place: MapPlace) -> float:
    """Return how well a place's name matches; 0 if it does not."""
    name = fold_query(place.name)
    if wanted == name:
        return 100
    if name.startswith(wanted):
        return 60
    if wanted in name:
        return 50
    if wanted == fold_query(place.kind) or wanted in map(fold_query, place.tags):
        return _CATEGORY_SCORE
    if wanted in fold_query(place.address) or wanted == fold_query(place.district):
        return 25
    if name in wanted and len(name) >= 3:
        return 30
    pairs = {wanted[at : at + 2] for at in range(len(wanted) - 1)}
    if len(pairs) < 2:
        return 0
    text = name + fold_query(place.kind)
    share = sum(pair in text for pair in pairs) / len(pairs)
    return 20 * share if share >= _MIN_SHARE else 0


def _rank(place: MapPlace) -> float:
    """Return the rank of well-known places among equally good matches."""
    if place.kind == "校门" or "-" in place.name:
        return -3
    weights = {"学校": 6.0, "景点": 6.0, "交通": 6.0, "商圈": 7.0, "医院": 3.0, "地铁站": 2.0}
    return weights.get(place.category, 0.0) + place.rating / 5


@functools.lru_cache(maxsize=256)
def search(atlas: Atlas, query: str, here: LatLon) -> tuple[MapPlace, ...]:
    """Return matching places, best first: in the current city, and elsewhere by name only.

    Args:
        atlas: The map.
        query: A name, a category or an address.
        here: The current location.
    """
    wanted = fold_query(query)
    if not wanted:
        return ()
    own = atlas.city_at(here)
    kinds = {fold_query(place.kind) for place in own.places}
    if category := category_of(query):
        return around(atlas, category, here)
    for city in atlas.cities:
        short = fold_query(city.short)
        if wanted.startswith(short) and category_of(wanted.removeprefix(short)):
            return around(atlas, category_of(wanted.removeprefix(short)), city.center)
    found = []
    for place in atlas.places:
        score = _score(wanted, place)
        by_kind = score == _CATEGORY_SCORE or wanted in kinds
        if score == 0 or (by_kind and place.city != own.name):
            continue
        away = metres_between(place.at, here) / 1000
        near = 8.0 if place.city == own.name else 0.0
        found.append((score + near + _rank(place) - min(away, 50) / 25, place))
    found.sort(key=lambda pair: -pair[0])
    return tuple(place for _, place in found)


def around(atlas: Atlas, category: str, here: LatLon) -> tuple[MapPlace, ...]:
    """Return the places of a category in the city of a point, near and well rated first."""
    own = atlas.city_at(here)
    found = [place for place in own.places if place.category == category]
    return tuple(sorted(found, key=lambda p: metres_between(p.at, here) / 1000 - p.rating * 0.8))


def arrange(
    found: Sequence[MapPlace], order: ResultOrder, filters: PlaceFilters, here: LatLon, *, strict: bool = True
) -> tuple[MapPlace, ...]:
    """Return the places that pass the filters, sorted; ``strict=False`` only sorts."""
    matching = [place for place in found if not strict or filters.matches(place, here)]
    match order:
        case ResultOrder.NEAREST:
            matching.sort(key=lambda place: metres_between(place.at, here))
        case ResultOrder.BEST:
            matching.sort(key=lambda place: -place.rating)
        case ResultOrder.CHEAPEST:
            matching.sort(key=lambda place: (place.price is None, place.price or 0))
        case ResultOrder.DEAREST:
            matching.sort(key=lambda place: -(place.price or 0))
        case ResultOrder.SMART:
            pass
    return tuple(matching)


def suggestions(atlas: Atlas, typed: str, here: LatLon, limit: int = 12) -> tuple[MapPlace, ...]:
    """Return suggestions: places whose names start with or contain the text."""
    wanted = fold_query(typed)
    if not wanted:
        return ()
    found = search(atlas, typed, here)
    first = [place for place in found if wanted in fold_query(place.name)]
    return tuple([*first, *(place for place in found if place not in first)][:limit])


@functools.lru_cache(maxsize=256)
def nearby(atlas: Atlas, place: MapPlace, limit: int = 6) -> tuple[MapPlace, ...]:
    """Return the places nearby, nearest first, without stations."""
    own = atlas.city_at(place.at)
    others = [
        each for each in own.places if each.id != place.id and each.category not in ("地铁站", "公共厕所")
    ]
    return tuple(sorted(others, key=lambda each: metres_between(each.at, place.at))[:limit])


def place_at(atlas: Atlas, point: LatLon, within: float) -> MapPlace | None:
    """Return the place nearest to a point of the map, at most that many metres away."""
    own = atlas.city_at(point)
    best = min(own.places, key=lambda each: metres_between(each.at, point), default=None)
    return best if best is not None and metres_between(best.at, point) <= within else None


def address_of(atlas: Atlas, point: LatLon) -> str:
    """Describe a point by its district and what is nearby."""
    own = atlas.city_at(point)
    near = min(own.places, key=lambda each: metres_between(each.at, point), default=None)
    return f"{own.name}{near.district}{near.name}附近" if near is not None else own.name

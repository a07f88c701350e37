from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.atlas import RoadKind, atlas, city
from garabench.virtual.kit.maps.driving_routes import links
from garabench.virtual.kit.maps.geo import metres_between

CITIES = ("shanghai", "beijing", "chengdu", "guangzhou")
ATLAS = atlas(*CITIES)


@pytest.mark.parametrize("name", CITIES)
def test_a_citys_data_is_consistent(name: str) -> None:
    found = city(name)
    assert found.id == name
    assert found.short + "市" == found.name
    assert {road.kind for road in found.roads} == set(RoadKind)
    assert all(len(road.points) >= 2 for road in found.roads)
    for line in found.lines:
        assert line.kind in ("metro", "bus")
        assert len(line.stops) >= 3
        assert 0 < line.every <= 30
        assert line.first < line.last
    for place in found.places:
        assert metres_between(place.at, found.center) < 60_000
        assert 0 < place.rating <= 5
        assert place.city == found.name
        assert place.name == place.name.strip()


def test_ids_and_names_are_unique() -> None:
    places = ATLAS.places
    assert len({place.id for place in places}) == len(places) > 400
    assert len({place.name for place in places}) == len(places)
    assert ATLAS.place(places[7].id) is places[7]
    assert ATLAS.place("nowhere") is None


def test_lists_exceed_a_screen() -> None:
    own = city("shanghai").places
    for category, least in (("美食", 40), ("酒店", 15), ("咖啡", 12), ("地铁站", 60), ("停车场", 12)):
        assert sum(place.category == category for place in own) >= least


def test_trains_connect_existing_places() -> None:
    names = {each.id: {place.name for place in each.places} for each in ATLAS.cities}
    for row in links()["rails"]:
        start, end = row["cities"]
        assert row["from"] in names[start]
        assert row["to"] in names[end]
    assert len(links()["roads"]) == 6  # each pair of cities

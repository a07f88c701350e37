from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.atlas import MapPlace, atlas
from garabench.virtual.kit.maps.geo import LatLon, metres_between, offset
from garabench.virtual.kit.maps.place_search import (
    PlaceFilters,
    ResultOrder,
    address_of,
    around,
    arrange,
    category_of,
    fold_query,
    nearby,
    place_at,
    search,
    suggestions,
)

ATLAS = atlas("shanghai", "beijing", "chengdu", "guangzhou")
HERE = LatLon(31.2722, 121.4960)
NAMED = {place.name: place for place in ATLAS.places}


def names(query: str) -> list[str]:
    return [place.name for place in search(ATLAS, query, HERE)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("同济大学", "同济大学(四平路校区)"),
        ("同济大学四平校区", "同济大学(四平路校区)"),
        ("同济大学嘉定校区", "同济大学(嘉定校区)"),
        ("北京大学", "北京大学"),
        ("颐和园", "颐和园"),
        ("海底捞火锅 (西单店)", "海底捞火锅(西单店)"),
        ("上海博物馆（人民广场馆）", "上海博物馆(人民广场馆)"),
        ("徐家汇", "徐家汇"),
        ("广州塔", "广州塔"),
        ("四平路1239号", "同济大学(四平路校区)"),
    ],
)
def test_the_first_result(query: str, first: str) -> None:
    assert names(query)[0] == first


@pytest.mark.parametrize("query", ["", "  ", "zzz", "不存在的地方啊"])
def test_no_results(query: str) -> None:
    assert names(query) == []


@pytest.mark.parametrize(
    ("query", "category"),
    [("酒店", "酒店"), ("吃饭", "美食"), ("卫生间", "公共厕所"), ("ATM", "银行"), ("同济", "")],
)
def test_category_of(query: str, category: str) -> None:
    assert category_of(query) == category


def test_categories_are_searched_in_the_current_city() -> None:
    assert {place.city for place in search(ATLAS, "酒店", HERE)} == {"上海市"}
    assert {place.city for place in search(ATLAS, "火锅", HERE)} == {"上海市"}
    assert {place.city for place in search(ATLAS, "北京酒店", HERE)} == {"北京市"}


def test_branches_are_found_together() -> None:
    assert {"四川大学(望江校区)", "四川大学(江安校区)", "四川大学(华西校区)"} <= set(names("四川大学"))


@pytest.mark.parametrize(
    ("order", "key"),
    [
        (ResultOrder.NEAREST, lambda place: metres_between(place.at, HERE)),
        (ResultOrder.BEST, lambda place: -place.rating),
        (ResultOrder.CHEAPEST, lambda place: place.price),
        (ResultOrder.DEAREST, lambda place: -place.price),
    ],
)
def test_sort_orders(order: ResultOrder, key: object) -> None:
    found = arrange(search(ATLAS, "酒店", HERE), order, PlaceFilters(), HERE)
    assert callable(key)
    values = [key(place) for place in found]
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        (PlaceFilters(within=1000), lambda p: metres_between(p.at, HERE) <= 1000),
        (PlaceFilters(rating=4.5), lambda p: p.rating >= 4.5),
        (PlaceFilters(kind="商务酒店"), lambda p: p.kind == "商务酒店"),
        (PlaceFilters(min_price=300, max_price=500), lambda p: 300 <= p.price <= 500),
        (PlaceFilters(min_price=500), lambda p: p.price >= 500),
        (PlaceFilters(tags=frozenset({"含早餐"})), lambda p: "含早餐" in p.tags),
    ],
)
def test_filters(filters: PlaceFilters, fits: object) -> None:
    every = search(ATLAS, "酒店", HERE)
    assert callable(fits)
    kept = arrange(every, ResultOrder.SMART, filters, HERE)
    assert kept == tuple(place for place in every if fits(place))
    assert 0 < len(kept) < len(every)


def test_active_filters_are_counted() -> None:
    assert PlaceFilters().active == 0
    assert PlaceFilters(rating=4.0, min_price=1, tags=frozenset({"a", "b"})).active == 4
    assert PlaceFilters(within=500, kind="火锅").active == 0  # they have their own buttons on the bar


def test_price_filters_exclude_places_without_a_price() -> None:
    unpriced = MapPlace("x", "x", HERE, "上海市", "美食", "火锅", "", "")
    assert not PlaceFilters(max_price=100).matches(unpriced, HERE)


def test_suggestions_start_with_the_text() -> None:
    found = suggestions(ATLAS, "同济", HERE)
    assert found
    assert all("同济" in place.name for place in found)
    assert suggestions(ATLAS, " ", HERE) == ()
    assert len(suggestions(ATLAS, "大学", HERE)) == 12


def test_nearby() -> None:
    place = NAMED["和平公园"]
    near = nearby(ATLAS, place)
    assert place not in near
    away = [metres_between(each.at, place.at) for each in near]
    assert away == sorted(away)
    assert len(around(ATLAS, "咖啡", HERE)) >= 12


def test_place_at_finds_the_nearest_place() -> None:
    park = NAMED["鲁迅公园"]
    assert place_at(ATLAS, offset(park.at, 8, 5), 40) is park
    assert place_at(ATLAS, offset(park.at, 40_000, 0), 40) is None
    assert address_of(ATLAS, park.at) == "上海市虹口区鲁迅公园附近"


def test_folding() -> None:
    assert fold_query("海底捞火锅 （西单店）") == fold_query("海底捞火锅(西单店)")

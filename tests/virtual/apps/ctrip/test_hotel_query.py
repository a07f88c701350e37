from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.ctrip.hotel_query import (
    MAX_PRICE,
    HotelFilters,
    HotelQuery,
    HotelSortOrder,
    arrange_hotels,
    hotel_query_of,
    landmark_of,
    price_text,
    search,
)

TODAY = dt.date(2024, 5, 20)
QUERY = HotelQuery("成都", dt.date(2024, 6, 7), dt.date(2024, 6, 9), keyword="春熙路")


@given(
    st.sampled_from(["上海", "成都"]),
    st.dates(TODAY, dt.date(2024, 9, 1)),
    st.integers(1, 20),
    st.integers(1, 9),
    st.integers(1, 20),
    st.integers(0, 6),
    st.frozensets(st.integers(2, 5)),
)
def test_a_query_round_trips_through_an_intent(
    city: str, start: dt.date, nights: int, rooms: int, adults: int, children: int, stars: frozenset[int]
) -> None:
    end = start + dt.timedelta(days=nights)
    query = HotelQuery(city, start, end, rooms, adults, children, "外滩", 150, 300, stars)
    assert hotel_query_of(query.extras(), TODAY) == query


@pytest.mark.parametrize(
    "extras",
    [
        {},
        {"start": "soon", "end": "2024-01-01", "city": "火星"},
        {"start": "2024-06-09", "end": "2024-06-07"},
    ],
)
def test_invalid_values_get_the_defaults(extras: dict[str, str]) -> None:
    query = hotel_query_of(extras, TODAY)
    assert query.city == "上海"
    assert query.nights == 1


def test_results_near_a_landmark_show_their_distance() -> None:
    found = search(QUERY)
    assert found
    assert all(one.km <= 12 and one.distance.startswith("距春熙路直线") for one in found)
    nearest = arrange_hotels(found, HotelSortOrder.NEAR, HotelFilters())
    assert [one.km for one in nearest] == sorted(one.km for one in found)


@pytest.mark.parametrize(
    ("keyword", "place"),
    [("春熙路", "春熙路"), ("成都春熙路", "春熙路"), ("宽窄巷子", "宽窄巷子"), ("外滩", ""), ("", "")],
)
def test_landmark_of(keyword: str, place: str) -> None:
    found = landmark_of(keyword, "成都")
    assert (found.name if found else "") == place


def test_sort_orders() -> None:
    found = search(QUERY)
    cheap = arrange_hotels(found, HotelSortOrder.CHEAP, HotelFilters())
    assert [one.hotel.price for one in cheap] == sorted(one.hotel.price for one in found)
    assert arrange_hotels(found, HotelSortOrder.DEAR, HotelFilters())[0].hotel.price == cheap[-1].hotel.price
    scores = [one.hotel.score for one in arrange_hotels(found, HotelSortOrder.SCORE, HotelFilters())]
    assert scores == sorted(scores, reverse=True)
    assert arrange_hotels(found, HotelSortOrder.SMART, HotelFilters()) == found


def test_filters() -> None:
    found = search(QUERY)
    matching = arrange_hotels(
        found, HotelSortOrder.SMART, HotelFilters(breakfast=True, cancel=True, score=4.8)
    )
    assert 0 < len(matching) < len(found)
    assert all(one.hotel.breakfast and one.hotel.cancel and one.hotel.score >= 4.8 for one in matching)
    assert not arrange_hotels(found, HotelSortOrder.SMART, HotelFilters(tags=frozenset({"滑雪"})))


def test_price_and_stars() -> None:
    query = replace(QUERY, low=300, high=600, stars=frozenset({3, 4}))
    assert {one.hotel.stars for one in search(query)} <= {3, 4}
    assert all(300 <= one.hotel.price <= 600 for one in search(query))
    assert price_text(query) == "¥300-600，三星/舒适，四星/高档"
    assert price_text(replace(query, low=1000, high=MAX_PRICE, stars=frozenset())) == "¥1000以上"
    assert price_text(QUERY) == ""


def test_a_hotels_name_finds_it() -> None:
    found = search(replace(QUERY, keyword="亚朵"))
    assert {one.hotel.name for one in found} == {"亚朵酒店(成都春熙路太古里店)"}
    assert not search(replace(QUERY, keyword="没有这家"))


def test_words_match_anywhere_in_a_name() -> None:
    found = search(replace(QUERY, city="上海", keyword="全季 虹桥"))
    assert {one.hotel.name for one in found} >= {"全季酒店(上海虹桥机场店)", "全季酒店(上海虹桥火车站店)"}
    assert not search(replace(QUERY, city="上海", keyword="全季 春熙路"))

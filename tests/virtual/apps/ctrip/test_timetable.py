from __future__ import annotations

import datetime as dt
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.virtual.apps.ctrip.content import cities
from garabench.virtual.apps.ctrip.timetable import clock, day_mark, duration_text, flights, trains
from garabench.virtual.apps.ctrip.train_query import TrainFilters, TrainSort, arrange_trains

DAY = dt.date(2024, 6, 6)
NAMES = st.sampled_from(sorted(cities()))
DAYS = st.dates(dt.date(2024, 5, 20), dt.date(2024, 8, 1))


@given(NAMES, NAMES, DAYS)
@settings(max_examples=60, deadline=None)
def test_flights_are_plausible(start: str, end: str, day: dt.date) -> None:
    found = flights(start, end, day)
    assert found == flights(start, end, day)
    assert [one.depart for one in found] == sorted(one.depart for one in found)
    for one in found:
        assert one.depart < one.arrive
        assert 150 <= one.price < one.business
        assert one.start.startswith(start)
        assert one.end.startswith(end)
        assert one.via not in (start, end)
        assert not one.via or one.via in cities()


@given(NAMES, NAMES, DAYS)
@settings(max_examples=60, deadline=None)
def test_trains_are_plausible(start: str, end: str, day: dt.date) -> None:
    for one in trains(start, end, day):
        assert one.depart < one.arrive
        assert one.start in cities()[start].stations
        assert one.end in cities()[end].stations
        assert len({seat.price for seat in one.seats}) == len(one.seats)
        assert one.fast == (one.number[0] in "GDC")


def test_a_station_lists_only_its_own_trains() -> None:
    every = trains("上海", "北京", DAY)
    some = trains("上海虹桥", "北京南", DAY)
    assert set(some) <= set(every)
    assert {(one.start, one.end) for one in some} == {("上海虹桥", "北京南")}


@pytest.mark.parametrize(("start", "end"), [("上海", "上海"), ("上海", "上海虹桥"), ("上海", "火星")])
def test_no_connections_within_a_city(start: str, end: str) -> None:
    assert trains(start, end, DAY) == ()
    assert flights(start, end, DAY) == ()


def test_cities_without_an_airport_have_no_flights() -> None:
    assert flights("苏州", "北京", DAY) == ()


def test_only_fares_differ_between_days() -> None:
    days = [flights("上海", "北京", DAY + dt.timedelta(days=number)) for number in range(4)]
    assert len({tuple(one.number for one in day) for day in days}) == 1
    assert len({tuple(one.price for one in day) for day in days}) == 4


@pytest.mark.parametrize("order", list(TrainSort))
def test_trains_are_sorted(order: TrainSort) -> None:
    found = arrange_trains(trains("广州南", "长沙南", DAY), order, TrainFilters())
    keys = {
        TrainSort.EARLY: [one.depart for one in found],
        TrainSort.LATE: [-one.depart for one in found],
        TrainSort.SHORT: [one.arrive - one.depart for one in found],
        TrainSort.CHEAP: [one.price for one in found],
    }[order]
    assert keys == sorted(keys)
    assert len(found) > 5


def test_trains_are_filtered() -> None:
    every = trains("杭州", "南京", DAY)
    assert all(one.fast for one in arrange_trains(every, TrainSort.EARLY, TrainFilters(fast=True)))
    noon = arrange_trains(every, TrainSort.EARLY, TrainFilters(hours=frozenset({"12:00-18:00"})))
    assert noon
    assert all(720 <= one.depart < 1080 for one in noon)
    other = arrange_trains(every, TrainSort.EARLY, TrainFilters(stations=frozenset({"杭州"})))
    assert {one.start for one in other} == {"杭州"}


@pytest.mark.parametrize(
    ("minutes", "time", "mark"), [(0, "00:00", ""), (485, "08:05", ""), (1441, "00:01", "+1天")]
)
def test_clock(minutes: int, time: str, mark: str) -> None:
    assert (clock(minutes), day_mark(minutes)) == (time, mark)


@pytest.mark.parametrize(("minutes", "text"), [(45, "45分"), (60, "1时00分"), (135, "2时15分")])
def test_duration_text(minutes: int, text: str) -> None:
    assert duration_text(minutes) == text


def test_every_pair_of_large_cities_is_served() -> None:
    large = [name for name, city in cities().items() if city.hot and city.airports][:8]
    for start, end in itertools.permutations(large, 2):
        assert trains(start, end, DAY)

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.virtual.apps.ctrip import flight_query, hotel_query, names, train_query
from garabench.virtual.apps.ctrip.app import APP
from garabench.virtual.apps.ctrip.extras import day, flag, number
from tests.virtual.apps.ctrip.robot import Robot

TODAY = dt.date(2024, 5, 20)
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12), st.dates().map(str)
)
KEYS = (
    "city",
    "start",
    "end",
    "rooms",
    "adults",
    "children",
    "keyword",
    "low",
    "high",
    "stars",
    "day",
    "back",
    "cabin",
    "infants",
    "fast",
    "student",
    "tab",
    "text",
    "query",
    "kind",
    "page",
    "order",
    "out",
    "home",
    "fare",
    "train",
    "seat",
    "hotel",
    "room",
    "offer",
    "sight",
    "ticket",
    "tour",
    "traveller",
    "name",
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3),
        ("3", 3),
        ("three", 2),
        (-1, 1),
        (10**12, 9),
        ("99999999999", 2),
        (None, 2),
        (float("nan"), 2),
        (4.7, 4),
    ],
)
def test_number(value: Any, expected: int) -> None:
    assert number({"n": value}, "n", 2, 1, 9) == expected
    assert number({}, "n", 2, 1, 9) == 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2024-06-05", dt.date(2024, 6, 5)),
        ("2024-05-20", TODAY),
        ("2024-05-19", None),
        ("9999-12-31", None),
        ("soon", None),
        (7, None),
    ],
)
def test_day(text: Any, found: dt.date | None) -> None:
    assert day({"d": text}, "d", TODAY) == found


@pytest.mark.parametrize(
    ("value", "on"), [(True, True), ("true", True), ("1", True), ("false", False), (None, False)]
)
def test_flag(value: Any, on: bool) -> None:
    assert flag({"f": value}, "f") is on


@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING))
def test_any_intent_yields_a_valid_query(extras: dict[str, Any]) -> None:
    hotel = hotel_query.hotel_query_of(extras, TODAY)
    assert 1 <= hotel.nights <= 366
    hotel_query.search(hotel)
    flight = flight_query.flight_query_of(extras, TODAY)
    assert flight.back is None or flight.back >= flight.day
    assert train_query.train_query_of(extras, TODAY).day >= TODAY


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot("android-19:720x1280")


@given(
    st.sampled_from(sorted(APP.activities.keys() - {names.LINKS})),
    st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=6),
)
@settings(max_examples=60, deadline=None)
def test_any_intent_opens_a_page(robot: Robot, activity: str, extras: dict[str, Any]) -> None:
    robot.open(activity, **extras)
    assert robot.front == activity
    robot.facts()

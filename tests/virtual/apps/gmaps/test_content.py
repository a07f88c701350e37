from __future__ import annotations

import datetime as dt

import pytest

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.store import GmapsStore, initial_data

MORNING = dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("golden gate bridge", "Golden Gate Bridge"),
        ("Golden Gate", "Golden Gate Bridge"),
        ("apple park", "Apple Park"),
        ("de young", "de Young Museum"),
        ("fishermans wharf", "Fisherman's Wharf"),
        ("paper lantern cafe", "Paper Lantern Café"),
        ("820 jackson", "Bayside Noodle House"),
    ],
)
def test_the_first_result(query: str, first: str) -> None:
    assert content.search(query)[0].name == first


def test_a_category_finds_only_its_places() -> None:
    assert {place.category for place in content.search("Coffee")} == {"咖啡"}
    assert content.search("coffee shops") == content.search("coffee")


@pytest.mark.parametrize("query", ["", "  ", "zzzz", "'"])
def test_nonsense_has_no_results(query: str) -> None:
    assert content.search(query) == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Golden Gate Bridge", ("Open 24 hours", "")),
        ("de Young Museum", ("Open", "Closes 5:15 PM")),
        ("Coit Tower", ("Closed", "Opens 10 AM")),
        ("Chinatown", ("", "")),
    ],
)
def test_hours_text(name: str, expected: tuple[str, str]) -> None:
    assert content.hours_text(content.named(name), MORNING) == expected


@pytest.mark.parametrize(
    ("metres", "metric", "text"),
    [(50, False, "150 ft"), (1609.344, False, "1.0 mi"), (350, True, "350 m"), (2100, True, "2.1 km")],
)
def test_distances_follow_the_units(metres: float, metric: bool, text: str) -> None:
    assert content.distance_text(metres, metric=metric) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(10, "1 min"), (1500, "25 min"), (3600, "1 hr"), (4080, "1 hr 8 min")]
)
def test_durations(seconds: float, text: str) -> None:
    assert content.duration_text(seconds) == text


def test_lists_are_created_renamed_and_deleted() -> None:
    store = GmapsStore(initial_data())
    place = content.named("Exploratorium")
    assert store.add_list(" Trip ")
    assert not store.add_list("Trip")
    assert not store.add_list("  ")
    store.set_saved("Trip", place, True)
    store.set_note(place, "Go early")
    assert store.saved_in(place) == ("Trip",)
    assert not store.rename_list("Trip", "Favorites")
    assert store.rename_list("Trip", "Journey")
    store.set_saved("Journey", place, False)
    assert store.note_of(place) == ""
    store.delete_list("Journey")
    assert store.list_named("Journey") is None


def test_an_unknown_name_raises() -> None:
    with pytest.raises(LookupError, match="Nowhere"):
        content.named("Nowhere")

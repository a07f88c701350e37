"""Google Maps from page to page: search, lists, routes, navigation and settings."""

from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.map_scene import MapStyle
from tests.virtual.apps.gmaps.robot import Robot


def test_results_are_filtered_and_sorted() -> None:
    robot = Robot()
    robot.look_for("coffee")
    every = robot.texts(id="place_title")
    robot.tap(id="filter_chip", desc="Open now")
    assert "Closed" not in robot.texts(id="place_state")
    robot.tap(id="sort_chip")
    robot.tap(id="filter_choice", text="Rating")
    assert robot.texts(id="place_title")[0] == "Lamplight Coffee"
    assert every != robot.texts(id="place_title")


def test_filters_without_results_can_be_cleared() -> None:
    robot = Robot()
    robot.look_for("gas")
    robot.tap(id="rating_chip")
    robot.tap(id="filter_choice", text="4.5+")
    assert robot.text(id="empty_text") == "No results match your filters"
    robot.tap(id="clear_filters")
    assert robot.sees(id="place_title", text="Harbor Gas & Mart")


def test_a_search_without_results() -> None:
    robot = Robot()
    robot.look_for("qqqq")
    assert robot.text(id="empty_text") == "Can't find qqqq"


def test_a_search_is_added_to_the_history() -> None:
    robot = Robot()
    robot.look_for("ramen")
    robot.stop()
    robot.tap(id="search_omnibox_text_box")
    assert robot.texts(id="row_label", inside={"id": "recent_search"})[0] == "ramen"


def test_a_single_result_opens_directly() -> None:
    robot = Robot()
    robot.look_for("Chase Center")
    assert robot.text(id="place_name") == "Chase Center"


def test_a_new_list_contains_the_place() -> None:
    robot = Robot()
    robot.visit("Coit Tower")
    robot.tap(id="save_button")
    robot.tap(id="new_list_button")
    robot.write("Views", id="edit_text")
    robot.tap(id="dialog_ok")
    assert robot.node(id="save_button").desc == "Coit Tower is saved to Views"
    robot.stop()
    robot.tab("You")
    robot.tap(id="row_label", text="Views")
    assert robot.texts(id="place_title") == ["Coit Tower"]


def test_a_list_is_renamed_and_deleted() -> None:
    robot = Robot()
    robot.tab("You")
    robot.tap(id="row_label", text="Rainy days")
    robot.tap(id="list_menu")
    robot.tap(id="rename_list")
    robot.write("Indoor fun", id="edit_text")
    robot.tap(id="dialog_ok")
    assert robot.text(id="title") == "Indoor fun"
    robot.tap(id="list_menu")
    robot.tap(id="delete_list")
    robot.tap(id="dialog_ok")
    assert not robot.sees(id="row_label", text="Indoor fun")
    assert robot.sees(id="row_label", text="Date night")


@pytest.mark.parametrize(
    ("mode", "seen"),
    [("Driving", "route_summary"), ("Transit", "transit_trip"), ("Walking", "route_summary")],
)
def test_travel_modes(mode: str, seen: str) -> None:
    robot = Robot()
    robot.route_to("Chase Center")
    robot.tap(id="mode_text", text=mode)
    assert robot.node(id="mode_text", text=mode).selected
    assert robot.sees(id=seen)


def test_start_and_end_are_swapped() -> None:
    robot = Robot()
    robot.route_to("Pier 39")
    robot.tap(id="swap_button")
    assert robot.node(id="directions_endpoint_textbox").desc == "Destination, Your location"


def test_avoiding_highways_changes_the_route_and_persists() -> None:
    robot = Robot()
    robot.route_to("Stanford University")
    before = robot.text(id="route_summary")
    robot.tap(id="route_options_button")
    robot.tap(id="route_option", text="Avoid highways")
    robot.tap(id="options_done")
    assert robot.text(id="route_summary") != before
    robot.stop()
    robot.menu("Settings")
    robot.tap(id="setting_row", has={"text": "Navigation settings"})
    assert robot.node(id="setting_switch", desc="Avoid highways").checked


def test_a_later_departure_is_shown() -> None:
    robot = Robot()
    robot.route_to("Exploratorium")
    robot.tap(id="mode_text", text="Transit")
    robot.tap(id="departure_button")
    robot.tap(id="departure_choice", text="Today, 12:00 PM")
    assert robot.node(id="departure_button").desc == "Leave at 12:00 PM"
    assert robot.text(id="transit_times", index=0).startswith("12:00 PM")


def test_navigation_starts_is_muted_and_ends() -> None:
    robot = Robot()
    robot.visit("Ferry Building")
    robot.tap(id="start_button")
    assert robot.text(id="nav_destination") == "to Ferry Building"
    robot.tap(id="sound_button")
    robot.tap(id="sound_choice", text="Muted")
    assert robot.node(id="sound_button").desc == "Sound: Muted"
    robot.tap(id="exit_navigation")
    assert robot.text(id="place_name") == "Ferry Building"


def test_layers_change_the_map() -> None:
    robot = Robot()
    robot.tap(desc="Layers")
    robot.tap(id="map_type_item", desc="Satellite")
    robot.tap(id="map_detail_item", desc="Traffic")
    assert robot.activity.style is MapStyle.SATELLITE
    assert robot.activity.traffic
    assert robot.node(id="map_detail_item_text", text="Traffic").selected


def test_distances_use_the_chosen_units() -> None:
    robot = Robot()
    robot.menu("Settings")
    robot.tap(id="setting_row", has={"text": "Distance units"})
    robot.tap(id="setting_choice", text="Kilometers")
    robot.back()
    robot.visit("Coit Tower")
    assert robot.text(id="place_kind").endswith("km")


def test_offline_pages_can_be_retried() -> None:
    robot = Robot()
    robot.look_for("coffee")
    robot.network(False)
    robot.tap(id="place_title", index=0)
    assert robot.sees(id="network_error")
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="place_name")


@pytest.mark.parametrize(
    "change",
    [
        ({"id": "mode_text", "text": "Transit"},),
        (
            {"id": "route_options_button"},
            {"id": "route_option", "text": "Avoid highways"},
            {"id": "options_done"},
        ),
        ({"id": "swap_button"},),
    ],
)
def test_replanning_fails_offline(change: tuple[dict[str, str], ...]) -> None:
    robot = Robot()
    robot.route_to("Exploratorium")
    robot.network(False)
    assert robot.sees(id="route_summary")
    for touch in change:
        robot.tap(**touch)
    assert robot.sees(id="network_error")
    assert not robot.sees(id="route_summary")
    assert not robot.sees(id="transit_times")
    robot.tap(id="retry")
    assert robot.toast == "No internet connection"
    robot.network(True)
    robot.tap(id="retry")
    assert not robot.sees(id="network_error")
    assert robot.sees(id="route_summary") or robot.sees(id="transit_times")


def test_sharing_the_location_needs_a_network() -> None:
    robot = Robot()
    robot.menu("Location sharing")
    robot.network(False)
    robot.tap(id="new_share_button")
    robot.tap(id="sharing_person", index=0)
    assert robot.toast == "No internet connection"
    assert robot.sees(id="sharing_none")
    robot.network(True)
    robot.tap(id="new_share_button")
    robot.tap(id="sharing_person", index=0)
    assert robot.sees(id="sharing_item")


def test_links_open_places_and_routes() -> None:
    robot = Robot()
    robot.link("geo:0,0?q=Coit Tower")
    assert robot.text(id="place_name") == "Coit Tower"
    robot.link("google.navigation:q=Pier+39")
    assert robot.text(id="directions_endpoint_textbox") == "Pier 39"
    robot.link("geo://[")
    assert robot.text(id="directions_endpoint_textbox") == "Pier 39"


def test_the_dark_theme() -> None:
    robot = Robot()
    robot.menu("Settings")
    robot.tap(id="setting_row", has={"text": "Theme"})
    robot.tap(id="setting_choice", text="Always in Dark theme")
    assert robot.activity.style is MapStyle.NIGHT


def test_a_clipped_chip_casts_no_shadow_outside_its_row() -> None:
    robot = Robot("android-30:720x1280")
    robot.route_to("Apple Park")
    cut = robot.nodes(id="route_choice")[-1].bounds
    picture = robot.phone.frame().image
    assert picture.convert("RGB").getpixel((cut.right + 2, cut.center.y)) == (255, 255, 255)

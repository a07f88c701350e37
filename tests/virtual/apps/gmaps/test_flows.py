from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.scene import MapStyle
from tests.virtual.apps.gmaps.hand import Hand


def test_results_are_filtered_and_sorted() -> None:
    hand = Hand()
    hand.look_for("coffee")
    every = hand.texts(id="place_title")
    hand.tap(id="filter_chip", desc="Open now")
    assert "Closed" not in hand.texts(id="place_state")
    hand.tap(id="sort_chip")
    hand.tap(id="filter_choice", text="Rating")
    assert hand.texts(id="place_title")[0] == "Lamplight Coffee"
    assert every != hand.texts(id="place_title")


def test_filters_without_results_can_be_cleared() -> None:
    hand = Hand()
    hand.look_for("gas")
    hand.tap(id="rating_chip")
    hand.tap(id="filter_choice", text="4.5+")
    assert hand.text(id="empty_text") == "No results match your filters"
    hand.tap(id="clear_filters")
    assert hand.sees(id="place_title", text="Harbor Gas & Mart")


def test_a_search_without_results() -> None:
    hand = Hand()
    hand.look_for("qqqq")
    assert hand.text(id="empty_text") == "Can't find qqqq"


def test_a_search_is_added_to_the_history() -> None:
    hand = Hand()
    hand.look_for("ramen")
    hand.stop()
    hand.tap(id="search_omnibox_text_box")
    assert hand.texts(id="row_label", inside={"id": "recent_search"})[0] == "ramen"


def test_a_single_result_opens_directly() -> None:
    hand = Hand()
    hand.look_for("Chase Center")
    assert hand.text(id="place_name") == "Chase Center"


def test_a_new_list_contains_the_place() -> None:
    hand = Hand()
    hand.visit("Coit Tower")
    hand.tap(id="save_button")
    hand.tap(id="new_list_button")
    hand.write("Views", id="edit_text")
    hand.tap(id="dialog_ok")
    assert hand.node(id="save_button").desc == "Coit Tower is saved to Views"
    hand.stop()
    hand.tab("You")
    hand.tap(id="row_label", text="Views")
    assert hand.texts(id="place_title") == ["Coit Tower"]


def test_a_list_is_renamed_and_deleted() -> None:
    hand = Hand()
    hand.tab("You")
    hand.tap(id="row_label", text="Rainy days")
    hand.tap(id="list_menu")
    hand.tap(id="rename_list")
    hand.write("Indoor fun", id="edit_text")
    hand.tap(id="dialog_ok")
    assert hand.text(id="title") == "Indoor fun"
    hand.tap(id="list_menu")
    hand.tap(id="delete_list")
    hand.tap(id="dialog_ok")
    assert not hand.sees(id="row_label", text="Indoor fun")
    assert hand.sees(id="row_label", text="Date night")


@pytest.mark.parametrize(
    ("mode", "seen"),
    [("Driving", "route_summary"), ("Transit", "transit_trip"), ("Walking", "route_summary")],
)
def test_travel_modes(mode: str, seen: str) -> None:
    hand = Hand()
    hand.route_to("Chase Center")
    hand.tap(id="mode_text", text=mode)
    assert hand.node(id="mode_text", text=mode).selected
    assert hand.sees(id=seen)


def test_start_and_end_are_swapped() -> None:
    hand = Hand()
    hand.route_to("Pier 39")
    hand.tap(id="swap_button")
    assert hand.node(id="directions_endpoint_textbox").desc == "Destination, Your location"


def test_avoiding_highways_changes_the_route_and_persists() -> None:
    hand = Hand()
    hand.route_to("Stanford University")
    before = hand.text(id="route_summary")
    hand.tap(id="route_options_button")
    hand.tap(id="route_option", text="Avoid highways")
    hand.tap(id="options_done")
    assert hand.text(id="route_summary") != before
    hand.stop()
    hand.menu("Settings")
    hand.tap(id="setting_row", has={"text": "Navigation settings"})
    assert hand.node(id="setting_switch", desc="Avoid highways").checked


def test_a_later_departure_is_shown() -> None:
    hand = Hand()
    hand.route_to("Exploratorium")
    hand.tap(id="mode_text", text="Transit")
    hand.tap(id="departure_button")
    hand.tap(id="departure_choice", text="Today, 12:00 PM")
    assert hand.node(id="departure_button").desc == "Leave at 12:00 PM"
    assert hand.text(id="transit_times", index=0).startswith("12:00 PM")


def test_navigation_starts_is_muted_and_ends() -> None:
    hand = Hand()
    hand.visit("Ferry Building")
    hand.tap(id="start_button")
    assert hand.text(id="nav_destination") == "to Ferry Building"
    hand.tap(id="sound_button")
    hand.tap(id="sound_choice", text="Muted")
    assert hand.node(id="sound_button").desc == "Sound: Muted"
    hand.tap(id="exit_navigation")
    assert hand.text(id="place_name") == "Ferry Building"


def test_layers_change_the_map() -> None:
    hand = Hand()
    hand.tap(desc="Layers")
    hand.tap(id="map_type_item", desc="Satellite")
    hand.tap(id="map_detail_item", desc="Traffic")
    assert hand.activity.style is MapStyle.SATELLITE
    assert hand.activity.traffic
    assert hand.node(id="map_detail_item_text", text="Traffic").selected


def test_distances_use_the_chosen_units() -> None:
    hand = Hand()
    hand.menu("Settings")
    hand.tap(id="setting_row", has={"text": "Distance units"})
    hand.tap(id="setting_choice", text="Kilometers")
    hand.back()
    hand.visit("Coit Tower")
    assert hand.text(id="place_kind").endswith("km")


def test_offline_pages_can_be_retried() -> None:
    hand = Hand()
    hand.look_for("coffee")
    hand.network(False)
    hand.tap(id="place_title", index=0)
    assert hand.sees(id="network_error")
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="place_name")


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
    hand = Hand()
    hand.route_to("Exploratorium")
    hand.network(False)
    assert hand.sees(id="route_summary")
    for touch in change:
        hand.tap(**touch)
    assert hand.sees(id="network_error")
    assert not hand.sees(id="route_summary")
    assert not hand.sees(id="transit_times")
    hand.tap(id="retry")
    assert hand.toast == "No internet connection"
    hand.network(True)
    hand.tap(id="retry")
    assert not hand.sees(id="network_error")
    assert hand.sees(id="route_summary") or hand.sees(id="transit_times")


def test_sharing_the_location_needs_a_network() -> None:
    hand = Hand()
    hand.menu("Location sharing")
    hand.network(False)
    hand.tap(id="new_share_button")
    hand.tap(id="sharing_person", index=0)
    assert hand.toast == "No internet connection"
    assert hand.sees(id="sharing_none")
    hand.network(True)
    hand.tap(id="new_share_button")
    hand.tap(id="sharing_person", index=0)
    assert hand.sees(id="sharing_item")


def test_links_open_places_and_routes() -> None:
    hand = Hand()
    hand.link("geo:0,0?q=Coit Tower")
    assert hand.text(id="place_name") == "Coit Tower"
    hand.link("google.navigation:q=Pier+39")
    assert hand.text(id="directions_endpoint_textbox") == "Pier 39"
    hand.link("geo://[")
    assert hand.text(id="directions_endpoint_textbox") == "Pier 39"


def test_the_dark_theme() -> None:
    hand = Hand()
    hand.menu("Settings")
    hand.tap(id="setting_row", has={"text": "Theme"})
    hand.tap(id="setting_choice", text="Always in Dark theme")
    assert hand.activity.style is MapStyle.NIGHT


def test_a_clipped_chip_casts_no_shadow_outside_its_row() -> None:
    hand = Hand("android-30:720x1280")
    hand.route_to("Apple Park")
    cut = hand.nodes(id="route_choice")[-1].bounds
    picture = hand.phone.frame().image
    assert picture.convert("RGB").getpixel((cut.right + 2, cut.center.y)) == (255, 255, 255)

from __future__ import annotations

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.robot import Robot


def searched(query: str) -> Robot:
    robot = Robot()
    robot.tap(id="chrome_search_box")
    robot.phone.ime.commit_text(query)
    robot.phone.input.key(66)
    robot.settle()
    return robot


def test_suggestions_start_a_search() -> None:
    robot = Robot()
    robot.tap(id="chrome_search_box")
    robot.phone.ime.commit_text("insta")
    robot.settle()
    assert robot.texts(id="iss_search_dropdown_item_text")[0] == "instant pot"
    robot.tap(id="iss_search_dropdown_item_text", text="instant pot duo")
    assert robot.node(id="chrome_search_hint_view").text == "instant pot duo"
    assert robot.sees(id="item_title", text_contains="Instant Pot Duo 7-in-1")


def test_recent_searches_persist_until_they_are_deleted() -> None:
    robot = searched("robot vacuum")
    robot.tap(id="chrome_search_box")
    assert not robot.sees(id="iss_search_dropdown_item_text", text="echo dot")
    robot.tap(id="rs_clear_text_button_accessibility")
    assert robot.texts(id="iss_search_dropdown_item_text")[0] == "robot vacuum"
    robot.tap(id="iss_search_dropdown_item_delete", desc="Remove robot vacuum")
    assert not robot.sees(id="iss_search_dropdown_item_text", text="robot vacuum")


def test_a_suggestion_can_be_copied_to_the_field() -> None:
    robot = Robot()
    robot.tap(id="chrome_search_box")
    robot.phone.ime.commit_text("camp")
    robot.settle()
    robot.tap(id="iss_search_dropdown_item_query_builder", desc="Append camping tent")
    assert robot.node(id="rs_search_src_text").text.strip() == "camping tent"


def test_nonsense_has_no_results() -> None:
    robot = searched("qqqzzz")
    assert robot.node(id="empty_text").text == "No results for qqqzzz"


def test_filters_and_sort_order_persist_until_cleared() -> None:
    robot = searched("headphones")
    everything = robot.node(id="result_count_text").text
    robot.tap(id="filter_button")
    robot.tap(id="filter_option", text="Prime")
    robot.scroll({"id": "filter_option", "text": "Bose"}, {"id": "filter_scroll"})
    robot.tap(id="filter_option", text="Bose")
    assert robot.node(id="filter_apply").text == "Show 1 results"
    robot.tap(id="filter_apply")
    assert robot.texts(id="item_title")[0].startswith("Bose")
    robot.tap(id="filter_button")
    robot.tap(id="filter_clear")
    robot.tap(id="filter_apply")
    assert robot.node(id="result_count_text").text == everything


def test_a_price_range_is_typed_or_selected() -> None:
    robot = searched("headphones")
    robot.tap(id="filter_button")
    robot.scroll({"id": "price_max"}, {"id": "filter_scroll"})
    robot.write("100", id="price_max")
    robot.tap(id="filter_apply")
    assert robot.node(id="result_count_text").text == "2 results"
    robot.tap(id="filter_button")
    robot.scroll({"id": "filter_option", "text": "$200 & Above"}, {"id": "filter_scroll"})
    robot.tap(id="filter_option", text="$200 & Above")
    robot.tap(id="filter_apply")
    assert robot.node(id="result_count_text").text == "3 results"


def test_results_are_sorted() -> None:
    robot = searched("tea")
    robot.tap(id="sort_button")
    robot.tap(id="sort_choice", has={"text": "Price: Low to High"})
    prices = [float(text.strip("$")) for text in robot.texts(id="price")]
    assert prices == sorted(prices)
    robot.tap(id="sort_button")
    robot.tap(id="sort_choice", has={"text": "Price: High to Low"})
    assert float(robot.texts(id="price")[0].strip("$")) > prices[0]


def test_filters_without_results_can_be_cleared() -> None:
    robot = searched("tea")
    robot.tap(id="filter_button")
    robot.scroll({"id": "price_min"}, {"id": "filter_scroll"})
    robot.write("900", id="price_min")
    robot.tap(id="filter_apply")
    robot.tap(id="clear_filters")
    assert robot.sees(id="rs_results_list")


def test_results_load_once_online() -> None:
    robot = Robot()
    robot.network(False)
    robot.open(names.RESULTS, query="tea")
    assert robot.sees(id="network_error")
    robot.tap(id="retry")
    assert robot.toast == "You're offline. Check your network connection."
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="rs_results_list")

from __future__ import annotations

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.hand import Hand


def searched(query: str) -> Hand:
    hand = Hand()
    hand.tap(id="chrome_search_box")
    hand.phone.ime.commit_text(query)
    hand.phone.input.key(66)
    hand.settle()
    return hand


def test_suggestions_start_a_search() -> None:
    hand = Hand()
    hand.tap(id="chrome_search_box")
    hand.phone.ime.commit_text("insta")
    hand.settle()
    assert hand.texts(id="iss_search_dropdown_item_text")[0] == "instant pot"
    hand.tap(id="iss_search_dropdown_item_text", text="instant pot duo")
    assert hand.node(id="chrome_search_hint_view").text == "instant pot duo"
    assert hand.sees(id="item_title", text_contains="Instant Pot Duo 7-in-1")


def test_recent_searches_persist_until_they_are_deleted() -> None:
    hand = searched("robot vacuum")
    hand.tap(id="chrome_search_box")
    assert not hand.sees(id="iss_search_dropdown_item_text", text="echo dot")
    hand.tap(id="rs_clear_text_button_accessibility")
    assert hand.texts(id="iss_search_dropdown_item_text")[0] == "robot vacuum"
    hand.tap(id="iss_search_dropdown_item_delete", desc="Remove robot vacuum")
    assert not hand.sees(id="iss_search_dropdown_item_text", text="robot vacuum")


def test_a_suggestion_can_be_copied_to_the_field() -> None:
    hand = Hand()
    hand.tap(id="chrome_search_box")
    hand.phone.ime.commit_text("camp")
    hand.settle()
    hand.tap(id="iss_search_dropdown_item_query_builder", desc="Append camping tent")
    assert hand.node(id="rs_search_src_text").text.strip() == "camping tent"


def test_nonsense_has_no_results() -> None:
    hand = searched("qqqzzz")
    assert hand.node(id="empty_text").text == "No results for qqqzzz"


def test_filters_and_sort_order_persist_until_cleared() -> None:
    hand = searched("headphones")
    everything = hand.node(id="result_count_text").text
    hand.tap(id="filter_button")
    hand.tap(id="filter_option", text="Prime")
    hand.scroll({"id": "filter_option", "text": "Bose"}, {"id": "filter_scroll"})
    hand.tap(id="filter_option", text="Bose")
    assert hand.node(id="filter_apply").text == "Show 1 results"
    hand.tap(id="filter_apply")
    assert hand.texts(id="item_title")[0].startswith("Bose")
    hand.tap(id="filter_button")
    hand.tap(id="filter_clear")
    hand.tap(id="filter_apply")
    assert hand.node(id="result_count_text").text == everything


def test_a_price_range_is_typed_or_selected() -> None:
    hand = searched("headphones")
    hand.tap(id="filter_button")
    hand.scroll({"id": "price_max"}, {"id": "filter_scroll"})
    hand.write("100", id="price_max")
    hand.tap(id="filter_apply")
    assert hand.node(id="result_count_text").text == "2 results"
    hand.tap(id="filter_button")
    hand.scroll({"id": "filter_option", "text": "$200 & Above"}, {"id": "filter_scroll"})
    hand.tap(id="filter_option", text="$200 & Above")
    hand.tap(id="filter_apply")
    assert hand.node(id="result_count_text").text == "3 results"


def test_results_are_sorted() -> None:
    hand = searched("tea")
    hand.tap(id="sort_button")
    hand.tap(id="sort_choice", has={"text": "Price: Low to High"})
    prices = [float(text.strip("$")) for text in hand.texts(id="price")]
    assert prices == sorted(prices)
    hand.tap(id="sort_button")
    hand.tap(id="sort_choice", has={"text": "Price: High to Low"})
    assert float(hand.texts(id="price")[0].strip("$")) > prices[0]


def test_filters_without_results_can_be_cleared() -> None:
    hand = searched("tea")
    hand.tap(id="filter_button")
    hand.scroll({"id": "price_min"}, {"id": "filter_scroll"})
    hand.write("900", id="price_min")
    hand.tap(id="filter_apply")
    hand.tap(id="clear_filters")
    assert hand.sees(id="rs_results_list")


def test_results_load_once_online() -> None:
    hand = Hand()
    hand.network(False)
    hand.open(names.RESULTS, query="tea")
    assert hand.sees(id="network_error")
    hand.tap(id="retry")
    assert hand.toast == "You're offline. Check your network connection."
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="rs_results_list")

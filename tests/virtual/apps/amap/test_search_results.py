from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    made = Hand()
    made.look_for("酒店")
    return made


def prices(hand: Hand) -> list[int]:
    return [int(text.removeprefix("¥").removesuffix("起")) for text in hand.texts(id="poi_price")]


def choose(hand: Hand, menu: str, label: str) -> None:
    hand.tap(id=f"filter_{menu}")
    hand.tap(id="filter_choice_text", text=label)


@pytest.mark.parametrize(("order", "backwards"), [("低价优先", False), ("高价优先", True)])
def test_sorting_by_price(hand: Hand, order: str, backwards: bool) -> None:
    choose(hand, "order", order)
    assert prices(hand) == sorted(prices(hand), reverse=backwards)
    assert hand.node(id="filter_order").selected


def test_sorting_by_rating(hand: Hand) -> None:
    choose(hand, "order", "好评优先")
    ratings = [float(text.removesuffix("分")) for text in hand.texts(id="poi_rating")]
    assert ratings == sorted(ratings, reverse=True)


def test_filtering_by_distance(hand: Hand) -> None:
    choose(hand, "within", "1公里内")
    assert all(text.endswith("米") and not text.endswith("公里") for text in hand.texts(id="poi_distance"))
    assert hand.text(id="filter_text", inside={"id": "filter_within"}) == "1公里内"
    choose(hand, "within", "500米内")
    assert hand.text(id="empty_text") == "没有符合条件的结果"
    hand.tap(id="retry")
    assert len(hand.nodes(id="poi_item")) > 3


def test_filtering_by_subcategory(hand: Hand) -> None:
    choose(hand, "kind", "豪华酒店")
    assert set(hand.texts(id="poi_kind")) == {"豪华酒店"}
    choose(hand, "kind", "全部分类")
    assert len(set(hand.texts(id="poi_kind"))) > 1


def test_a_menu_is_closed_by_back_and_by_its_button(hand: Hand) -> None:
    hand.tap(id="filter_order")
    hand.back()
    assert hand.sees(id="poi_list")
    hand.tap(id="filter_order")
    hand.tap(id="filter_order")
    assert hand.sees(id="poi_list")


def test_filters_are_confirmed_or_discarded(hand: Hand) -> None:
    hand.tap(id="filter_filter")
    hand.tap(id="filter_rating", text="4.5分以上")
    hand.tap(id="filter_price", text="100-300元")
    assert hand.node(id="filter_price", text="100-300元").selected
    hand.tap(id="filter_confirm")
    assert hand.text(id="filter_text", inside={"id": "filter_filter"}) == "筛选(2)"
    assert all(100 <= price <= 300 for price in prices(hand))
    hand.tap(id="filter_filter")
    hand.tap(id="filter_reset")
    hand.tap(id="sheet_close")
    assert hand.text(id="filter_text", inside={"id": "filter_filter"}) == "筛选(2)"
    hand.tap(id="filter_filter")
    hand.tap(id="filter_price", text="100-300元")
    hand.tap(id="filter_tag", text="含早餐")
    hand.tap(id="filter_confirm")
    assert set(hand.texts(id="poi_name")) == {"云栖酒店(四平路店)"}


def test_more_results_load_at_the_end_of_the_list() -> None:
    hand = Hand()
    hand.look_for("美食")
    seen: set[str] = set()
    for _ in range(12):
        seen |= set(hand.texts(id="poi_name"))
        hand.phone.input.swipe(500, 2000, 500, 900, 300)
        hand.settle()
    assert len(seen) > 25


def test_a_result_opens_its_page_and_its_route(hand: Hand) -> None:
    name = hand.texts(id="poi_name")[0]
    hand.tap(id="poi_name", text=name)
    assert hand.text(id="poi_detail_name") == name
    hand.back()
    hand.tap(id="poi_route", index=0)
    assert hand.text(id="route_edit_summary_end") == name


def test_tapping_the_query_returns_to_the_field(hand: Hand) -> None:
    hand.tap(id="search_text")
    assert hand.text(id="search_edit") == "酒店"


def test_results_load_once_the_network_is_back() -> None:
    hand = Hand()
    hand.network(False)
    hand.link("androidamap://poi?keywords=酒店")
    assert hand.sees(id="network_error")
    hand.tap(id="retry")
    assert hand.sees(id="network_error")
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="poi_list")

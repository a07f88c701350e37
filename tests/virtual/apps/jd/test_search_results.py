from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand

TITLES = {"id": "product_title"}


@pytest.fixture
def hand() -> Hand:
    hand = Hand("android-34:1440x3120")
    hand.open(names.RESULTS, query="加湿器")
    return hand


def prices(hand: Hand) -> list[float]:
    """The prices of the results, above what is only related."""
    ends = [node.bounds.top for node in hand.nodes(id="also_title")] or [10_000]
    shown = [node for node in hand.nodes(id="price") if node.bounds.top < ends[0]]
    return [float(node.text.lstrip("¥")) for node in shown]


def test_sorting_by_price_toggles_the_direction(hand: Hand) -> None:
    hand.tap(text="价格")
    up = prices(hand)
    assert up == sorted(up)
    assert len(up) >= 4
    hand.tap(text="价格")
    assert prices(hand) == up[::-1]
    hand.tap(text="综合推荐")
    assert sorted(prices(hand)) == up


def test_a_reversed_price_range_is_swapped(hand: Hand) -> None:
    hand.tap(text="筛选")
    hand.write("200", id="price_min")
    hand.write("100", id="price_max")
    hand.back()  # the keyboard
    hand.tap(id="filter_confirm")
    assert prices(hand)
    assert all(100 <= price <= 200 for price in prices(hand))


def test_filters_apply_only_after_confirmation(hand: Hand) -> None:
    before = prices(hand)
    hand.tap(text="筛选")
    hand.tap(id="filter_option", text="小熊")
    hand.back()
    assert prices(hand) == before
    hand.tap(text="筛选")
    hand.tap(id="filter_option", text="小熊")
    hand.tap(id="filter_confirm")
    kept = prices(hand)
    assert 0 < len(kept) < len(before)
    assert all("小熊" in title for title in hand.texts(**TITLES)[: len(kept)])


def test_filters_without_results_can_be_cleared(hand: Hand) -> None:
    everything = prices(hand)
    hand.tap(text="筛选")
    hand.write("999999", id="price_min")
    hand.back()
    hand.tap(id="filter_confirm")
    assert not hand.sees(**TITLES)
    hand.tap(text="清空筛选")
    assert prices(hand) == everything


def test_few_results_are_followed_by_related_products(hand: Hand) -> None:
    hand.scroll(until={"id": "also_title"}, inside={"id": "product_list"})
    assert hand.sees(text="相关推荐")


def test_no_results_offer_other_products() -> None:
    hand = Hand()
    hand.open(names.RESULTS, query="qqqzzz")
    assert "qqqzzz" in hand.node(id="empty_text").text
    assert hand.sees(**TITLES)


def test_a_result_opens_its_product(hand: Hand) -> None:
    title = hand.texts(**TITLES)[0]
    hand.tap(id="product_title", text=title)
    front = hand.phone.activities.resumed
    assert front is not None
    assert front.name == names.PRODUCT
    assert hand.sees(id="product_title", text=title)
    hand.back()
    assert hand.texts(**TITLES)[0] == title


def test_an_offline_list_loads_on_retry() -> None:
    hand = Hand()
    hand.network(False)
    hand.open(names.RESULTS, query="加湿器")
    hand.tap(text="重新加载")
    assert not hand.sees(**TITLES)
    hand.network(True)
    hand.tap(text="重新加载")
    assert hand.sees(**TITLES)


def test_filtering_by_stock() -> None:
    hand = Hand("android-34:1440x3120")
    hand.open(names.RESULTS, query="空气炸锅")
    assert hand.sees(text="暂无现货")
    hand.tap(text="筛选")
    hand.tap(id="filter_option", text="仅看有货")
    hand.tap(id="filter_confirm")
    assert hand.sees(id="product_title")
    assert not hand.sees(text="暂无现货")

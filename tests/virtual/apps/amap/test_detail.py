from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand

TONGJI = "同济大学(四平路校区)"


@pytest.fixture(scope="module")
def shared() -> Hand:
    return Hand()


@pytest.fixture
def hand(shared: Hand) -> Hand:
    shared.network(True)
    shared.activity.go_home()
    shared.settle()
    return shared


def test_a_place_page_shows_its_details(hand: Hand) -> None:
    hand.visit(TONGJI)
    assert hand.text(id="poi_detail_address") == "杨浦区四平路1239号"
    assert hand.text(id="poi_detail_distance") == "距您1.6公里"
    assert "985大学" in hand.texts(id="poi_tag")
    assert not hand.sees(id="poi_far")


def test_a_place_in_another_city_is_marked(hand: Hand) -> None:
    hand.visit("颐和园")
    assert hand.text(id="poi_far") == "跨城"
    assert hand.text(id="poi_detail_address").startswith("北京市海淀区")
    hand.scroll_down()
    assert hand.text(id="ticket_price") == "¥30"


def test_a_favourite_is_added_and_removed(hand: Hand) -> None:
    hand.visit(TONGJI)
    assert hand.node(id="poi_favorite").desc == "收藏按钮未收藏"
    hand.tap(id="poi_favorite")
    assert (hand.node(id="poi_favorite").desc, hand.toast) == ("收藏按钮已收藏", "收藏成功")
    hand.stop()
    hand.visit(TONGJI)
    assert hand.node(id="poi_favorite").selected
    hand.tap(id="poi_favorite")
    assert (hand.node(id="poi_favorite").desc, hand.toast) == ("收藏按钮未收藏", "已取消收藏")


def test_the_number_can_be_called(hand: Hand) -> None:
    hand.visit(TONGJI)
    hand.tap(id="poi_phone")
    assert hand.text(id="phone_number") == "021-65980000"
    hand.tap(id="phone_call")
    assert hand.toast == "没有可用的应用"


def test_a_place_can_be_shared(hand: Hand) -> None:
    hand.visit(TONGJI)
    hand.tap(id="poi_share")
    hand.tap(id="share_item", has={"text": "复制链接"})
    assert hand.toast == "链接已复制"
    assert not hand.sees(id="share_sheet")


def test_searching_around_a_place(hand: Hand) -> None:
    hand.visit("五角场")
    hand.tap(id="poi_around")
    assert hand.text(id="search_edit") == "在五角场附近搜索"
    hand.tap(id="category_item", has={"text": "超市"})
    assert set(hand.texts(id="poi_kind")) == {"超市"}
    assert all(text.startswith("距五角场") for text in hand.texts(id="poi_distance"))


def test_reviews_are_filtered_by_kind(hand: Hand) -> None:
    hand.visit(TONGJI)
    hand.tap(id="poi_reviews_entry")
    assert hand.text(id="review_place") == TONGJI
    every = len(hand.nodes(id="review_item"))
    hand.tap(id="review_kind", text="差评")
    assert 0 < len(hand.nodes(id="review_item")) < every
    assert hand.node(id="review_kind", text="差评").selected
    hand.tap(id="review_order")
    assert hand.text(id="review_order") == "最新"
    hand.tap(id="review_kind", text="好评")
    days = [node.text for node in hand.facts().tree.nodes if node.text.startswith("202")]
    assert days == sorted(days, reverse=True)


def test_nearby_places_open_and_back_returns(hand: Hand) -> None:
    hand.visit("和平公园")
    for _ in range(3):
        if not hand.sees(id="near_name"):
            hand.scroll_down()
    name = hand.texts(id="near_name")[0]
    hand.tap(id="near_name", text=name)
    assert hand.text(id="poi_detail_name") == name
    hand.back()
    assert hand.sees(id="poi_detail_scroll")
    hand.tap(id="poi_detail_close")
    assert hand.sees(id="home_panel")


def test_the_page_fails_to_load_offline(hand: Hand) -> None:
    hand.look_for(TONGJI)
    hand.network(False)
    hand.tap(id="poi_name", text=TONGJI)
    assert hand.sees(id="network_error")
    hand.network(True)
    hand.tap(id="retry")
    assert hand.text(id="poi_detail_name") == TONGJI
    hand.network(False)
    hand.tap(id="poi_route_button")
    assert hand.toast == "网络连接失败，请检查网络设置"

from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    """A phone with the map of its own city, and no network."""
    made = Hand()
    made.activity.store.set_offline("上海市", True)
    made.network(False)
    return made


def test_places_of_the_offline_map_are_found(hand: Hand) -> None:
    hand.tap(id="search_bar")
    hand.write("大学", id="search_edit")
    assert hand.sees(id="sug_name")
    hand.write("北京大学", submit=True, id="search_edit")
    assert hand.text(id="empty_text") == "没有找到“北京大学”的相关结果"


def test_routes_within_the_offline_map_are_found(hand: Hand) -> None:
    hand.visit("五角场")
    hand.tap(id="poi_route_button")
    assert hand.sees(id="route_item")
    hand.link("androidamap://route/plan?dname=颐和园")
    assert hand.sees(id="network_error")


def test_reviews_need_a_network(hand: Hand) -> None:
    hand.visit("五角场")
    hand.tap(id="poi_reviews_entry")
    assert hand.sees(id="network_error")


def test_maps_cannot_be_downloaded_offline(hand: Hand) -> None:
    hand.tab("我的")
    hand.tap(id="mine_tool", desc="离线地图")
    hand.write("北京", submit=True, id="offline_search")
    hand.tap(id="offline_download")
    assert hand.toast == "网络连接失败，请检查网络设置"

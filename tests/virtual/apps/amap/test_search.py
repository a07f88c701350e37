from __future__ import annotations

import pytest

from garabench.virtual.apps.amap.app import APP
from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_the_search_page_opens_with_its_field_in_focus(hand: Hand) -> None:
    hand.tap(id="search_bar")
    assert hand.node(id="search_edit").focused
    assert hand.phone.ime.shown
    assert len(hand.nodes(id="category_item")) == 12


def test_suggestions_open_places(hand: Hand) -> None:
    hand.tap(id="search_bar")
    hand.write("同济", id="search_edit")
    assert "同济大学(嘉定校区)" in hand.texts(id="sug_name")
    hand.tap(id="sug_name", text="同济大学(嘉定校区)")
    assert hand.text(id="poi_detail_name") == "同济大学(嘉定校区)"
    hand.back()
    assert hand.text(id="search_edit") == "同济"


def test_the_field_can_be_cleared(hand: Hand) -> None:
    hand.tap(id="search_bar")
    hand.write("同济", id="search_edit")
    hand.tap(id="search_clear")
    assert hand.sees(id="search_classes")
    assert hand.text(id="search_edit") == "查找地点、公交、地铁"


def test_recent_searches_are_saved_and_can_be_deleted(hand: Hand) -> None:
    hand.look_for("和平公园")
    hand.back()
    assert hand.text(id="search_edit") == "和平公园"
    hand.tap(id="search_clear")
    assert hand.texts(id="history_text") == ["和平公园", "五角场", "鲁迅公园", "加油站"]
    hand.tap(id="history_delete", desc="删除鲁迅公园")
    assert hand.texts(id="history_text") == ["和平公园", "五角场", "加油站"]
    hand.stop()
    hand.tap(id="search_bar")
    assert hand.texts(id="history_text") == ["和平公园", "五角场", "加油站"]
    hand.tap(id="clear_history")
    hand.tap(id="dialog_no")
    assert hand.sees(id="history_item")
    hand.tap(id="clear_history")
    hand.tap(id="dialog_yes")
    assert not hand.sees(id="history_item")


def test_tapping_a_recent_search_or_category_searches_for_it(hand: Hand) -> None:
    hand.tap(id="search_bar")
    hand.tap(id="history_text", text="加油站")
    assert hand.text(id="search_text") == "加油站"
    hand.tap(id="search_close")
    assert hand.sees(id="home_panel")
    hand.tap(id="search_bar")
    hand.tap(id="category_item", has={"text": "药店"})
    assert set(hand.texts(id="poi_kind")) == {"药店"}


def test_planning_a_route_from_a_suggestion(hand: Hand) -> None:
    hand.tap(id="search_bar")
    hand.write("五角场", id="search_edit")
    hand.tap(id="sug_route", index=0)
    assert hand.text(id="route_edit_summary_end") == "五角场"


def test_no_search_offline_or_without_text(hand: Hand) -> None:
    hand.tap(id="search_bar")
    hand.tap(id="search_button")
    assert hand.sees(id="search_classes")
    hand.network(False)
    hand.write("五角场", submit=True, id="search_edit")
    assert hand.toast == "网络连接失败，请检查网络设置"
    assert hand.sees(id="search_edit")


def test_unknown_words_have_no_results(hand: Hand) -> None:
    hand.look_for("zzz")
    assert hand.text(id="empty_text") == "没有找到“zzz”的相关结果"
    assert hand.phone.activities.resumed is not None
    assert hand.phone.activities.resumed.app is APP


def test_a_place_can_be_picked_without_typing(hand: Hand) -> None:
    hand.tap(id="way_text", text="驾车")
    hand.tap(id="route_edit_summary_end")
    hand.tap(id="pick_text", text="收藏的点")
    assert hand.texts(id="sug_name") == ["鲁迅公园", "新华医院", "上海虹桥站"]
    hand.tap(id="sug_name", text="鲁迅公园")
    assert hand.text(id="route_edit_summary_end") == "鲁迅公园"


def test_a_point_of_the_map_can_be_picked(hand: Hand) -> None:
    hand.tap(id="way_text", text="驾车")
    hand.tap(id="route_edit_summary_end")
    hand.tap(id="pick_text", text="地图选点")
    before = hand.text(id="point_address")
    hand.phone.input.swipe(540, 1500, 540, 700, 400)
    hand.settle()
    assert hand.text(id="point_address") != before
    hand.tap(id="point_confirm")
    assert hand.text(id="route_edit_summary_end") == "地图选点"
    assert hand.sees(id="route_item")


def test_the_place_picker_lists_results(hand: Hand) -> None:
    hand.tap(id="way_text", text="驾车")
    hand.tap(id="route_edit_summary_end")
    hand.write("火锅", submit=True, id="search_edit")
    assert len(hand.nodes(id="sug_item")) > 4
    assert not hand.sees(id="sug_route")
    hand.write("zzz", submit=True, id="search_edit")
    assert hand.text(id="empty_text") == "没有找到相关地点，换个词试试"

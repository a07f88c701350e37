from __future__ import annotations

import pytest

from garabench.virtual.apps.amap.app import APP
from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    return Robot()


def test_the_search_page_opens_with_its_field_in_focus(robot: Robot) -> None:
    robot.tap(id="search_bar")
    assert robot.node(id="search_edit").focused
    assert robot.phone.ime.shown
    assert len(robot.nodes(id="category_item")) == 12


def test_suggestions_open_places(robot: Robot) -> None:
    robot.tap(id="search_bar")
    robot.write("同济", id="search_edit")
    assert "同济大学(嘉定校区)" in robot.texts(id="sug_name")
    robot.tap(id="sug_name", text="同济大学(嘉定校区)")
    assert robot.text(id="poi_detail_name") == "同济大学(嘉定校区)"
    robot.back()
    assert robot.text(id="search_edit") == "同济"


def test_the_field_can_be_cleared(robot: Robot) -> None:
    robot.tap(id="search_bar")
    robot.write("同济", id="search_edit")
    robot.tap(id="search_clear")
    assert robot.sees(id="search_classes")
    assert robot.text(id="search_edit") == "查找地点、公交、地铁"


def test_recent_searches_are_saved_and_can_be_deleted(robot: Robot) -> None:
    robot.look_for("和平公园")
    robot.back()
    assert robot.text(id="search_edit") == "和平公园"
    robot.tap(id="search_clear")
    assert robot.texts(id="history_text") == ["和平公园", "五角场", "鲁迅公园", "加油站"]
    robot.tap(id="history_delete", desc="删除鲁迅公园")
    assert robot.texts(id="history_text") == ["和平公园", "五角场", "加油站"]
    robot.stop()
    robot.tap(id="search_bar")
    assert robot.texts(id="history_text") == ["和平公园", "五角场", "加油站"]
    robot.tap(id="clear_history")
    robot.tap(id="dialog_no")
    assert robot.sees(id="history_item")
    robot.tap(id="clear_history")
    robot.tap(id="dialog_yes")
    assert not robot.sees(id="history_item")


def test_tapping_a_recent_search_or_category_searches_for_it(robot: Robot) -> None:
    robot.tap(id="search_bar")
    robot.tap(id="history_text", text="加油站")
    assert robot.text(id="search_text") == "加油站"
    robot.tap(id="search_close")
    assert robot.sees(id="home_panel")
    robot.tap(id="search_bar")
    robot.tap(id="category_item", has={"text": "药店"})
    assert set(robot.texts(id="poi_kind")) == {"药店"}


def test_planning_a_route_from_a_suggestion(robot: Robot) -> None:
    robot.tap(id="search_bar")
    robot.write("五角场", id="search_edit")
    robot.tap(id="sug_route", index=0)
    assert robot.text(id="route_edit_summary_end") == "五角场"


def test_no_search_offline_or_without_text(robot: Robot) -> None:
    robot.tap(id="search_bar")
    robot.tap(id="search_button")
    assert robot.sees(id="search_classes")
    robot.network(False)
    robot.write("五角场", submit=True, id="search_edit")
    assert robot.toast == "网络连接失败，请检查网络设置"
    assert robot.sees(id="search_edit")


def test_unknown_words_have_no_results(robot: Robot) -> None:
    robot.look_for("zzz")
    assert robot.text(id="empty_text") == "没有找到“zzz”的相关结果"
    assert robot.phone.activities.resumed is not None
    assert robot.phone.activities.resumed.app is APP


def test_a_place_can_be_picked_without_typing(robot: Robot) -> None:
    robot.tap(id="way_text", text="驾车")
    robot.tap(id="route_edit_summary_end")
    robot.tap(id="pick_text", text="收藏的点")
    assert robot.texts(id="sug_name") == ["鲁迅公园", "新华医院", "上海虹桥站"]
    robot.tap(id="sug_name", text="鲁迅公园")
    assert robot.text(id="route_edit_summary_end") == "鲁迅公园"


def test_a_point_of_the_map_can_be_picked(robot: Robot) -> None:
    robot.tap(id="way_text", text="驾车")
    robot.tap(id="route_edit_summary_end")
    robot.tap(id="pick_text", text="地图选点")
    before = robot.text(id="point_address")
    robot.phone.input.swipe(540, 1500, 540, 700, 400)
    robot.settle()
    assert robot.text(id="point_address") != before
    robot.tap(id="point_confirm")
    assert robot.text(id="route_edit_summary_end") == "地图选点"
    assert robot.sees(id="route_item")


def test_the_place_picker_lists_results(robot: Robot) -> None:
    robot.tap(id="way_text", text="驾车")
    robot.tap(id="route_edit_summary_end")
    robot.write("火锅", submit=True, id="search_edit")
    assert len(robot.nodes(id="sug_item")) > 4
    assert not robot.sees(id="sug_route")
    robot.write("zzz", submit=True, id="search_edit")
    assert robot.text(id="empty_text") == "没有找到相关地点，换个词试试"

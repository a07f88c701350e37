from __future__ import annotations

import pytest

from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    made = Robot()
    made.tap(id="way_text", text="收藏夹")
    return made


def pick(robot: Robot, name: str) -> None:
    robot.write(name, id="search_edit")
    robot.tap(id="sug_name", text=name)


def test_favourites_open_their_places(robot: Robot) -> None:
    assert robot.text(id="favorite_count") == "收藏的点（3）"
    robot.tap(id="favorite_name", text="新华医院")
    assert robot.text(id="poi_detail_name") == "新华医院"


def test_home_and_company(robot: Robot) -> None:
    robot.tap(id="favorite_home")
    pick(robot, "五角场")
    assert robot.text(id="home_place") == "五角场"
    assert robot.text(id="company_place") == "点击设置"
    robot.tap(id="favorite_home")
    assert robot.text(id="route_edit_summary_end") == "五角场"
    robot.back()
    robot.tap(id="corner_more_home")
    robot.tap(id="corner_change")
    pick(robot, "豫园")
    assert robot.text(id="home_place") == "豫园"
    robot.back()
    robot.tap(id="home_card")
    assert robot.text(id="route_edit_summary_end") == "豫园"
    robot.back()
    robot.tap(id="way_text", text="收藏夹")
    robot.tap(id="corner_more_home")
    robot.tap(id="corner_delete")
    assert robot.text(id="home_place") == "点击设置"


def test_the_company_shortcut_asks_for_its_place(robot: Robot) -> None:
    robot.back()
    robot.tap(id="company_card")
    pick(robot, "合生汇")
    assert (robot.text(id="corner_place", inside={"id": "company_card"}), robot.toast) == (
        "合生汇",
        "设置成功",
    )


def test_renaming_a_favourite(robot: Robot) -> None:
    robot.tap(id="favorite_more", desc="鲁迅公园的更多操作")
    robot.tap(id="favorite_rename")
    robot.write("晨跑", submit=True, id="favorite_note_edit")
    assert "晨跑" in robot.texts(id="favorite_name")
    assert any(text.startswith("鲁迅公园 ") for text in robot.texts(id="favorite_address"))
    robot.tap(id="favorite_more", desc="鲁迅公园的更多操作")
    robot.tap(id="favorite_rename")
    robot.write("", id="favorite_note_edit")
    robot.tap(id="favorite_note_save")
    assert "鲁迅公园" in robot.texts(id="favorite_name")


def test_deleting_a_favourite(robot: Robot) -> None:
    robot.tap(id="favorite_more", desc="鲁迅公园的更多操作")
    robot.tap(id="favorite_delete")
    assert robot.text(id="favorite_count") == "收藏的点（2）"


def test_deleting_several_favourites(robot: Robot) -> None:
    robot.tap(id="favorite_manage")
    assert not robot.node(id="favorite_drop").enabled
    for name in ("鲁迅公园", "新华医院", "上海虹桥站"):
        robot.tap(id="favorite_check", desc=name)
    robot.tap(id="favorite_check", desc="新华医院")
    assert not robot.node(id="favorite_check", desc="新华医院").checked
    robot.back()
    assert robot.text(id="favorite_manage") == "管理"
    robot.tap(id="favorite_manage")
    for name in ("鲁迅公园", "新华医院", "上海虹桥站"):
        robot.tap(id="favorite_check", desc=name)
    robot.tap(id="favorite_drop")
    robot.tap(id="dialog_yes")
    assert robot.text(id="empty_text") == "还没有收藏地点"


def test_planning_a_route_from_the_list(robot: Robot) -> None:
    robot.tap(id="favorite_more", desc="上海虹桥站的更多操作")
    robot.tap(id="favorite_route")
    assert robot.text(id="route_edit_summary_end") == "上海虹桥站"

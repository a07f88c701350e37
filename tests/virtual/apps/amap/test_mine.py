from __future__ import annotations

import pytest

from garabench.virtual.apps.amap.license_plate import PROVINCES, is_plate
from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    made = Robot()
    made.tab("我的")
    return made


@pytest.mark.parametrize(
    ("text", "fits"),
    [("A12345", True), ("AD12345", True), ("E8K326", True), ("", False), ("12345A", False), ("AO1234", False),
     ("A1234", False), ("A1234567", False), ("A1 345", False), ("沪A1234", False)],
)  # fmt: skip
def test_plates(text: str, fits: bool) -> None:
    assert is_plate(text) is fits


def test_provinces_are_unique() -> None:
    assert len(set(PROVINCES)) == len(PROVINCES) == 31


def test_a_plate_is_saved_and_deleted(robot: Robot) -> None:
    robot.tap(id="mine_car")
    robot.write("12345", submit=True, id="plate_edit")
    robot.tap(id="plate_save")
    assert robot.text(id="plate_wrong") == "请输入正确的车牌号"
    robot.tap(id="plate_province")
    robot.tap(id="province_item", text="浙")
    robot.write("ad12345", submit=True, id="plate_edit")
    robot.tap(id="plate_kind", text="纯电动")
    robot.tap(id="plate_limit")
    assert robot.node(id="plate_limit_switch").checked
    robot.tap(id="plate_save")
    assert robot.text(id="row_value", inside={"id": "mine_car"}) == "浙AD12345"
    robot.stop()
    robot.tab("我的")
    robot.tap(id="mine_car")
    assert (robot.text(id="plate_province"), robot.text(id="plate_edit")) == ("浙", "AD12345")
    assert robot.node(id="plate_kind", text="纯电动").selected
    robot.tap(id="plate_delete")
    robot.tap(id="dialog_yes")
    robot.back()
    assert robot.text(id="row_value", inside={"id": "mine_car"}) == "未添加"


def test_offline_maps_are_downloaded_cancelled_and_deleted(robot: Robot) -> None:
    robot.tap(id="mine_tool", desc="离线地图")
    robot.write("北京", submit=True, id="offline_search")
    at = robot.node(id="offline_download").bounds.center
    robot.phone.input.tap(at.x, at.y)
    assert robot.text(id="offline_state") == "下载中"
    robot.tap(id="offline_pause")
    assert robot.sees(id="offline_download")
    robot.tap(id="offline_download")
    robot.settle()
    assert (robot.text(id="offline_state"), robot.toast) == ("已下载", "北京市离线地图下载完成")
    robot.tap(id="offline_tab", text="已下载")
    assert robot.text(id="offline_count") == "共2个离线地图"  # all of them: a search is for one list
    robot.tap(id="offline_delete")
    robot.tap(id="dialog_yes")
    assert not robot.sees(text="北京市")
    assert robot.text(id="offline_count") == "共1个离线地图"


def test_a_download_needs_a_network(robot: Robot) -> None:
    robot.tap(id="mine_tool", desc="离线地图")
    robot.network(False)
    robot.tap(id="offline_download", index=0)
    assert robot.toast == "网络连接失败，请检查网络设置"


def test_a_download_stops_when_the_network_is_lost(robot: Robot) -> None:
    robot.tap(id="mine_tool", desc="离线地图")
    at = robot.node(id="offline_download", index=0).bounds.center
    robot.phone.input.tap(at.x, at.y)
    robot.network(False)
    assert robot.toast == "下载中断，请检查网络设置"
    assert not robot.sees(id="offline_pause")


def test_settings_persist(robot: Robot) -> None:
    robot.tap(id="mine_settings")
    robot.tap(id="setting_item", has={"text": "地图设置"})
    robot.tap(id="setting_item", has={"text": "显示缩放按钮"})
    robot.tap(id="setting_item", has={"text": "字体大小"})
    robot.tap(id="setting_choice", text="超大")
    robot.stop()
    zoom = robot.activity.pages[0][1].home.map.camera.zoom  # type: ignore[attr-defined]
    robot.tap(id="zoom_in")
    assert robot.activity.pages[0][1].home.map.camera.zoom == zoom + 1  # type: ignore[attr-defined]
    robot.tap(id="zoom_out")
    assert robot.activity.store.font_scale == 1.3


def test_the_volume_follows_the_finger(robot: Robot) -> None:
    robot.tap(id="mine_setting_icon")
    robot.tap(id="setting_item", has={"text": "导航设置"})
    bar = robot.node(id="setting_slider").bounds
    robot.phone.input.tap(bar.left + bar.width // 5, bar.center.y)
    robot.settle()
    assert robot.texts(id="row_value")[0] == "20%"


def test_actions_ask_for_confirmation(robot: Robot) -> None:
    robot.tap(id="mine_settings")
    robot.tap(id="setting_item", has={"text": "清理缓存"})
    robot.tap(id="dialog_no")
    assert "126.4MB" in robot.texts(id="row_value")
    robot.tap(id="setting_item", has={"text": "清理缓存"})
    robot.tap(id="dialog_yes")
    assert ("0MB" in robot.texts(id="row_value"), robot.toast) == (True, "缓存已清理")


def test_settings_open_the_system_pages(robot: Robot) -> None:
    robot.tap(id="mine_settings")
    robot.tap(id="setting_item", has={"text": "隐私设置"})
    robot.tap(id="setting_item", has={"text": "系统权限管理"})
    assert robot.text(id="entity_header_title") == "高德地图"
    robot.back()
    assert robot.sees(id="setting_list")


def test_opening_a_message_marks_it_as_read(robot: Robot) -> None:
    assert robot.text(id="tab_badge") == "5"
    robot.tab("消息")
    robot.tap(id="message_item", has={"text": "服务通知"})
    assert len(robot.nodes(id="message_body")) == 2
    robot.back()
    assert robot.text(id="tab_badge") == "4"
    robot.tap(id="message_read_all")
    assert not robot.sees(id="tab_badge")
    assert not robot.sees(id="message_dot")

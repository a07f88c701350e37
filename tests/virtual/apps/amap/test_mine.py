from __future__ import annotations

import pytest

from garabench.virtual.apps.amap.license_plate import PROVINCES, is_plate
from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    made = Hand()
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


def test_a_plate_is_saved_and_deleted(hand: Hand) -> None:
    hand.tap(id="mine_car")
    hand.write("12345", submit=True, id="plate_edit")
    hand.tap(id="plate_save")
    assert hand.text(id="plate_wrong") == "请输入正确的车牌号"
    hand.tap(id="plate_province")
    hand.tap(id="province_item", text="浙")
    hand.write("ad12345", submit=True, id="plate_edit")
    hand.tap(id="plate_kind", text="纯电动")
    hand.tap(id="plate_limit")
    assert hand.node(id="plate_limit_switch").checked
    hand.tap(id="plate_save")
    assert hand.text(id="row_value", inside={"id": "mine_car"}) == "浙AD12345"
    hand.stop()
    hand.tab("我的")
    hand.tap(id="mine_car")
    assert (hand.text(id="plate_province"), hand.text(id="plate_edit")) == ("浙", "AD12345")
    assert hand.node(id="plate_kind", text="纯电动").selected
    hand.tap(id="plate_delete")
    hand.tap(id="dialog_yes")
    hand.back()
    assert hand.text(id="row_value", inside={"id": "mine_car"}) == "未添加"


def test_offline_maps_are_downloaded_cancelled_and_deleted(hand: Hand) -> None:
    hand.tap(id="mine_tool", desc="离线地图")
    hand.write("北京", submit=True, id="offline_search")
    at = hand.node(id="offline_download").bounds.center
    hand.phone.input.tap(at.x, at.y)
    assert hand.text(id="offline_state") == "下载中"
    hand.tap(id="offline_pause")
    assert hand.sees(id="offline_download")
    hand.tap(id="offline_download")
    hand.settle()
    assert (hand.text(id="offline_state"), hand.toast) == ("已下载", "北京市离线地图下载完成")
    hand.tap(id="offline_tab", text="已下载")
    hand.tap(id="offline_delete")
    hand.tap(id="dialog_yes")
    assert hand.text(id="empty_text") == "没有找到相关城市"


def test_a_download_needs_a_network(hand: Hand) -> None:
    hand.tap(id="mine_tool", desc="离线地图")
    hand.network(False)
    hand.tap(id="offline_download", index=0)
    assert hand.toast == "网络连接失败，请检查网络设置"


def test_a_download_stops_when_the_network_is_lost(hand: Hand) -> None:
    hand.tap(id="mine_tool", desc="离线地图")
    at = hand.node(id="offline_download", index=0).bounds.center
    hand.phone.input.tap(at.x, at.y)
    hand.network(False)
    assert hand.toast == "下载中断，请检查网络设置"
    assert not hand.sees(id="offline_pause")


def test_settings_persist(hand: Hand) -> None:
    hand.tap(id="mine_settings")
    hand.tap(id="setting_item", has={"text": "地图设置"})
    hand.tap(id="setting_item", has={"text": "显示缩放按钮"})
    hand.tap(id="setting_item", has={"text": "字体大小"})
    hand.tap(id="setting_choice", text="超大")
    hand.stop()
    zoom = hand.activity.pages[0][1].home.map.camera.zoom  # type: ignore[attr-defined]
    hand.tap(id="zoom_in")
    assert hand.activity.pages[0][1].home.map.camera.zoom == zoom + 1  # type: ignore[attr-defined]
    hand.tap(id="zoom_out")
    assert hand.activity.store.font_scale == 1.3


def test_the_volume_follows_the_finger(hand: Hand) -> None:
    hand.tap(id="mine_setting_icon")
    hand.tap(id="setting_item", has={"text": "导航设置"})
    bar = hand.node(id="setting_slider").bounds
    hand.phone.input.tap(bar.left + bar.width // 5, bar.center.y)
    hand.settle()
    assert hand.texts(id="row_value")[0] == "20%"


def test_actions_ask_for_confirmation(hand: Hand) -> None:
    hand.tap(id="mine_settings")
    hand.tap(id="setting_item", has={"text": "清理缓存"})
    hand.tap(id="dialog_no")
    assert "126.4MB" in hand.texts(id="row_value")
    hand.tap(id="setting_item", has={"text": "清理缓存"})
    hand.tap(id="dialog_yes")
    assert ("0MB" in hand.texts(id="row_value"), hand.toast) == (True, "缓存已清理")


def test_settings_open_the_system_pages(hand: Hand) -> None:
    hand.tap(id="mine_settings")
    hand.tap(id="setting_item", has={"text": "隐私设置"})
    hand.tap(id="setting_item", has={"text": "系统权限管理"})
    assert hand.text(id="entity_header_title") == "高德地图"
    hand.back()
    assert hand.sees(id="setting_list")


def test_opening_a_message_marks_it_as_read(hand: Hand) -> None:
    assert hand.text(id="tab_badge") == "5"
    hand.tab("消息")
    hand.tap(id="message_item", has={"text": "服务通知"})
    assert len(hand.nodes(id="message_body")) == 2
    hand.back()
    assert hand.text(id="tab_badge") == "4"
    hand.tap(id="message_read_all")
    assert not hand.sees(id="tab_badge")
    assert not hand.sees(id="message_dot")

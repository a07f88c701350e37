"""Ctrip's pages of the user: orders, travellers, favourites, coupons, messages and settings."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from tests.virtual.apps.ctrip.robot import TALL, Robot


def test_the_bottom_tabs_and_back() -> None:
    robot = Robot()
    for label, shown in (
        ("消息", "messages_title"),
        ("社区", "note_list"),
        ("行程", "trip_list"),
        ("我的", "mine_name"),
    ):
        robot.tap(id="home_tab_item", desc=label)
        assert robot.node(id="home_tab_item", desc=label).selected
        assert robot.sees(id=shown)
    robot.back()
    assert robot.sees(id="home_grid")


@pytest.mark.parametrize(
    ("channel", "activity"),
    [
        ("酒店", names.HOTEL_INQUIRE),
        ("机票", names.FLIGHT_INQUIRE),
        ("火车票", names.TRAIN_INQUIRE),
        ("旅游", names.TOUR_HOME),
        ("门票", names.TICKET_HOME),
    ],
)
def test_channels_open_their_pages(channel: str, activity: str) -> None:
    robot = Robot()
    robot.tap(id="home_channel", desc=channel)
    assert robot.front == activity


def test_orders_are_filtered_by_status() -> None:
    robot = Robot(TALL)
    robot.tab("我的")
    robot.tap(id="mine_order", desc="待付款")
    assert set(robot.texts(id="order_status")) == {"待付款"}
    robot.tap(id="order_tab", desc="待点评")
    assert set(robot.texts(id="order_status")) == {"待点评"}
    robot.tap(id="order_title", text="成都大熊猫繁育研究基地")
    robot.tap(id="review_order")
    assert robot.text(id="detail_status") == "已完成"
    robot.tap(id="drop_order")
    robot.tap(id="dialog_yes")
    assert not robot.sees(id="order_title", text="成都大熊猫繁育研究基地")


def test_cancelling_an_order_requires_a_reason() -> None:
    robot = Robot()
    robot.open(names.ORDER, order="30291548790")
    robot.tap(id="cancel_order")
    robot.tap(id="cancel_confirm")
    assert robot.toast == "请选择取消原因"
    robot.tap(id="cancel_reason", has={"text": "其他原因"})
    robot.tap(id="cancel_confirm")
    assert robot.text(id="detail_status") == "已取消"
    assert robot.sees(id="fact_value", text="其他原因")
    assert not robot.sees(id="pay_order")


def test_a_cancelled_order_links_to_unpaid_orders() -> None:
    robot = Robot()
    robot.open(names.ORDER, order="30291548790")
    assert not robot.sees(id="unpaid_left")
    robot.tap(id="cancel_order")
    robot.tap(id="cancel_reason", index=0)
    robot.tap(id="cancel_confirm")
    assert robot.text(id="row_value") == "1个"
    robot.tap(id="unpaid_left")
    robot.tap(id="order_title")
    robot.tap(id="cancel_order")
    robot.tap(id="cancel_reason", index=0)
    robot.tap(id="cancel_confirm")
    assert not robot.sees(id="unpaid_left")  # none is left


def test_a_cancelled_order_is_not_an_upcoming_trip() -> None:
    robot = Robot(TALL)
    robot.tab("行程")
    assert [text.split(" ")[0] for text in robot.texts(id="order_when")] == [
        "5月31日",
        "5月31日-6月2日",
        "6月2日",
    ]
    robot.tap(id="order_title", text="杭州凯悦酒店")
    robot.tap(id="cancel_order")
    robot.tap(id="cancel_reason", index=0)
    robot.tap(id="cancel_confirm")
    robot.back()
    assert "杭州凯悦酒店" not in robot.texts(id="order_title")


@pytest.mark.parametrize(
    ("name", "number", "phone", "message"),
    [
        ("", "310101199003070058", "", "请填写姓名"),
        ("陈一诺", "", "", "请填写证件号码"),
        ("陈一诺", "3101", "", "请填写18位身份证号"),
        ("陈一诺", "310101199003070058", "135", "请填写11位手机号"),
    ],
)
def test_an_invalid_traveller_is_not_saved(name: str, number: str, phone: str, message: str) -> None:
    robot = Robot()
    robot.open(names.TRAVELLER)
    for text, field in ((name, "name"), (number, "number"), (phone, "phone")):
        if text:
            robot.write(text, id=f"traveller_{field}_input")
    robot.tap(id="traveller_save")
    assert robot.toast == message
    assert robot.front == names.TRAVELLER


def test_a_traveller_is_edited_and_deleted() -> None:
    robot = Robot(TALL)
    robot.open(names.TRAVELLERS)
    robot.tap(id="traveller_edit", desc="编辑周小唐")
    robot.write("13812345678", id="traveller_phone_input")
    robot.tap(id="traveller_save")
    item = {"id": "traveller_item", "has": {"text": "周小唐"}}
    assert robot.text(id="traveller_phone", inside=item) == "手机 13812345678"  # in full, for checking
    assert robot.text(id="traveller_document", inside=item) == "身份证 320102198811020033"
    other = {"id": "traveller_item", "has": {"text": "周小棠"}}
    assert robot.text(id="traveller_phone", inside=other) == "手机 137****7021"
    robot.tap(id="traveller_edit", desc="编辑周小唐")
    robot.tap(id="traveller_delete")
    robot.tap(id="dialog_yes")
    assert robot.texts(id="traveller_name") == ["林远", "周小棠", "林子墨"]


def test_only_one_address_is_the_default() -> None:
    robot = Robot(TALL)
    robot.open(names.ADDRESSES)
    robot.tap(id="address_edit", desc="编辑周小棠")
    robot.tap(id="address_default_switch")
    robot.tap(id="address_save")
    assert len(robot.nodes(id="address_default")) == 1
    assert robot.sees(id="address_default", inside={"id": "address_item", "has": {"text": "周小棠"}})
    robot.tap(id="address_add")
    robot.write("陈一诺", id="address_name_input")
    robot.tap(id="address_save")
    assert robot.toast == "请填写手机号"


def test_deleting_favourites() -> None:
    robot = Robot(TALL)
    robot.open(names.FAVORITES)
    before = robot.texts(id="hotel_name")
    robot.tap(id="favorite_manage")
    robot.tap(id="favorite_check", desc=before[1])
    robot.tap(id="favorite_drop")
    robot.tap(id="dialog_yes")
    assert robot.texts(id="hotel_name") == [before[0], *before[2:]]
    robot.tap(id="favorite_tab", desc="旅游")
    assert len(robot.nodes(id="tour_item")) == 2


def test_the_history_grows_and_is_cleared() -> None:
    robot = Robot(TALL)
    robot.open(names.SIGHT, sight="disney")
    robot.open(names.HISTORY)
    assert robot.texts(id="history_day")[0] == "今天"
    assert robot.texts(id="sight_name")[0] == "上海迪士尼度假区"
    robot.tap(id="history_manage")
    robot.tap(id="history_delete", desc="删除上海迪士尼度假区")
    assert "上海迪士尼度假区" not in robot.texts(id="sight_name")
    robot.tap(id="history_clear")
    robot.tap(id="dialog_yes")
    assert robot.sees(id="empty_text")


def test_a_disabled_history_records_nothing() -> None:
    robot = Robot(TALL)
    robot.open(names.SETTINGS, page="privacy")
    robot.tap(id="setting_switch", desc="记录浏览历史")
    robot.open(names.SIGHT, sight="disney")
    robot.open(names.HISTORY)
    assert "上海迪士尼度假区" not in robot.texts(id="sight_name")


def test_a_coupon_is_claimed_once_and_applied_to_an_order() -> None:
    robot = Robot(TALL)
    robot.tap(id="home_coupons")
    claim = {"id": "coupon_item", "has": {"text": "火车票优惠券"}}
    robot.tap(id="coupon_claim", inside=claim)
    assert robot.text(id="coupon_state", inside=claim) == "已领取"
    robot.tap(id="coupon_tab", desc="我的优惠券")
    assert robot.texts(id="coupon_title")[0] == "国内酒店立减券"
    assert "火车票优惠券" in robot.texts(id="coupon_title")
    extras = {"start": "上海虹桥", "end": "北京南", "day": "2024-06-06", "train": "G1122", "seat": "二等座"}
    robot.open(names.TRAIN_ORDER, **extras)
    assert robot.text(id="order_total") == "¥595"


def test_settings_survive_a_force_stop() -> None:
    robot = Robot(TALL)
    robot.open(names.SETTINGS, page="general")
    robot.tap(id="setting_item", has={"text": "货币"})
    robot.tap(id="setting_choice", has={"text": "港币 HKD"})
    robot.tap(id="setting_switch", desc="省流量模式")
    robot.stop()
    robot.open(names.SETTINGS, page="general")
    assert robot.sees(id="row_value", text="港币 HKD")
    assert robot.node(id="setting_switch", desc="省流量模式").checked


def test_settings_open_the_system_page() -> None:
    robot = Robot()
    robot.open(names.SETTINGS, page="privacy")
    robot.tap(id="setting_item", has={"text": "系统权限管理"})
    assert robot.sees(id="entity_header_title", text="携程旅行")


def test_opening_messages_marks_them_as_read() -> None:
    robot = Robot()
    robot.tap(id="home_tab_item", desc="消息")
    assert robot.text(id="message_count") == "5"
    robot.tap(id="message_kind", desc="行程通知")
    robot.back()
    assert robot.text(id="message_count") == "3"
    robot.tap(id="messages_read")
    assert not robot.sees(id="message_count")


def test_customer_service_answers() -> None:
    robot = Robot()
    robot.open(names.CHAT)
    robot.tap(id="quick_word", text="怎么取消订单")
    assert robot.texts(id="message_own") == ["怎么取消订单"]
    robot.settle()
    robot.settle()
    assert "取消订单" in robot.texts(id="message_other")[-1]
    robot.network(False)
    robot.write("还在吗", id="chat_input")
    robot.tap(id="chat_send")
    assert "还在吗" not in robot.texts(id="message_own")


def test_liking_and_unliking_a_note() -> None:
    robot = Robot()
    robot.tab("社区")
    note = {"id": "note_item", "has": {"text": "成都三天两晚，跟着吃就对了"}}
    robot.tap(id="note_like", inside=note)
    assert robot.text(id="note_likes", inside=note) == "329"
    robot.tap(id="note_like", inside=note)
    assert robot.text(id="note_likes", inside=note) == "328"

from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from tests.virtual.apps.ctrip.hand import TALL, Hand


def test_the_bottom_tabs_and_back() -> None:
    hand = Hand()
    for label, shown in (
        ("消息", "messages_title"),
        ("社区", "note_list"),
        ("行程", "trip_list"),
        ("我的", "mine_name"),
    ):
        hand.tap(id="home_tab_item", desc=label)
        assert hand.node(id="home_tab_item", desc=label).selected
        assert hand.sees(id=shown)
    hand.back()
    assert hand.sees(id="home_grid")


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
    hand = Hand()
    hand.tap(id="home_channel", desc=channel)
    assert hand.front == activity


def test_orders_are_filtered_by_status() -> None:
    hand = Hand(TALL)
    hand.tab("我的")
    hand.tap(id="mine_order", desc="待付款")
    assert set(hand.texts(id="order_status")) == {"待付款"}
    hand.tap(id="order_tab", desc="待点评")
    assert set(hand.texts(id="order_status")) == {"待点评"}
    hand.tap(id="order_title", text="成都大熊猫繁育研究基地")
    hand.tap(id="review_order")
    assert hand.text(id="detail_status") == "已完成"
    hand.tap(id="drop_order")
    hand.tap(id="dialog_yes")
    assert not hand.sees(id="order_title", text="成都大熊猫繁育研究基地")


def test_cancelling_an_order_requires_a_reason() -> None:
    hand = Hand()
    hand.open(names.ORDER, order="30291548790")
    hand.tap(id="cancel_order")
    hand.tap(id="cancel_confirm")
    assert hand.toast == "请选择取消原因"
    hand.tap(id="cancel_reason", has={"text": "其他原因"})
    hand.tap(id="cancel_confirm")
    assert hand.text(id="detail_status") == "已取消"
    assert hand.sees(id="fact_value", text="其他原因")
    assert not hand.sees(id="pay_order")


def test_a_cancelled_order_links_to_unpaid_orders() -> None:
    hand = Hand()
    hand.open(names.ORDER, order="30291548790")
    assert not hand.sees(id="unpaid_left")
    hand.tap(id="cancel_order")
    hand.tap(id="cancel_reason", index=0)
    hand.tap(id="cancel_confirm")
    assert hand.text(id="row_value") == "1个"
    hand.tap(id="unpaid_left")
    hand.tap(id="order_title")
    hand.tap(id="cancel_order")
    hand.tap(id="cancel_reason", index=0)
    hand.tap(id="cancel_confirm")
    assert not hand.sees(id="unpaid_left")  # none is left


def test_a_cancelled_order_is_not_an_upcoming_trip() -> None:
    hand = Hand(TALL)
    hand.tab("行程")
    assert [text.split(" ")[0] for text in hand.texts(id="order_when")] == [
        "5月31日",
        "5月31日-6月2日",
        "6月2日",
    ]
    hand.tap(id="order_title", text="杭州凯悦酒店")
    hand.tap(id="cancel_order")
    hand.tap(id="cancel_reason", index=0)
    hand.tap(id="cancel_confirm")
    hand.back()
    assert "杭州凯悦酒店" not in hand.texts(id="order_title")


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
    hand = Hand()
    hand.open(names.TRAVELLER)
    for text, field in ((name, "name"), (number, "number"), (phone, "phone")):
        if text:
            hand.write(text, id=f"traveller_{field}_input")
    hand.tap(id="traveller_save")
    assert hand.toast == message
    assert hand.front == names.TRAVELLER


def test_a_traveller_is_edited_and_deleted() -> None:
    hand = Hand(TALL)
    hand.open(names.TRAVELLERS)
    hand.tap(id="traveller_edit", desc="编辑周小唐")
    hand.write("13812345678", id="traveller_phone_input")
    hand.tap(id="traveller_save")
    item = {"id": "traveller_item", "has": {"text": "周小唐"}}
    assert hand.text(id="traveller_phone", inside=item) == "手机 13812345678"  # to be checked
    assert hand.text(id="traveller_document", inside=item) == "身份证 320102198811020033"
    other = {"id": "traveller_item", "has": {"text": "周小棠"}}
    assert hand.text(id="traveller_phone", inside=other) == "手机 137****7021"
    hand.tap(id="traveller_edit", desc="编辑周小唐")
    hand.tap(id="traveller_delete")
    hand.tap(id="dialog_yes")
    assert hand.texts(id="traveller_name") == ["林远", "周小棠", "林子墨"]


def test_only_one_address_is_the_default() -> None:
    hand = Hand(TALL)
    hand.open(names.ADDRESSES)
    hand.tap(id="address_edit", desc="编辑周小棠")
    hand.tap(id="address_default_switch")
    hand.tap(id="address_save")
    assert len(hand.nodes(id="address_default")) == 1
    assert hand.sees(id="address_default", inside={"id": "address_item", "has": {"text": "周小棠"}})
    hand.tap(id="address_add")
    hand.write("陈一诺", id="address_name_input")
    hand.tap(id="address_save")
    assert hand.toast == "请填写手机号"


def test_deleting_favourites() -> None:
    hand = Hand(TALL)
    hand.open(names.FAVORITES)
    before = hand.texts(id="hotel_name")
    hand.tap(id="favorite_manage")
    hand.tap(id="favorite_check", desc=before[1])
    hand.tap(id="favorite_drop")
    hand.tap(id="dialog_yes")
    assert hand.texts(id="hotel_name") == [before[0], *before[2:]]
    hand.tap(id="favorite_tab", desc="旅游")
    assert len(hand.nodes(id="tour_item")) == 2


def test_the_history_grows_and_is_cleared() -> None:
    hand = Hand(TALL)
    hand.open(names.SIGHT, sight="disney")
    hand.open(names.HISTORY)
    assert hand.texts(id="history_day")[0] == "今天"
    assert hand.texts(id="sight_name")[0] == "上海迪士尼度假区"
    hand.tap(id="history_manage")
    hand.tap(id="history_delete", desc="删除上海迪士尼度假区")
    assert "上海迪士尼度假区" not in hand.texts(id="sight_name")
    hand.tap(id="history_clear")
    hand.tap(id="dialog_yes")
    assert hand.sees(id="empty_text")


def test_a_disabled_history_records_nothing() -> None:
    hand = Hand(TALL)
    hand.open(names.SETTINGS, page="privacy")
    hand.tap(id="setting_switch", desc="记录浏览历史")
    hand.open(names.SIGHT, sight="disney")
    hand.open(names.HISTORY)
    assert "上海迪士尼度假区" not in hand.texts(id="sight_name")


def test_a_coupon_is_claimed_once_and_applied_to_an_order() -> None:
    hand = Hand(TALL)
    hand.tap(id="home_coupons")
    claim = {"id": "coupon_item", "has": {"text": "火车票优惠券"}}
    hand.tap(id="coupon_claim", inside=claim)
    assert hand.text(id="coupon_state", inside=claim) == "已领取"
    hand.tap(id="coupon_tab", desc="我的优惠券")
    assert hand.texts(id="coupon_title")[0] == "国内酒店立减券"
    assert "火车票优惠券" in hand.texts(id="coupon_title")
    extras = {"start": "上海虹桥", "end": "北京南", "day": "2024-06-06", "train": "G1122", "seat": "二等座"}
    hand.open(names.TRAIN_ORDER, **extras)
    assert hand.text(id="order_total") == "¥595"


def test_settings_survive_a_force_stop() -> None:
    hand = Hand(TALL)
    hand.open(names.SETTINGS, page="general")
    hand.tap(id="setting_item", has={"text": "货币"})
    hand.tap(id="setting_choice", has={"text": "港币 HKD"})
    hand.tap(id="setting_switch", desc="省流量模式")
    hand.stop()
    hand.open(names.SETTINGS, page="general")
    assert hand.sees(id="row_value", text="港币 HKD")
    assert hand.node(id="setting_switch", desc="省流量模式").checked


def test_settings_open_the_system_page() -> None:
    hand = Hand()
    hand.open(names.SETTINGS, page="privacy")
    hand.tap(id="setting_item", has={"text": "系统权限管理"})
    assert hand.sees(id="entity_header_title", text="携程旅行")


def test_opening_messages_marks_them_as_read() -> None:
    hand = Hand()
    hand.tap(id="home_tab_item", desc="消息")
    assert hand.text(id="message_count") == "5"
    hand.tap(id="message_kind", desc="行程通知")
    hand.back()
    assert hand.text(id="message_count") == "3"
    hand.tap(id="messages_read")
    assert not hand.sees(id="message_count")


def test_customer_service_answers() -> None:
    hand = Hand()
    hand.open(names.CHAT)
    hand.tap(id="quick_word", text="怎么取消订单")
    assert hand.texts(id="message_own") == ["怎么取消订单"]
    hand.settle()
    hand.settle()
    assert "取消订单" in hand.texts(id="message_other")[-1]
    hand.network(False)
    hand.write("还在吗", id="chat_input")
    hand.tap(id="chat_send")
    assert "还在吗" not in hand.texts(id="message_own")


def test_liking_and_unliking_a_note() -> None:
    hand = Hand()
    hand.tab("社区")
    note = {"id": "note_item", "has": {"text": "成都三天两晚，跟着吃就对了"}}
    hand.tap(id="note_like", inside=note)
    assert hand.text(id="note_likes", inside=note) == "329"
    hand.tap(id="note_like", inside=note)
    assert hand.text(id="note_likes", inside=note) == "328"

from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand

BAND = "小米手环8 NFC版"
MILK = "特仑苏"
RICE = "五常大米"


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.ORDERS)
    return hand


def group(title: str) -> dict[str, Any]:
    """What is inside the order of a product."""
    return {"id": "order_group", "has": {"id": "item_title", "text_contains": title}}


@pytest.mark.parametrize(
    ("tab", "statuses"),
    [
        ("待付款", {"待付款"}),
        ("待收货", {"待收货"}),
        ("待评价", {"待评价"}),
        ("退换/售后", {"售后中"}),
    ],
)
def test_a_tab_shows_only_its_status(hand: Hand, tab: str, statuses: set[str]) -> None:
    hand.tap(id="tab", desc=tab)
    assert set(hand.texts(id="order_status")) == statuses


def test_the_list_exceeds_a_screen(hand: Hand) -> None:
    assert not hand.sees(id="item_title", text_contains="庆余年")
    hand.scroll({"id": "item_title", "text_contains": "庆余年"}, {"id": "order_list"})


@pytest.mark.parametrize(
    ("words", "title"),
    [("手环", BAND), ("rk", "AULA"), ("295902617750", RICE), ("戴森", "Dyson")],
)
def test_orders_are_found_by_product_shop_and_number(hand: Hand, words: str, title: str) -> None:
    hand.tap(id="order_search_entry")
    hand.write(words, id="order_search")
    found = hand.texts(id="item_title")
    assert found
    assert len(hand.nodes(id="order_group")) == 1
    assert any(title.casefold() in text.casefold() for text in found) or words == "rk"


def test_a_search_without_results_is_closed_by_back(hand: Hand) -> None:
    hand.tap(id="order_search_entry")
    assert hand.node(id="order_search").focused
    hand.write("钢琴", id="order_search")
    assert hand.node(id="empty_text").text == "没有找到相关的订单"
    hand.back()
    hand.back()
    assert hand.sees(id="order_tabs")
    assert hand.sees(id="order_list")


def test_an_order_is_cancelled_with_a_reason(hand: Hand) -> None:
    hand.tap(id="order_cancel", inside=group(MILK))
    hand.tap(id="reason_submit")
    assert hand.toast == "请选择原因"
    hand.tap(id="reason", text="不想要了")
    assert hand.node(id="reason", text="不想要了").checked
    hand.tap(id="reason_submit")
    assert hand.node(id="order_status", inside=group(MILK)).text == "已取消"
    hand.stop()
    hand.open(names.ORDERS, tab="待付款")
    assert hand.node(id="empty_text").text == "您还没有相关的订单"


def test_a_cancelled_order_can_be_deleted(hand: Hand) -> None:
    hand.tap(id="order_cancel", inside=group(MILK))
    hand.tap(id="reason", text="其他原因")
    hand.tap(id="reason_submit")
    hand.tap(id="order_delete", inside=group(MILK))
    hand.tap(id="dialog_no")
    assert hand.sees(**group(MILK))
    hand.tap(id="order_delete", inside=group(MILK))
    hand.tap(id="dialog_yes")
    assert not hand.sees(**group(MILK))


def test_a_received_order_awaits_a_review(hand: Hand) -> None:
    hand.tap(id="order_confirm", inside=group(BAND))
    hand.tap(id="dialog_yes")
    assert hand.node(id="order_status", inside=group(BAND)).text == "待评价"
    hand.tab("我的")
    assert hand.node(id="order_count", inside={"id": "order_entry", "desc": "待收货"}).text == "2"
    assert hand.node(id="order_count", inside={"id": "order_entry", "desc": "待评价"}).text == "3"


def test_an_order_can_be_reordered(hand: Hand) -> None:
    hand.tap(id="order_again", inside=group(BAND))
    assert hand.toast == "加入购物车成功"
    hand.tab("购物车")
    assert hand.texts(id="item_title")[0].startswith(BAND)


def test_a_parcel_can_be_tracked(hand: Hand) -> None:
    hand.tap(id="order_track", inside=group(BAND))
    assert hand.node(id="track_number").text == "JDVA2208146370"
    assert len(hand.nodes(id="track_step")) == 4
    hand.tap(id="sheet_close")
    assert not hand.sees(id="track_sheet")


def test_a_return_is_requested(hand: Hand) -> None:
    hand.tap(id="tab", desc="待评价")
    hand.tap(id="order_return", inside=group(RICE))
    hand.tap(id="reason", text="商品与描述不符")
    hand.tap(id="reason_submit")
    hand.tap(id="tab", desc="退换/售后")
    assert hand.node(id="order_arrival", inside=group(RICE)).text == "退货申请已提交：商品与描述不符"


def test_unpaid_orders_open_the_cashier(hand: Hand) -> None:
    hand.tap(id="order_pay", inside=group(MILK))
    assert hand.node(id="pay_total").text == "¥105.8"


def test_the_list_loads_once_online() -> None:
    hand = Hand()
    hand.network(False)
    hand.open(names.ORDERS)
    assert hand.sees(id="network_error")
    hand.tap(id="retry")
    assert hand.toast.startswith("网络请求失败")
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="order_list")

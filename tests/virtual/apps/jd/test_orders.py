from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot

BAND = "小米手环8 NFC版"
MILK = "特仑苏"
RICE = "五常大米"


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.ORDERS)
    return robot


def group(title: str) -> dict[str, Any]:
    """Return the selector of what is inside the order of a product."""
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
def test_a_tab_shows_only_its_status(robot: Robot, tab: str, statuses: set[str]) -> None:
    robot.tap(id="tab", desc=tab)
    assert set(robot.texts(id="order_status")) == statuses


def test_the_list_exceeds_a_screen(robot: Robot) -> None:
    assert not robot.sees(id="item_title", text_contains="庆余年")
    robot.scroll({"id": "item_title", "text_contains": "庆余年"}, {"id": "order_list"})


@pytest.mark.parametrize(
    ("words", "title"),
    [("手环", BAND), ("rk", "AULA"), ("295902617750", RICE), ("戴森", "Dyson")],
)
def test_orders_are_found_by_product_shop_and_number(robot: Robot, words: str, title: str) -> None:
    robot.tap(id="order_search_entry")
    robot.write(words, id="order_search")
    found = robot.texts(id="item_title")
    assert found
    assert len(robot.nodes(id="order_group")) == 1
    assert any(title.casefold() in text.casefold() for text in found) or words == "rk"


def test_a_search_without_results_is_closed_by_back(robot: Robot) -> None:
    robot.tap(id="order_search_entry")
    assert robot.node(id="order_search").focused
    robot.write("钢琴", id="order_search")
    assert robot.node(id="empty_text").text == "没有找到相关的订单"
    robot.back()
    robot.back()
    assert robot.sees(id="order_tabs")
    assert robot.sees(id="order_list")


def test_an_order_is_cancelled_with_a_reason(robot: Robot) -> None:
    robot.tap(id="order_cancel", inside=group(MILK))
    robot.tap(id="reason_submit")
    assert robot.toast == "请选择原因"
    robot.tap(id="reason", text="不想要了")
    assert robot.node(id="reason", text="不想要了").checked
    robot.tap(id="reason_submit")
    assert robot.node(id="order_status", inside=group(MILK)).text == "已取消"
    robot.stop()
    robot.open(names.ORDERS, tab="待付款")
    assert robot.node(id="empty_text").text == "您还没有相关的订单"


def test_a_cancelled_order_can_be_deleted(robot: Robot) -> None:
    robot.tap(id="order_cancel", inside=group(MILK))
    robot.tap(id="reason", text="其他原因")
    robot.tap(id="reason_submit")
    robot.tap(id="order_delete", inside=group(MILK))
    robot.tap(id="dialog_no")
    assert robot.sees(**group(MILK))
    robot.tap(id="order_delete", inside=group(MILK))
    robot.tap(id="dialog_yes")
    assert not robot.sees(**group(MILK))


def test_a_received_order_awaits_a_review(robot: Robot) -> None:
    robot.tap(id="order_confirm", inside=group(BAND))
    robot.tap(id="dialog_yes")
    assert robot.node(id="order_status", inside=group(BAND)).text == "待评价"
    robot.tab("我的")
    assert robot.node(id="order_count", inside={"id": "order_entry", "desc": "待收货"}).text == "2"
    assert robot.node(id="order_count", inside={"id": "order_entry", "desc": "待评价"}).text == "3"


def test_an_order_can_be_reordered(robot: Robot) -> None:
    robot.tap(id="order_again", inside=group(BAND))
    assert robot.toast == "加入购物车成功"
    robot.tab("购物车")
    assert robot.texts(id="item_title")[0].startswith(BAND)


def test_a_parcel_can_be_tracked(robot: Robot) -> None:
    robot.tap(id="order_track", inside=group(BAND))
    assert robot.node(id="track_number").text == "JDVA2208146370"
    assert len(robot.nodes(id="track_step")) == 4
    robot.tap(id="sheet_close")
    assert not robot.sees(id="track_sheet")


def test_a_return_is_requested(robot: Robot) -> None:
    robot.tap(id="tab", desc="待评价")
    robot.tap(id="order_return", inside=group(RICE))
    robot.tap(id="reason", text="商品与描述不符")
    robot.tap(id="reason_submit")
    robot.tap(id="tab", desc="退换/售后")
    assert robot.node(id="order_arrival", inside=group(RICE)).text == "退货申请已提交：商品与描述不符"


def test_unpaid_orders_open_the_cashier(robot: Robot) -> None:
    robot.tap(id="order_pay", inside=group(MILK))
    assert robot.node(id="pay_total").text == "¥105.8"


def test_the_list_loads_once_online() -> None:
    robot = Robot()
    robot.network(False)
    robot.open(names.ORDERS)
    assert robot.sees(id="network_error")
    robot.tap(id="retry")
    assert robot.toast.startswith("网络请求失败")
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="order_list")

from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot

OFFICE = "科学院南路 8号 融科中心 B座 11层"


@pytest.fixture
def robot() -> Robot:
    """Return a robot on the order form of the lines selected in the cart."""
    robot = Robot()
    robot.tab("购物车")
    robot.tap(id="cart_settle")
    return robot


def test_the_best_coupon_is_preselected_and_can_be_removed(robot: Robot) -> None:
    assert robot.node(id="order_total").text == "¥142.5"
    robot.tap(id="order_coupon")
    robot.tap(id="coupon_choice", has={"text": "不使用优惠券"})
    assert robot.node(id="order_total").text == "¥150.5"
    assert robot.sees(id="row_value", text="1张可用")


def test_an_order_stores_address_note_and_discount(robot: Robot) -> None:
    robot.tap(id="order_address")
    robot.tap(id="address_choice", has={"text": OFFICE})
    robot.tap(id="delivery")
    robot.tap(id="delivery_choice", has={"text": "仅工作日送货"})
    robot.write("放在门口", id="order_note")
    robot.back()
    robot.tap(id="submit_order")
    assert robot.node(id="pay_total").text == "¥142.5"
    robot.back()
    robot.tap(id="dialog_yes")
    assert robot.node(id="order_shop").text in ("京东超市", "京东图书")
    robot.tap(id="order_card", has={"id": "item_title", "text_contains": "怡宝"})
    assert robot.node(id="order_status").text == "待付款"
    assert OFFICE in robot.node(id="order_place").text
    assert robot.node(id="order_total").text == "¥115.7"
    robot.scroll({"id": "fact_value", "text": "放在门口"}, {"id": "order_scroll"})
    robot.stop()
    assert robot.node(id="cart_count").text == "3"


def test_one_order_is_placed_per_shop(robot: Robot) -> None:
    robot.tap(id="submit_order")
    robot.back()
    robot.tap(id="dialog_yes")
    assert robot.node(id="title").text == "我的订单"
    robot.scroll({"id": "order_shop", "text": "京东图书"}, {"id": "order_list"})


def test_cash_on_delivery_confirms_the_order(robot: Robot) -> None:
    robot.tap(id="submit_order")
    robot.tap(id="pay_way", has={"id": "pay_way_text", "text": "货到付款"})
    assert robot.node(id="pay_way_check", desc="货到付款").checked
    assert not robot.node(id="pay_way_check", desc="白条").checked
    robot.tap(id="pay_now")
    assert robot.node(id="result_title").text == "订单提交成功"
    assert "¥142.5" in robot.node(id="result_note").text
    robot.tap(id="see_order")
    assert robot.node(id="tab", desc="待收货").selected
    assert robot.sees(id="item_title", text_contains="怡宝")


def test_other_payment_methods_require_an_unset_code(robot: Robot) -> None:
    robot.tap(id="submit_order")
    robot.tap(id="pay_now")
    assert "支付密码" in robot.node(id="dialog_message").text
    robot.tap(id="dialog_no")
    robot.tap(id="pay_way", has={"id": "pay_way_text", "text": "银行卡"})
    assert robot.node(id="pay_now").text == "银行卡 ¥142.5"
    robot.tap(id="pay_now")
    robot.tap(id="dialog_yes")
    assert robot.node(id="title").text == "支付设置"


def test_leaving_the_cashier_asks_for_confirmation(robot: Robot) -> None:
    robot.tap(id="submit_order")
    robot.tap(id="back")
    assert robot.sees(id="dialog")
    robot.tap(id="dialog_no")
    assert robot.sees(id="pay_ways")
    robot.back()
    robot.back()
    assert robot.sees(id="pay_ways")


def test_an_order_requires_an_address() -> None:
    robot = Robot()
    robot.open(names.ADDRESSES)
    for _ in range(3):
        robot.tap(id="address_remove")
        robot.tap(id="dialog_yes")
    robot.tab("购物车")
    robot.tap(id="cart_settle")
    robot.tap(id="submit_order")
    assert robot.toast == "请选择收货地址"
    assert robot.sees(text="添加收货地址")


def test_the_form_stays_open_offline(robot: Robot) -> None:
    robot.network(False)
    robot.tap(id="submit_order")
    assert robot.sees(id="order_form")
    robot.network(True)
    robot.tap(id="submit_order")
    assert robot.sees(id="pay_ways")


def test_an_empty_order_shows_a_notice() -> None:
    robot = Robot()
    robot.tab("购物车")
    robot.tap(id="check_all")
    robot.tap(id="check_all")
    robot.open(names.CHECKOUT)
    assert robot.node(id="empty_text").text == "没有要结算的商品"


def test_a_coupon_applies_to_a_single_order(robot: Robot) -> None:
    robot.tap(id="submit_order")
    robot.open(names.COUPONS)
    assert robot.texts(id="coupon_title") == ["自营图书品类券"]
    robot.tap(id="tab", desc="已使用")
    assert robot.texts(id="coupon_title") == ["京东超市通用券", "京东超市通用券"]


def test_the_default_payment_method_follows_the_settings(robot: Robot) -> None:
    robot.open(names.SETTINGS, page="pay")
    robot.tap(id="setting_item", has={"text": "默认支付方式"})
    robot.tap(id="setting_choice", text="货到付款")
    robot.open(names.CASHIER, total=100)
    assert robot.node(id="pay_now").text == "货到付款 ¥1"


def test_buying_directly_does_not_change_the_cart() -> None:
    robot = Robot()
    robot.open(names.CHECKOUT, product="yibao-555", options="555ml*24瓶", count=3)
    assert robot.node(id="item_count").text == "x3"
    robot.tap(id="submit_order")
    robot.stop()
    assert robot.node(id="cart_count").text == "7"


@pytest.mark.parametrize("options", ["", "没有", "555ml*24瓶\t红"])
def test_invalid_options_are_replaced(options: str) -> None:
    robot = Robot()
    robot.open(names.CHECKOUT, product="yibao-555", options=options, count=0)
    assert robot.node(id="spec_text").text == "555ml*24瓶"
    assert robot.node(id="item_count").text == "x1"

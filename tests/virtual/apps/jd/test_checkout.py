from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand

OFFICE = "科学院南路 8号 融科中心 B座 11层"


@pytest.fixture
def hand() -> Hand:
    """A hand on the form for what is ticked in the cart."""
    hand = Hand()
    hand.tab("购物车")
    hand.tap(id="cart_settle")
    return hand


def test_the_best_coupon_is_preselected_and_can_be_removed(hand: Hand) -> None:
    assert hand.node(id="order_total").text == "¥142.5"
    hand.tap(id="order_coupon")
    hand.tap(id="coupon_choice", has={"text": "不使用优惠券"})
    assert hand.node(id="order_total").text == "¥150.5"
    assert hand.sees(id="row_value", text="1张可用")


def test_an_order_stores_address_note_and_discount(hand: Hand) -> None:
    hand.tap(id="order_address")
    hand.tap(id="address_choice", has={"text": OFFICE})
    hand.tap(id="delivery")
    hand.tap(id="delivery_choice", has={"text": "仅工作日送货"})
    hand.write("放在门口", id="order_note")
    hand.back()
    hand.tap(id="submit_order")
    assert hand.node(id="pay_total").text == "¥142.5"
    hand.back()
    hand.tap(id="dialog_yes")
    assert hand.node(id="order_shop").text in ("京东超市", "京东图书")
    hand.tap(id="order_card", has={"id": "item_title", "text_contains": "怡宝"})
    assert hand.node(id="order_status").text == "待付款"
    assert OFFICE in hand.node(id="order_place").text
    assert hand.node(id="order_total").text == "¥115.7"
    hand.scroll({"id": "fact_value", "text": "放在门口"}, {"id": "order_scroll"})
    hand.stop()
    assert hand.node(id="cart_count").text == "3"


def test_one_order_is_placed_per_shop(hand: Hand) -> None:
    hand.tap(id="submit_order")
    hand.back()
    hand.tap(id="dialog_yes")
    assert hand.node(id="title").text == "我的订单"
    hand.scroll({"id": "order_shop", "text": "京东图书"}, {"id": "order_list"})


def test_cash_on_delivery_confirms_the_order(hand: Hand) -> None:
    hand.tap(id="submit_order")
    hand.tap(id="pay_way", has={"id": "pay_way_text", "text": "货到付款"})
    assert hand.node(id="pay_way_check", desc="货到付款").checked
    assert not hand.node(id="pay_way_check", desc="白条").checked
    hand.tap(id="pay_now")
    assert hand.node(id="result_title").text == "订单提交成功"
    assert "¥142.5" in hand.node(id="result_note").text
    hand.tap(id="see_order")
    assert hand.node(id="tab", desc="待收货").selected
    assert hand.sees(id="item_title", text_contains="怡宝")


def test_other_payment_methods_require_an_unset_code(hand: Hand) -> None:
    hand.tap(id="submit_order")
    hand.tap(id="pay_now")
    assert "支付密码" in hand.node(id="dialog_message").text
    hand.tap(id="dialog_no")
    hand.tap(id="pay_way", has={"id": "pay_way_text", "text": "银行卡"})
    assert hand.node(id="pay_now").text == "银行卡 ¥142.5"
    hand.tap(id="pay_now")
    hand.tap(id="dialog_yes")
    assert hand.node(id="title").text == "支付设置"


def test_leaving_the_cashier_asks_for_confirmation(hand: Hand) -> None:
    hand.tap(id="submit_order")
    hand.tap(id="back")
    assert hand.sees(id="dialog")
    hand.tap(id="dialog_no")
    assert hand.sees(id="pay_ways")
    hand.back()
    hand.back()
    assert hand.sees(id="pay_ways")


def test_an_order_requires_an_address() -> None:
    hand = Hand()
    hand.open(names.ADDRESSES)
    for _ in range(3):
        hand.tap(id="address_remove")
        hand.tap(id="dialog_yes")
    hand.tab("购物车")
    hand.tap(id="cart_settle")
    hand.tap(id="submit_order")
    assert hand.toast == "请选择收货地址"
    assert hand.sees(text="添加收货地址")


def test_the_form_stays_open_offline(hand: Hand) -> None:
    hand.network(False)
    hand.tap(id="submit_order")
    assert hand.sees(id="order_form")
    hand.network(True)
    hand.tap(id="submit_order")
    assert hand.sees(id="pay_ways")


def test_an_empty_order_shows_a_notice() -> None:
    hand = Hand()
    hand.tab("购物车")
    hand.tap(id="check_all")
    hand.tap(id="check_all")
    hand.open(names.CHECKOUT)
    assert hand.node(id="empty_text").text == "没有要结算的商品"


def test_a_coupon_applies_to_a_single_order(hand: Hand) -> None:
    hand.tap(id="submit_order")
    hand.open(names.COUPONS)
    assert hand.texts(id="coupon_title") == ["自营图书品类券"]
    hand.tap(id="tab", desc="已使用")
    assert hand.texts(id="coupon_title") == ["京东超市通用券", "京东超市通用券"]


def test_the_default_payment_method_follows_the_settings(hand: Hand) -> None:
    hand.open(names.SETTINGS, page="pay")
    hand.tap(id="setting_item", has={"text": "默认支付方式"})
    hand.tap(id="setting_choice", text="货到付款")
    hand.open(names.CASHIER, total=100)
    assert hand.node(id="pay_now").text == "货到付款 ¥1"


def test_buying_directly_does_not_change_the_cart() -> None:
    hand = Hand()
    hand.open(names.CHECKOUT, product="yibao-555", options="555ml*24瓶", count=3)
    assert hand.node(id="item_count").text == "x3"
    hand.tap(id="submit_order")
    hand.stop()
    assert hand.node(id="cart_count").text == "7"


@pytest.mark.parametrize("options", ["", "没有", "555ml*24瓶\t红"])
def test_invalid_options_are_replaced(options: str) -> None:
    hand = Hand()
    hand.open(names.CHECKOUT, product="yibao-555", options=options, count=0)
    assert hand.node(id="spec_text").text == "555ml*24瓶"
    assert hand.node(id="item_count").text == "x1"

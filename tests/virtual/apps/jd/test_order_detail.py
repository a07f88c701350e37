from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand

BOOKS = "296177905846"
RICE = "295902617750"


@pytest.fixture
def hand() -> Hand:
    return Hand("android-30:720x1280")


def test_an_order_shows_its_details(hand: Hand) -> None:
    hand.open(names.ORDER, order=BOOKS)
    assert hand.node(id="order_status").text == "待收货"
    assert len(hand.nodes(id="order_item")) == 2
    assert hand.node(id="cart_count").text == "7"
    hand.scroll({"id": "fact_value", "text": "JDVB7714025593"}, {"id": "order_scroll"})


def test_confirming_receipt_on_the_order_page(hand: Hand) -> None:
    hand.open(names.ORDER, order=BOOKS)
    hand.tap(id="order_confirm")
    hand.tap(id="dialog_yes")
    assert hand.node(id="order_status").text == "待评价"
    assert not hand.sees(id="order_confirm")


def test_contacting_the_shop_of_an_order(hand: Hand) -> None:
    hand.open(names.ORDER, order=BOOKS)
    hand.scroll({"id": "service_button"}, {"id": "order_scroll"})
    hand.tap(id="service_button")
    assert hand.node(id="chat_title").text == "京东图书"


def test_an_unknown_order_shows_a_notice(hand: Hand) -> None:
    hand.open(names.ORDER, order="1")
    assert hand.node(id="empty_text").text == "订单不存在"
    hand.open(names.ORDER_REVIEW, order="1")
    assert hand.node(id="empty_text").text == "订单不存在"


def test_a_review_needs_stars_and_persists(hand: Hand) -> None:
    hand.open(names.ORDER_REVIEW, order=RICE)
    hand.tap(id="review_submit")
    assert hand.toast == "请先给商品打分"
    hand.tap(id="review_star", desc="4星")
    assert hand.node(id="review_level").text == "好"
    hand.write("米很香", id="review_edit")
    hand.back()
    assert hand.node(id="review_length").text == "3/500"
    hand.tap(id="review_submit")
    hand.stop()
    hand.open(names.ORDER, order=RICE)
    assert hand.node(id="order_status").text == "已完成"
    hand.scroll({"id": "review_text", "text": "米很香"}, {"id": "order_scroll"})
    assert hand.node(id="review_level").text == "好"


def test_discarding_a_review_asks_for_confirmation(hand: Hand) -> None:
    hand.open(names.ORDER_REVIEW, order=RICE)
    hand.write("还没写完", id="review_edit")
    hand.back()
    hand.tap(id="back")
    assert hand.sees(id="dialog")
    hand.tap(id="dialog_no")
    assert hand.node(id="review_edit").text == "还没写完"
    hand.tap(id="back")
    hand.tap(id="dialog_yes")
    assert not hand.sees(id="review_edit")


def test_the_name_can_be_hidden(hand: Hand) -> None:
    hand.open(names.ORDER_REVIEW, order=RICE)
    assert not hand.node(id="review_anonymous").checked
    hand.tap(id="review_anonymous")
    assert hand.node(id="review_anonymous").checked

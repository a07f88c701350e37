from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot

BOOKS = "296177905846"
RICE = "295902617750"


@pytest.fixture
def robot() -> Robot:
    return Robot("android-30:720x1280")


def test_an_order_shows_its_details(robot: Robot) -> None:
    robot.open(names.ORDER, order=BOOKS)
    assert robot.node(id="order_status").text == "待收货"
    assert len(robot.nodes(id="order_item")) == 2
    assert robot.node(id="cart_count").text == "7"
    robot.scroll({"id": "fact_value", "text": "JDVB7714025593"}, {"id": "order_scroll"})


def test_confirming_receipt_on_the_order_page(robot: Robot) -> None:
    robot.open(names.ORDER, order=BOOKS)
    robot.tap(id="order_confirm")
    robot.tap(id="dialog_yes")
    assert robot.node(id="order_status").text == "待评价"
    assert not robot.sees(id="order_confirm")


def test_contacting_the_shop_of_an_order(robot: Robot) -> None:
    robot.open(names.ORDER, order=BOOKS)
    robot.scroll({"id": "service_button"}, {"id": "order_scroll"})
    robot.tap(id="service_button")
    assert robot.node(id="chat_title").text == "京东图书"


def test_an_unknown_order_shows_a_notice(robot: Robot) -> None:
    robot.open(names.ORDER, order="1")
    assert robot.node(id="empty_text").text == "订单不存在"
    robot.open(names.ORDER_REVIEW, order="1")
    assert robot.node(id="empty_text").text == "订单不存在"


def test_a_review_needs_stars_and_persists(robot: Robot) -> None:
    robot.open(names.ORDER_REVIEW, order=RICE)
    robot.tap(id="review_submit")
    assert robot.toast == "请先给商品打分"
    robot.tap(id="review_star", desc="4星")
    assert robot.node(id="review_level").text == "好"
    robot.write("米很香", id="review_edit")
    robot.back()
    assert robot.node(id="review_length").text == "3/500"
    robot.tap(id="review_submit")
    robot.stop()
    robot.open(names.ORDER, order=RICE)
    assert robot.node(id="order_status").text == "已完成"
    robot.scroll({"id": "review_text", "text": "米很香"}, {"id": "order_scroll"})
    assert robot.node(id="review_level").text == "好"


def test_discarding_a_review_asks_for_confirmation(robot: Robot) -> None:
    robot.open(names.ORDER_REVIEW, order=RICE)
    robot.write("还没写完", id="review_edit")
    robot.back()
    robot.tap(id="back")
    assert robot.sees(id="dialog")
    robot.tap(id="dialog_no")
    assert robot.node(id="review_edit").text == "还没写完"
    robot.tap(id="back")
    robot.tap(id="dialog_yes")
    assert not robot.sees(id="review_edit")


def test_the_name_can_be_hidden(robot: Robot) -> None:
    robot.open(names.ORDER_REVIEW, order=RICE)
    assert not robot.node(id="review_anonymous").checked
    robot.tap(id="review_anonymous")
    assert robot.node(id="review_anonymous").checked

from __future__ import annotations

import pytest

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.robot import Robot, line

TEA, PHONES = "Twinings Pure Green Tea", "Soundcore by Anker Q20i"


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.tab("Cart")
    return robot


def test_the_subtotal_counts_selected_lines(robot: Robot) -> None:
    assert robot.node(id="sc-subtotal").text == "$111.58"
    assert robot.node(id="sc-proceed-to-checkout").text == "Proceed to checkout (5 items)"
    robot.tap(id="sc-item-check", desc_contains=TEA)
    assert robot.node(id="sc-subtotal").text == "$91.96"
    robot.tap(id="sc-select-all")
    robot.tap(id="sc-select-all")
    assert robot.node(id="sc-subtotal").text == "$0.00"
    robot.tap(id="sc-proceed-to-checkout")
    assert robot.toast == "Select items to check out"


def test_the_quantity_is_changed_and_persists(robot: Robot) -> None:
    robot.tap(id="quantity_plus", inside=line(TEA))
    assert robot.sees(text="Quantity is 2", inside=line(TEA))
    robot.tap(id="quantity_dropdown", inside=line(TEA))
    robot.tap(id="quantity_choice", has={"text": "5"})
    robot.stop()
    robot.tab("Cart")
    assert robot.sees(text="Quantity is 5", inside=line(TEA))
    assert robot.node(id="cart_count").text == "9"


def test_decrementing_to_zero_deletes_the_line(robot: Robot) -> None:
    robot.tap(id="quantity_minus", inside=line(TEA))
    assert not robot.sees(**line(TEA))
    assert robot.node(id="cart_message").text.endswith("was removed from Shopping Cart.")


def test_saved_lines_move_back_to_the_cart(robot: Robot) -> None:
    robot.tap(id="sc-action-save-for-later", inside=line(TEA))
    assert not robot.sees(**line(TEA))
    saved = {"id": "sc-action-move-to-cart", "desc_contains": TEA}
    robot.scroll(saved, {"id": "sc-list"})
    robot.tap(**saved)
    robot.stop()
    robot.tab("Cart")
    assert robot.sees(**line(TEA))


def test_checkout_orders_the_selected_lines() -> None:
    robot = Robot()
    robot.tab("Cart")
    robot.tap(id="sc-item-check", desc_contains=TEA)
    robot.tap(id="sc-proceed-to-checkout")
    assert robot.node(id="order_total").text == "$91.96"
    robot.tap(id="checkout_payment")
    robot.tap(id="payment_choice", has={"text": "Mastercard ending in 7730"})
    robot.scroll({"id": "delivery_option", "desc": "Same-Day Delivery"}, {"id": "checkout_scroll"})
    robot.tap(id="delivery_option", desc="Same-Day Delivery")
    assert robot.node(id="order_total").text == "$101.95"
    robot.scroll({"id": "placeYourOrder"}, {"id": "checkout_scroll"})
    robot.tap(id="placeYourOrder")
    robot.tap(id="dialog_yes")
    assert robot.node(id="thank_you_title").text == "Order placed, thank you!"
    assert robot.node(id="thank_you_payment").text == "Mastercard ending in 7730"
    robot.tab("Cart")
    assert robot.sees(**line(TEA))
    assert not robot.sees(**line(PHONES))
    robot.open(names.ORDERS)
    assert "Soundcore" in robot.texts(id="item_title")[0]


def test_checkout_needs_a_network(robot: Robot) -> None:
    robot.network(False)
    robot.tap(id="sc-proceed-to-checkout")
    assert robot.toast == "You're offline. Check your network connection."
    assert robot.sees(id="sc-subtotal")

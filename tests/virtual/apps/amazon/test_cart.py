from __future__ import annotations

import pytest

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.hand import Hand, line

TEA, PHONES = "Twinings Pure Green Tea", "Soundcore by Anker Q20i"


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.tab("Cart")
    return hand


def test_the_subtotal_counts_selected_lines(hand: Hand) -> None:
    assert hand.node(id="sc-subtotal").text == "$111.58"
    assert hand.node(id="sc-proceed-to-checkout").text == "Proceed to checkout (5 items)"
    hand.tap(id="sc-item-check", desc_contains=TEA)
    assert hand.node(id="sc-subtotal").text == "$91.96"
    hand.tap(id="sc-select-all")
    hand.tap(id="sc-select-all")
    assert hand.node(id="sc-subtotal").text == "$0.00"
    hand.tap(id="sc-proceed-to-checkout")
    assert hand.toast == "Select items to check out"


def test_the_quantity_is_changed_and_persists(hand: Hand) -> None:
    hand.tap(id="quantity_plus", inside=line(TEA))
    assert hand.sees(text="Quantity is 2", inside=line(TEA))
    hand.tap(id="quantity_dropdown", inside=line(TEA))
    hand.tap(id="quantity_choice", has={"text": "5"})
    hand.stop()
    hand.tab("Cart")
    assert hand.sees(text="Quantity is 5", inside=line(TEA))
    assert hand.node(id="cart_count").text == "9"


def test_decrementing_to_zero_deletes_the_line(hand: Hand) -> None:
    hand.tap(id="quantity_minus", inside=line(TEA))
    assert not hand.sees(**line(TEA))
    assert hand.node(id="cart_message").text.endswith("was removed from Shopping Cart.")


def test_saved_lines_move_back_to_the_cart(hand: Hand) -> None:
    hand.tap(id="sc-action-save-for-later", inside=line(TEA))
    assert not hand.sees(**line(TEA))
    saved = {"id": "sc-action-move-to-cart", "desc_contains": TEA}
    hand.scroll(saved, {"id": "sc-list"})
    hand.tap(**saved)
    hand.stop()
    hand.tab("Cart")
    assert hand.sees(**line(TEA))


def test_checkout_orders_the_selected_lines() -> None:
    hand = Hand()
    hand.tab("Cart")
    hand.tap(id="sc-item-check", desc_contains=TEA)
    hand.tap(id="sc-proceed-to-checkout")
    assert hand.node(id="order_total").text == "$91.96"
    hand.tap(id="checkout_payment")
    hand.tap(id="payment_choice", has={"text": "Mastercard ending in 7730"})
    hand.scroll({"id": "delivery_option", "desc": "Same-Day Delivery"}, {"id": "checkout_scroll"})
    hand.tap(id="delivery_option", desc="Same-Day Delivery")
    assert hand.node(id="order_total").text == "$101.95"
    hand.scroll({"id": "placeYourOrder"}, {"id": "checkout_scroll"})
    hand.tap(id="placeYourOrder")
    hand.tap(id="dialog_yes")
    assert hand.node(id="thank_you_title").text == "Order placed, thank you!"
    assert hand.node(id="thank_you_payment").text == "Mastercard ending in 7730"
    hand.tab("Cart")
    assert hand.sees(**line(TEA))
    assert not hand.sees(**line(PHONES))
    hand.open(names.ORDERS)
    assert "Soundcore" in hand.texts(id="item_title")[0]


def test_checkout_needs_a_network(hand: Hand) -> None:
    hand.network(False)
    hand.tap(id="sc-proceed-to-checkout")
    assert hand.toast == "You're offline. Check your network connection."
    assert hand.sees(id="sc-subtotal")

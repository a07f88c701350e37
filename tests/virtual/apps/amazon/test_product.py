from __future__ import annotations

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.hand import Hand

PAGE = {"id": "product_scroll"}


def opened(product: str, profile: str = "android-34:1080x2400") -> Hand:
    hand = Hand(profile)
    hand.open(names.PRODUCT, product=product)
    return hand


def test_options_change_the_price_and_are_added_to_the_cart() -> None:
    hand = opened("duo-7in1")
    hand.scroll({"id": "variation_value", "text": "8 Quarts"}, PAGE)
    hand.tap(id="variation_value", text="8 Quarts")
    hand.scroll({"id": "add-to-cart-button"}, PAGE)
    assert hand.node(id="apex_price").text == "$139.95"
    hand.tap(id="quantity_dropdown")
    hand.tap(id="quantity_choice", has={"text": "2"})
    hand.tap(id="add-to-cart-button")
    assert hand.node(text="Added to your cart").text
    assert hand.node(id="added_options").text == "8 Quarts"
    hand.tap(id="added_go_to_cart")
    assert hand.sees(id="item_option", text="Size: 8 Quarts")
    assert hand.sees(text="Quantity is 2")


def test_a_list_is_selected_or_created() -> None:
    hand = opened("dune-1")
    hand.scroll({"id": "wishlistButtonViewStack"}, PAGE)
    hand.tap(id="wishlistButtonViewStack")
    hand.tap(id="list_create")
    hand.write("Desert", id="list_name_field")
    hand.tap(id="list_save")
    assert hand.node(id="kept_message").text == "Added to Desert"
    hand.tap(id="kept_continue")
    assert hand.node(id="wishlistButtonViewStack").desc == "View List, Desert"
    hand.tap(id="wishlistButtonViewStack")
    assert hand.node(id="list_title").text == "Desert"
    hand.tap(id="list_delete", desc_contains="Dune")
    assert hand.sees(id="empty_text", text="This list is empty")


def test_reviews_are_filtered_by_stars() -> None:
    hand = opened("dys-super")
    hand.scroll({"id": "histogram_row", "desc_contains": "have 1 stars"}, PAGE)
    hand.tap(id="histogram_row", desc_contains="have 1 stars")
    assert hand.node(id="review_count").text == "3 reviews, 1 star only"
    hand.tap(id="review_sort")
    hand.tap(id="sort_choice", has={"text": "Most recent"})
    assert hand.node(id="review_sort").text == "Most recent"


def test_a_new_question_can_be_posted() -> None:
    hand = Hand()
    hand.open(names.QUESTIONS, product="dune-1")
    hand.write("Is the map in colour?", id="question_field")
    hand.tap(id="question_post")
    assert hand.texts(id="question_text")[0] == "Q: Is the map in colour?"
    assert hand.texts(id="answer_text")[0] == "No answers yet"


def test_buy_now_orders_a_single_product() -> None:
    hand = opened("lego-orchid")
    hand.scroll({"id": "buy-now-button"}, PAGE)
    hand.tap(id="buy-now-button")
    assert hand.node(id="order_total").text == "$39.99"
    hand.tap(id="placeYourOrder", index=0)
    hand.tap(id="dialog_no")
    assert hand.sees(id="checkout_scroll")
    hand.tap(id="placeYourOrder", index=0)
    hand.tap(id="dialog_yes")
    assert hand.texts(id="item_title") == [
        "LEGO Icons Orchid Artificial Plant Building Set with Flowers, Mother's Day Decoration for Adults"
    ]
    assert hand.node(id="cart_count").text == "5"


def test_buy_now_can_be_switched_off() -> None:
    hand = Hand()
    hand.open(names.SETTINGS, page="purchase")
    hand.tap(id="setting_switch", desc="Buy Now")
    hand.open(names.PRODUCT, product="lego-orchid")
    hand.scroll({"id": "wishlistButtonViewStack"}, PAGE)
    assert not hand.sees(id="buy-now-button")


def test_an_unknown_product_shows_a_notice() -> None:
    assert opened("nowhere").node(id="empty_text").text == "Sorry, we couldn't find that page"


def test_viewed_products_are_added_to_the_history() -> None:
    hand = opened("sw-oled", "android-19:720x1280")
    hand.open(names.HISTORY)
    assert hand.texts(id="item_title")[0].startswith("Nintendo Switch - OLED")
    hand.tap(id="history_remove", desc_contains="Nintendo Switch - OLED")
    assert not hand.texts(id="item_title")[0].startswith("Nintendo Switch - OLED")
    hand.tap(id="history_manage")
    hand.tap(id="history_clear")
    hand.tap(id="dialog_yes")
    assert hand.sees(id="empty_text", text="You have no recently viewed items")

from __future__ import annotations

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.robot import Robot

PAGE = {"id": "product_scroll"}


def opened(product: str, profile: str = "android-34:1080x2400") -> Robot:
    robot = Robot(profile)
    robot.open(names.PRODUCT, product=product)
    return robot


def test_options_change_the_price_and_are_added_to_the_cart() -> None:
    robot = opened("duo-7in1")
    robot.scroll({"id": "variation_value", "text": "8 Quarts"}, PAGE)
    robot.tap(id="variation_value", text="8 Quarts")
    robot.scroll({"id": "add-to-cart-button"}, PAGE)
    assert robot.node(id="apex_price").text == "$139.95"
    robot.tap(id="quantity_dropdown")
    robot.tap(id="quantity_choice", has={"text": "2"})
    robot.tap(id="add-to-cart-button")
    assert robot.node(text="Added to your cart").text
    assert robot.node(id="added_options").text == "8 Quarts"
    robot.tap(id="added_go_to_cart")
    assert robot.sees(id="item_option", text="Size: 8 Quarts")
    assert robot.sees(text="Quantity is 2")


def test_a_list_is_selected_or_created() -> None:
    robot = opened("dune-1")
    robot.scroll({"id": "wishlistButtonViewStack"}, PAGE)
    robot.tap(id="wishlistButtonViewStack")
    robot.tap(id="list_create")
    robot.write("Desert", id="list_name_field")
    robot.tap(id="list_save")
    assert robot.node(id="kept_message").text == "Added to Desert"
    robot.tap(id="kept_continue")
    assert robot.node(id="wishlistButtonViewStack").desc == "View List, Desert"
    robot.tap(id="wishlistButtonViewStack")
    assert robot.node(id="list_title").text == "Desert"
    robot.tap(id="list_delete", desc_contains="Dune")
    assert robot.sees(id="empty_text", text="This list is empty")


def test_reviews_are_filtered_by_stars() -> None:
    robot = opened("dys-super")
    robot.scroll({"id": "histogram_row", "desc_contains": "have 1 stars"}, PAGE)
    robot.tap(id="histogram_row", desc_contains="have 1 stars")
    assert robot.node(id="review_count").text == "3 reviews, 1 star only"
    robot.tap(id="review_sort")
    robot.tap(id="sort_choice", has={"text": "Most recent"})
    assert robot.node(id="review_sort").text == "Most recent"


def test_a_new_question_can_be_posted() -> None:
    robot = Robot()
    robot.open(names.QUESTIONS, product="dune-1")
    robot.write("Is the map in colour?", id="question_field")
    robot.tap(id="question_post")
    assert robot.texts(id="question_text")[0] == "Q: Is the map in colour?"
    assert robot.texts(id="answer_text")[0] == "No answers yet"


def test_buy_now_orders_a_single_product() -> None:
    robot = opened("lego-orchid")
    robot.scroll({"id": "buy-now-button"}, PAGE)
    robot.tap(id="buy-now-button")
    assert robot.node(id="order_total").text == "$39.99"
    robot.tap(id="placeYourOrder", index=0)
    robot.tap(id="dialog_no")
    assert robot.sees(id="checkout_scroll")
    robot.tap(id="placeYourOrder", index=0)
    robot.tap(id="dialog_yes")
    assert robot.texts(id="item_title") == [
        "LEGO Icons Orchid Artificial Plant Building Set with Flowers, Mother's Day Decoration for Adults"
    ]
    assert robot.node(id="cart_count").text == "5"


def test_buy_now_can_be_switched_off() -> None:
    robot = Robot()
    robot.open(names.SETTINGS, page="purchase")
    robot.tap(id="setting_switch", desc="Buy Now")
    robot.open(names.PRODUCT, product="lego-orchid")
    robot.scroll({"id": "wishlistButtonViewStack"}, PAGE)
    assert not robot.sees(id="buy-now-button")


def test_an_unknown_product_shows_a_notice() -> None:
    assert opened("nowhere").node(id="empty_text").text == "Sorry, we couldn't find that page"


def test_viewed_products_are_added_to_the_history() -> None:
    robot = opened("sw-oled", "android-19:720x1280")
    robot.open(names.HISTORY)
    assert robot.texts(id="item_title")[0].startswith("Nintendo Switch - OLED")
    robot.tap(id="history_remove", desc_contains="Nintendo Switch - OLED")
    assert not robot.texts(id="item_title")[0].startswith("Nintendo Switch - OLED")
    robot.tap(id="history_manage")
    robot.tap(id="history_clear")
    robot.tap(id="dialog_yes")
    assert robot.sees(id="empty_text", text="You have no recently viewed items")

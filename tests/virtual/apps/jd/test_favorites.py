from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.FAVORITES)
    return hand


def test_the_list_exceeds_a_screen_and_opens_products(hand: Hand) -> None:
    hand.scroll({"id": "product_title", "text_contains": "R7000"}, {"id": "favorite_list"})
    hand.tap(id="product_title", text_contains="R7000")
    assert hand.sees(id="add_to_cart")


def test_removing_selected_favourites_asks_for_confirmation(hand: Hand) -> None:
    first = hand.texts(id="product_title")[0]
    hand.tap(id="manage")
    hand.tap(id="remove_favorites")
    assert hand.toast == "请选择要取消收藏的商品"
    hand.tap(id="favorite_check", index=0)
    assert hand.node(id="remove_favorites").text == "取消收藏(1)"
    hand.tap(id="remove_favorites")
    hand.tap(id="dialog_yes")
    assert first not in hand.texts(id="product_title")
    hand.stop()
    hand.tab("我的")
    assert hand.node(id="entry_value", inside={"id": "mine_entry", "desc": "商品收藏"}).text == "11"


def test_all_favourites_can_be_removed(hand: Hand) -> None:
    hand.tap(id="manage")
    hand.tap(id="check_all")
    assert hand.node(id="remove_favorites").text == "取消收藏(12)"
    hand.tap(id="remove_favorites")
    hand.tap(id="dialog_yes")
    assert hand.node(id="empty_text").text == "还没有收藏的商品"
    assert not hand.sees(id="manage")


def test_filtering_by_category(hand: Hand) -> None:
    hand.tap(id="favorite_category")
    hand.tap(id="category_choice", has={"text": "图书"})
    assert hand.node(id="favorite_category_text").text == "图书"
    assert hand.texts(id="product_title") == ["三体：全三册 刘慈欣代表作 雨果奖获奖作品 科幻小说"]
    hand.tap(id="favorite_category")
    hand.tap(id="category_choice", has={"text": "全部分类"})
    assert len(hand.texts(id="product_title")) > 3


def test_an_emptied_category_clears_the_filter(hand: Hand) -> None:
    hand.tap(id="favorite_category")
    hand.tap(id="category_choice", has={"text": "图书"})
    hand.tap(id="manage")
    hand.tap(id="check_all")
    hand.tap(id="remove_favorites")
    hand.tap(id="dialog_yes")
    assert hand.node(id="favorite_category_text").text == "全部分类"
    assert hand.sees(id="favorite_item")


def test_sorting_by_price(hand: Hand) -> None:
    hand.tap(id="favorite_order", text="低价优先")
    prices = [float(text.removeprefix("¥")) for text in hand.texts(id="price")]
    assert prices == sorted(prices)
    assert hand.texts(id="product_title")[0].startswith("三体")


def test_adding_a_favourite_to_the_cart(hand: Hand) -> None:
    first = hand.texts(id="product_title")[0]
    hand.tap(id="favorite_to_cart", index=0)
    assert hand.toast == "加入购物车成功"
    hand.tab("购物车")
    assert hand.texts(id="item_title")[0] == first


def test_a_long_press_removes_a_favourite(hand: Hand) -> None:
    first = hand.texts(id="product_title")[0]
    hand.hold(id="favorite_item", index=0)
    hand.tap(id="dialog_yes")
    assert first not in hand.texts(id="product_title")


def test_unfollowing_a_shop_asks_for_confirmation(hand: Hand) -> None:
    hand.tap(id="tab", desc="店铺")
    assert len(hand.nodes(id="shop_item")) == 9
    hand.tap(id="unfollow", inside={"id": "shop_item", "has": {"text": "RK外设旗舰店"}})
    hand.tap(id="dialog_no")
    assert hand.sees(id="shop_name", text="RK外设旗舰店")
    hand.tap(id="unfollow", inside={"id": "shop_item", "has": {"text": "RK外设旗舰店"}})
    hand.tap(id="dialog_yes")
    assert hand.toast == "已取消关注"
    hand.stop()
    hand.open(names.FAVORITES, tab="店铺")
    assert not hand.sees(id="shop_name", text="RK外设旗舰店")


def test_a_shop_opens(hand: Hand) -> None:
    hand.tap(id="tab", desc="店铺")
    hand.tap(id="shop_name", text="RK外设旗舰店")
    assert hand.sees(text="RK外设旗舰店")
    assert hand.facts().focus is not None
    assert hand.facts().focus.activity == names.SHOP  # type: ignore[union-attr]


def test_an_emptied_category_clears_the_filter_and_shows_the_cart(hand: Hand) -> None:
    hand.tap(id="favorite_category")
    hand.tap(id="category_choice", has={"text": "图书"})
    hand.tap(id="favorite_to_cart")
    assert hand.node(id="cart_count").text == "8"
    hand.hold(id="favorite_item", index=0)
    hand.tap(id="dialog_yes")
    assert hand.node(id="favorite_total").text == "共11件"
    hand.tap(id="cart_button")
    assert hand.node(id="cart_title").text == "购物车(8)"

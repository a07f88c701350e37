from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.FAVORITES)
    return robot


def test_the_list_exceeds_a_screen_and_opens_products(robot: Robot) -> None:
    robot.scroll({"id": "product_title", "text_contains": "R7000"}, {"id": "favorite_list"})
    robot.tap(id="product_title", text_contains="R7000")
    assert robot.sees(id="add_to_cart")


def test_removing_selected_favourites_asks_for_confirmation(robot: Robot) -> None:
    first = robot.texts(id="product_title")[0]
    robot.tap(id="manage")
    robot.tap(id="remove_favorites")
    assert robot.toast == "请选择要取消收藏的商品"
    robot.tap(id="favorite_check", index=0)
    assert robot.node(id="remove_favorites").text == "取消收藏(1)"
    robot.tap(id="remove_favorites")
    robot.tap(id="dialog_yes")
    assert first not in robot.texts(id="product_title")
    robot.stop()
    robot.tab("我的")
    assert robot.node(id="entry_value", inside={"id": "mine_entry", "desc": "商品收藏"}).text == "11"


def test_all_favourites_can_be_removed(robot: Robot) -> None:
    robot.tap(id="manage")
    robot.tap(id="check_all")
    assert robot.node(id="remove_favorites").text == "取消收藏(12)"
    robot.tap(id="remove_favorites")
    robot.tap(id="dialog_yes")
    assert robot.node(id="empty_text").text == "还没有收藏的商品"
    assert not robot.sees(id="manage")


def test_filtering_by_category(robot: Robot) -> None:
    robot.tap(id="favorite_category")
    robot.tap(id="category_choice", has={"text": "图书"})
    assert robot.node(id="favorite_category_text").text == "图书"
    assert robot.texts(id="product_title") == ["三体：全三册 刘慈欣代表作 雨果奖获奖作品 科幻小说"]
    robot.tap(id="favorite_category")
    robot.tap(id="category_choice", has={"text": "全部分类"})
    assert len(robot.texts(id="product_title")) > 3


def test_an_emptied_category_clears_the_filter(robot: Robot) -> None:
    robot.tap(id="favorite_category")
    robot.tap(id="category_choice", has={"text": "图书"})
    robot.tap(id="manage")
    robot.tap(id="check_all")
    robot.tap(id="remove_favorites")
    robot.tap(id="dialog_yes")
    assert robot.node(id="favorite_category_text").text == "全部分类"
    assert robot.sees(id="favorite_item")


def test_sorting_by_price(robot: Robot) -> None:
    robot.tap(id="favorite_order", text="低价优先")
    prices = [float(text.removeprefix("¥")) for text in robot.texts(id="price")]
    assert prices == sorted(prices)
    assert robot.texts(id="product_title")[0].startswith("三体")


def test_adding_a_favourite_to_the_cart(robot: Robot) -> None:
    first = robot.texts(id="product_title")[0]
    robot.tap(id="favorite_to_cart", index=0)
    assert robot.toast == "加入购物车成功"
    robot.tab("购物车")
    assert robot.texts(id="item_title")[0] == first


def test_a_long_press_removes_a_favourite(robot: Robot) -> None:
    first = robot.texts(id="product_title")[0]
    robot.hold(id="favorite_item", index=0)
    robot.tap(id="dialog_yes")
    assert first not in robot.texts(id="product_title")


def test_unfollowing_a_shop_asks_for_confirmation(robot: Robot) -> None:
    robot.tap(id="tab", desc="店铺")
    assert len(robot.nodes(id="shop_item")) == 9
    robot.tap(id="unfollow", inside={"id": "shop_item", "has": {"text": "RK外设旗舰店"}})
    robot.tap(id="dialog_no")
    assert robot.sees(id="shop_name", text="RK外设旗舰店")
    robot.tap(id="unfollow", inside={"id": "shop_item", "has": {"text": "RK外设旗舰店"}})
    robot.tap(id="dialog_yes")
    assert robot.toast == "已取消关注"
    robot.stop()
    robot.open(names.FAVORITES, tab="店铺")
    assert not robot.sees(id="shop_name", text="RK外设旗舰店")


def test_a_shop_opens(robot: Robot) -> None:
    robot.tap(id="tab", desc="店铺")
    robot.tap(id="shop_name", text="RK外设旗舰店")
    assert robot.sees(text="RK外设旗舰店")
    assert robot.facts().focus is not None
    assert robot.facts().focus.activity == names.SHOP  # type: ignore[union-attr]


def test_an_emptied_category_clears_the_filter_and_shows_the_cart(robot: Robot) -> None:
    robot.tap(id="favorite_category")
    robot.tap(id="category_choice", has={"text": "图书"})
    robot.tap(id="favorite_to_cart")
    assert robot.node(id="cart_count").text == "8"
    robot.hold(id="favorite_item", index=0)
    robot.tap(id="dialog_yes")
    assert robot.node(id="favorite_total").text == "共11件"
    robot.tap(id="cart_button")
    assert robot.node(id="cart_title").text == "购物车(8)"

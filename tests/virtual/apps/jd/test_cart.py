from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot, line

WATER = "怡宝 饮用水"
TISSUES = "原木纯品金装"
LILIES = "马蹄莲"


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.tab("购物车")
    return robot


def count(robot: Robot, title: str) -> str:
    return robot.node(id="quantity", inside=line(title)).text


def test_the_total_counts_selected_lines(robot: Robot) -> None:
    assert robot.node(id="cart_total").text == "¥150.5"
    assert robot.node(id="cart_settle").text == "去结算(4)"
    robot.tap(id="item_check", inside=line(WATER))
    assert robot.node(id="cart_total").text == "¥120.6"
    assert robot.node(id="cart_settle").text == "去结算(3)"
    robot.tap(id="check_all")
    robot.tap(id="check_all")
    assert robot.node(id="cart_total").text == "¥0"
    robot.tap(id="cart_settle")
    assert robot.toast == "请选择要结算的商品"


def test_a_shops_check_box_reflects_and_selects_its_lines(robot: Robot) -> None:
    check_box = {"id": "shop_check", "desc": "选择京东超市"}
    assert not robot.node(**check_box).checked
    robot.tap(id="item_check", inside=line(LILIES))
    assert robot.node(**check_box).checked
    robot.tap(**check_box)
    assert not any(
        robot.node(id="item_check", inside=line(title)).checked for title in (WATER, TISSUES, LILIES)
    )


def test_the_quantity_is_changed_and_persists(robot: Robot) -> None:
    robot.tap(id="quantity_plus", inside=line(WATER))
    assert count(robot, WATER) == "2"
    assert robot.node(id="cart_title").text == "购物车(8)"
    robot.tap(id="quantity", inside=line(TISSUES))
    robot.write("12", id="count_edit")
    robot.tap(id="dialog_yes")
    assert count(robot, TISSUES) == "12"
    robot.stop()
    robot.tab("购物车")
    assert (count(robot, WATER), count(robot, TISSUES)) == ("2", "12")


def test_the_quantity_has_limits(robot: Robot) -> None:
    robot.tap(id="quantity_minus", inside=line(WATER))
    assert robot.toast == "最少购买1件哦"
    assert count(robot, WATER) == "1"
    robot.tap(id="quantity", inside=line(WATER))
    robot.write("0", id="count_edit")
    robot.tap(id="dialog_yes")
    assert robot.toast == "请输入购买数量"
    robot.write("999", id="count_edit")
    robot.tap(id="dialog_yes")
    assert count(robot, WATER) == "200"


def test_other_options_change_the_price(robot: Robot) -> None:
    robot.scroll({"id": "spec_text", "text": "黑色，茶轴"}, {"id": "cart_list"})
    robot.tap(id="spec_text", text="黑色，茶轴")
    robot.tap(id="sku_option", text="白色")
    robot.tap(id="sku_confirm")
    assert robot.sees(id="spec_text", text="白色，茶轴")
    assert not robot.sees(id="sku_sheet")


def test_deleting_selected_lines_asks_for_confirmation(robot: Robot) -> None:
    robot.tap(id="cart_manage")
    robot.tap(id="cart_delete")
    assert robot.toast == "请选择要删除的商品"
    robot.tap(id="item_check", inside=line(WATER))
    assert robot.node(id="marked_count").text == "已选1种"
    robot.tap(id="cart_delete")
    robot.tap(id="dialog_no")
    assert robot.sees(**line(WATER))
    robot.tap(id="cart_delete")
    robot.tap(id="dialog_yes")
    assert not robot.sees(**line(WATER))
    robot.stop()
    robot.tab("购物车")
    assert not robot.sees(**line(WATER))
    assert robot.node(id="cart_title").text == "购物车(6)"


def test_a_long_press_deletes_a_line(robot: Robot) -> None:
    robot.hold(id="item_title", text_contains=WATER)
    robot.tap(id="dialog_yes")
    assert not robot.sees(**line(WATER))


def test_selected_lines_can_be_moved_to_the_favourites(robot: Robot) -> None:
    robot.tap(id="cart_manage")
    robot.tap(id="item_check", inside=line(WATER))
    robot.tap(id="cart_keep")
    robot.tap(id="dialog_yes")
    assert not robot.sees(**line(WATER))
    assert robot.node(id="cart_favorites").desc == "我的收藏,13"
    robot.tap(id="cart_favorites")
    assert robot.texts(id="product_title")[0].startswith(WATER)


def test_an_empty_cart_links_to_the_home_tab(robot: Robot) -> None:
    robot.tap(id="cart_manage")
    robot.tap(id="check_all")
    robot.tap(id="cart_delete")
    robot.tap(id="dialog_yes")
    assert robot.node(id="empty_text").text == "购物车空空如也，去逛逛吧"
    robot.tap(id="retry")
    assert robot.sees(id="search_bar")


def test_checkout_needs_a_network(robot: Robot) -> None:
    robot.network(False)
    robot.tap(id="cart_settle")
    assert robot.toast == "网络请求失败，请检查您的网络设置"
    assert robot.sees(id="cart_list")


def test_the_cart_page_has_a_back_button() -> None:
    robot = Robot("android-19:720x1280")
    robot.open(names.CART)
    robot.tap(id="back")
    assert robot.sees(id="navigation_bar")

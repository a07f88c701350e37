from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand, line

WATER = "怡宝 饮用水"
TISSUES = "原木纯品金装"
LILIES = "马蹄莲"


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.tab("购物车")
    return hand


def count(hand: Hand, title: str) -> str:
    return hand.node(id="quantity", inside=line(title)).text


def test_the_total_counts_selected_lines(hand: Hand) -> None:
    assert hand.node(id="cart_total").text == "¥150.5"
    assert hand.node(id="cart_settle").text == "去结算(4)"
    hand.tap(id="item_check", inside=line(WATER))
    assert hand.node(id="cart_total").text == "¥120.6"
    assert hand.node(id="cart_settle").text == "去结算(3)"
    hand.tap(id="check_all")
    hand.tap(id="check_all")
    assert hand.node(id="cart_total").text == "¥0"
    hand.tap(id="cart_settle")
    assert hand.toast == "请选择要结算的商品"


def test_a_shops_check_box_reflects_and_selects_its_lines(hand: Hand) -> None:
    mark = {"id": "shop_check", "desc": "选择京东超市"}
    assert not hand.node(**mark).checked
    hand.tap(id="item_check", inside=line(LILIES))
    assert hand.node(**mark).checked
    hand.tap(**mark)
    assert not any(
        hand.node(id="item_check", inside=line(title)).checked for title in (WATER, TISSUES, LILIES)
    )


def test_the_quantity_is_changed_and_persists(hand: Hand) -> None:
    hand.tap(id="quantity_plus", inside=line(WATER))
    assert count(hand, WATER) == "2"
    assert hand.node(id="cart_title").text == "购物车(8)"
    hand.tap(id="quantity", inside=line(TISSUES))
    hand.write("12", id="count_edit")
    hand.tap(id="dialog_yes")
    assert count(hand, TISSUES) == "12"
    hand.stop()
    hand.tab("购物车")
    assert (count(hand, WATER), count(hand, TISSUES)) == ("2", "12")


def test_the_quantity_has_limits(hand: Hand) -> None:
    hand.tap(id="quantity_minus", inside=line(WATER))
    assert hand.toast == "最少购买1件哦"
    assert count(hand, WATER) == "1"
    hand.tap(id="quantity", inside=line(WATER))
    hand.write("0", id="count_edit")
    hand.tap(id="dialog_yes")
    assert hand.toast == "请输入购买数量"
    hand.write("999", id="count_edit")
    hand.tap(id="dialog_yes")
    assert count(hand, WATER) == "200"


def test_other_options_change_the_price(hand: Hand) -> None:
    hand.scroll({"id": "spec_text", "text": "黑色，茶轴"}, {"id": "cart_list"})
    hand.tap(id="spec_text", text="黑色，茶轴")
    hand.tap(id="sku_option", text="白色")
    hand.tap(id="sku_confirm")
    assert hand.sees(id="spec_text", text="白色，茶轴")
    assert not hand.sees(id="sku_sheet")


def test_deleting_selected_lines_asks_for_confirmation(hand: Hand) -> None:
    hand.tap(id="cart_manage")
    hand.tap(id="cart_delete")
    assert hand.toast == "请选择要删除的商品"
    hand.tap(id="item_check", inside=line(WATER))
    assert hand.node(id="marked_count").text == "已选1种"
    hand.tap(id="cart_delete")
    hand.tap(id="dialog_no")
    assert hand.sees(**line(WATER))
    hand.tap(id="cart_delete")
    hand.tap(id="dialog_yes")
    assert not hand.sees(**line(WATER))
    hand.stop()
    hand.tab("购物车")
    assert not hand.sees(**line(WATER))
    assert hand.node(id="cart_title").text == "购物车(6)"


def test_a_long_press_deletes_a_line(hand: Hand) -> None:
    hand.hold(id="item_title", text_contains=WATER)
    hand.tap(id="dialog_yes")
    assert not hand.sees(**line(WATER))


def test_selected_lines_can_be_moved_to_the_favourites(hand: Hand) -> None:
    hand.tap(id="cart_manage")
    hand.tap(id="item_check", inside=line(WATER))
    hand.tap(id="cart_keep")
    hand.tap(id="dialog_yes")
    assert not hand.sees(**line(WATER))
    assert hand.node(id="cart_favorites").desc == "我的收藏,13"
    hand.tap(id="cart_favorites")
    assert hand.texts(id="product_title")[0].startswith(WATER)


def test_an_empty_cart_links_to_the_home_tab(hand: Hand) -> None:
    hand.tap(id="cart_manage")
    hand.tap(id="check_all")
    hand.tap(id="cart_delete")
    hand.tap(id="dialog_yes")
    assert hand.node(id="empty_text").text == "购物车空空如也，去逛逛吧"
    hand.tap(id="retry")
    assert hand.sees(id="search_bar")


def test_checkout_needs_a_network(hand: Hand) -> None:
    hand.network(False)
    hand.tap(id="cart_settle")
    assert hand.toast == "网络请求失败，请检查您的网络设置"
    assert hand.sees(id="cart_list")


def test_the_cart_page_has_a_back_button() -> None:
    hand = Hand("android-19:720x1280")
    hand.open(names.CART)
    hand.tap(id="back")
    assert hand.sees(id="navigation_bar")

from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.HISTORY)
    return hand


def test_days_are_headings_of_the_history(hand: Hand) -> None:
    assert hand.texts(id="history_day")[:2] == ["今天", "昨天"]
    hand.scroll({"id": "history_day", "text": "05月09日"}, {"id": "history_list"})


def test_viewed_products_come_first(hand: Hand) -> None:
    hand.open(names.PRODUCT, product="rice-cq")
    hand.open(names.HISTORY)
    assert "柴火大院" in hand.texts(id="product_title")[0]


def test_a_disabled_history_records_nothing(hand: Hand) -> None:
    before = hand.texts(id="product_title")[0]
    hand.open(names.SETTINGS, page="privacy")
    hand.tap(id="setting_switch", desc="记录浏览足迹")
    hand.open(names.PRODUCT, product="rice-cq")
    hand.open(names.HISTORY)
    assert hand.texts(id="product_title")[0] == before


def test_clearing_asks_for_confirmation_and_persists(hand: Hand) -> None:
    hand.tap(id="history_clear")
    hand.tap(id="dialog_no")
    assert hand.sees(id="history_item")
    hand.tap(id="history_clear")
    hand.tap(id="dialog_yes")
    assert hand.node(id="empty_text").text == "暂无浏览记录"
    hand.stop()
    hand.open(names.HISTORY)
    assert hand.sees(id="empty_text")
    assert not hand.sees(id="history_clear")


def test_selected_items_are_deleted(hand: Hand) -> None:
    first, second = hand.texts(id="product_title")[:2]
    hand.tap(id="history_manage")
    hand.tap(id="history_delete")
    assert hand.toast == "请选择要删除的浏览记录"
    hand.tap(id="history_check", index=0)
    assert hand.node(id="marked_count").text == "已选1条"
    hand.tap(id="history_delete")
    hand.tap(id="dialog_yes")
    assert hand.texts(id="product_title")[0] == second
    assert first not in hand.texts(id="product_title")
    assert not hand.sees(id="manage_bar")


def test_selecting_a_whole_day(hand: Hand) -> None:
    hand.tap(id="history_manage")
    hand.tap(id="day_check", desc="选择今天")
    assert hand.node(id="marked_count").text == "已选3条"
    hand.tap(id="history_check", index=0)
    assert not hand.node(id="day_check", desc="选择今天").checked
    hand.tap(id="check_all")
    assert hand.node(id="marked_count").text == "已选16条"


def test_a_long_press_deletes_an_item(hand: Hand) -> None:
    assert hand.node(id="history_total").text == "共16件商品"
    first = hand.texts(id="product_title")[0]
    hand.hold(id="history_item", index=0)
    hand.tap(id="dialog_yes")
    assert first not in hand.texts(id="product_title")
    assert hand.node(id="history_total").text == "共15件商品"

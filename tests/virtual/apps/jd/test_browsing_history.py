from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.HISTORY)
    return robot


def test_days_are_headings_of_the_history(robot: Robot) -> None:
    assert robot.texts(id="history_day")[:2] == ["今天", "昨天"]
    robot.scroll({"id": "history_day", "text": "05月09日"}, {"id": "history_list"})


def test_viewed_products_come_first(robot: Robot) -> None:
    robot.open(names.PRODUCT, product="rice-cq")
    robot.open(names.HISTORY)
    assert "柴火大院" in robot.texts(id="product_title")[0]


def test_a_disabled_history_records_nothing(robot: Robot) -> None:
    before = robot.texts(id="product_title")[0]
    robot.open(names.SETTINGS, page="privacy")
    robot.tap(id="setting_switch", desc="记录浏览足迹")
    robot.open(names.PRODUCT, product="rice-cq")
    robot.open(names.HISTORY)
    assert robot.texts(id="product_title")[0] == before


def test_clearing_asks_for_confirmation_and_persists(robot: Robot) -> None:
    robot.tap(id="history_clear")
    robot.tap(id="dialog_no")
    assert robot.sees(id="history_item")
    robot.tap(id="history_clear")
    robot.tap(id="dialog_yes")
    assert robot.node(id="empty_text").text == "暂无浏览记录"
    robot.stop()
    robot.open(names.HISTORY)
    assert robot.sees(id="empty_text")
    assert not robot.sees(id="history_clear")


def test_selected_items_are_deleted(robot: Robot) -> None:
    first, second = robot.texts(id="product_title")[:2]
    robot.tap(id="history_manage")
    robot.tap(id="history_delete")
    assert robot.toast == "请选择要删除的浏览记录"
    robot.tap(id="history_check", index=0)
    assert robot.node(id="marked_count").text == "已选1条"
    robot.tap(id="history_delete")
    robot.tap(id="dialog_yes")
    assert robot.texts(id="product_title")[0] == second
    assert first not in robot.texts(id="product_title")
    assert not robot.sees(id="manage_bar")


def test_selecting_a_whole_day(robot: Robot) -> None:
    robot.tap(id="history_manage")
    robot.tap(id="day_check", desc="选择今天")
    assert robot.node(id="marked_count").text == "已选3条"
    robot.tap(id="history_check", index=0)
    assert not robot.node(id="day_check", desc="选择今天").checked
    robot.tap(id="check_all")
    assert robot.node(id="marked_count").text == "已选16条"


def test_a_long_press_deletes_an_item(robot: Robot) -> None:
    assert robot.node(id="history_total").text == "共16件商品"
    first = robot.texts(id="product_title")[0]
    robot.hold(id="history_item", index=0)
    robot.tap(id="dialog_yes")
    assert first not in robot.texts(id="product_title")
    assert robot.node(id="history_total").text == "共15件商品"

from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot

HOME = "望京花园东区 12号楼 3单元 1602"
OFFICE = "科学院南路 8号 融科中心 B座 11层"


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.ADDRESSES)
    return robot


def place(detail: str) -> dict[str, Any]:
    """Return the selector of what is inside an address of the list."""
    return {"id": "address_item", "has": {"id": "address_detail", "text": detail}}


def test_setting_the_default_address(robot: Robot) -> None:
    robot.tap(id="address_default_text", inside=place(OFFICE))
    assert robot.toast == "设置成功"
    assert robot.texts(id="address_detail")[0] == OFFICE
    assert not robot.node(id="address_set_default", inside=place(HOME)).checked
    robot.stop()
    robot.open(names.CHECKOUT)
    assert robot.node(id="address_detail").text == OFFICE


def test_deleting_the_default_address_selects_another(robot: Robot) -> None:
    robot.tap(id="address_remove", inside=place(HOME))
    robot.tap(id="dialog_no")
    assert robot.sees(**place(HOME))
    robot.tap(id="address_remove", inside=place(HOME))
    robot.tap(id="dialog_yes")
    assert not robot.sees(**place(HOME))
    assert robot.node(id="address_set_default", inside=place(OFFICE)).checked


def test_an_empty_address_book_shows_a_notice(robot: Robot) -> None:
    for _ in range(3):
        robot.tap(id="address_remove", index=0)
        robot.tap(id="dialog_yes")
    assert robot.node(id="empty_text").text == "还没有收货地址"
    robot.tab("购物车")
    assert robot.node(id="cart_address").text == "选择地址"


def test_addresses_are_available_offline(robot: Robot) -> None:
    robot.network(False)
    robot.stop()
    robot.open(names.ADDRESSES)
    assert robot.sees(id="address_list")

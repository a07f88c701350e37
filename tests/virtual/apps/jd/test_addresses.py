from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand

HOME = "望京花园东区 12号楼 3单元 1602"
OFFICE = "科学院南路 8号 融科中心 B座 11层"


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.ADDRESSES)
    return hand


def place(detail: str) -> dict[str, Any]:
    """What is inside an address of the list."""
    return {"id": "address_item", "has": {"id": "address_detail", "text": detail}}


def test_setting_the_default_address(hand: Hand) -> None:
    hand.tap(id="address_default_text", inside=place(OFFICE))
    assert hand.toast == "设置成功"
    assert hand.texts(id="address_detail")[0] == OFFICE
    assert not hand.node(id="address_set_default", inside=place(HOME)).checked
    hand.stop()
    hand.open(names.CHECKOUT)
    assert hand.node(id="address_detail").text == OFFICE


def test_deleting_the_default_address_selects_another(hand: Hand) -> None:
    hand.tap(id="address_remove", inside=place(HOME))
    hand.tap(id="dialog_no")
    assert hand.sees(**place(HOME))
    hand.tap(id="address_remove", inside=place(HOME))
    hand.tap(id="dialog_yes")
    assert not hand.sees(**place(HOME))
    assert hand.node(id="address_set_default", inside=place(OFFICE)).checked


def test_an_empty_address_book_shows_a_notice(hand: Hand) -> None:
    for _ in range(3):
        hand.tap(id="address_remove", index=0)
        hand.tap(id="dialog_yes")
    assert hand.node(id="empty_text").text == "还没有收货地址"
    hand.tab("购物车")
    assert hand.node(id="cart_address").text == "选择地址"


def test_addresses_are_available_offline(hand: Hand) -> None:
    hand.network(False)
    hand.stop()
    hand.open(names.ADDRESSES)
    assert hand.sees(id="address_list")

"""JD without a network: what needs its servers changes nothing and shows a notice."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.page import NO_NETWORK
from tests.virtual.apps.jd.robot import Robot
from tests.virtual.apps.offline import ServerAction, assert_needs_network, opens, taps


def names_oneself(robot: Robot) -> None:
    robot.open(names.USER_INFO)
    robot.tap(text="昵称")
    robot.write("小京鱼", id="name_edit")


def fills_an_address(robot: Robot) -> None:
    robot.open(names.ADDRESSES)
    robot.tap(id="address_add")
    robot.write("周宁", id="address_name")
    robot.write("13700001234", id="address_phone")
    robot.back()
    robot.tap(id="address_region")
    for part in ("上海", "上海市", "徐汇区"):
        robot.scroll({"id": "region_text", "text": part}, {"id": "region_list"})
        robot.tap(id="region_text", text=part)
    robot.write("漕溪北路 8号", id="address_detail_edit")
    robot.back()


SERVER_ACTIONS = (
    ServerAction("new address", fills_an_address, taps({"id": "address_save"})),
    ServerAction(
        "default address",
        opens(names.ADDRESSES),
        lambda robot: robot.tap(id="address_set_default", checked=False, index=0),
    ),
    ServerAction(
        "address removed", opens(names.ADDRESSES), taps({"id": "address_remove"}, {"id": "dialog_yes"})
    ),
    ServerAction("nickname", names_oneself, taps({"id": "dialog_yes"})),
    ServerAction("cart", lambda robot: robot.tab("购物车"), taps({"id": "item_check", "index": 0})),
)


@pytest.mark.parametrize("action", SERVER_ACTIONS, ids=str)
def test_server_actions_need_a_network(action: ServerAction) -> None:
    assert_needs_network(Robot(), action, NO_NETWORK)

"""Amazon without a network: what needs its servers changes nothing and shows a notice."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.page import NO_NETWORK
from tests.virtual.apps.amazon.robot import Robot
from tests.virtual.apps.offline import ServerAction, assert_needs_network, opens, taps

SERVER_ACTIONS = (
    ServerAction("default address", opens(names.ADDRESSES), taps({"id": "address_set_default", "index": 0})),
    ServerAction(
        "address removed",
        opens(names.ADDRESSES),
        taps({"id": "address_remove", "index": 0}, {"id": "dialog_yes"}),
    ),
    ServerAction(
        "cart",
        lambda robot: (
            robot.open(names.RESULTS, query="tea")
            or robot.scroll({"id": "add_to_cart_inline"}, {"id": "rs_results_list"})
        ),
        taps({"id": "add_to_cart_inline", "index": 0}),
    ),
    ServerAction(
        "order archived",
        opens(names.ORDER, order="113-9027764-4405812"),
        lambda robot: (
            robot.scroll({"id": "archive_order"}, {"id": "order_scroll"}) or robot.tap(id="archive_order")
        ),
    ),
)


@pytest.mark.parametrize("action", SERVER_ACTIONS, ids=str)
def test_server_actions_need_a_network(action: ServerAction) -> None:
    assert_needs_network(Robot(), action, NO_NETWORK)


def test_an_unsent_message_stays_in_the_field_offline() -> None:
    robot = Robot()
    robot.open(names.CHAT)
    robot.write("Where is my refund?", id="chat_field")
    robot.network(False)
    robot.tap(id="chat_send")
    assert robot.toast == NO_NETWORK
    assert not robot.sees(id="chat_own")
    assert robot.text(id="chat_field") == "Where is my refund?"
    robot.network(True)
    robot.tap(id="chat_send")
    assert robot.texts(id="chat_own") == ["Where is my refund?"]

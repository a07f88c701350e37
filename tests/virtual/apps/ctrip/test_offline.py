"""Ctrip without a network: what needs its servers changes nothing and shows a notice."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.page import NO_NETWORK
from tests.virtual.apps.ctrip.robot import TALL, Robot
from tests.virtual.apps.offline import ServerAction, assert_needs_network, opens, taps

SERVER_ACTIONS = (
    ServerAction("favourite", opens(names.HOTEL, hotel="cx-atour"), taps({"id": "favorite_button"})),
    ServerAction("note liked", lambda robot: robot.tab("社区"), taps({"id": "note_like", "index": 0})),
    ServerAction(
        "traveller",
        lambda robot: robot.open(names.TRAVELLERS) or robot.tap(id="traveller_edit", desc="编辑周小唐"),
        lambda robot: (
            robot.write("13812345678", id="traveller_phone_input") or robot.tap(id="traveller_save")
        ),
    ),
)


@pytest.mark.parametrize("action", SERVER_ACTIONS, ids=str)
def test_server_actions_need_a_network(action: ServerAction) -> None:
    assert_needs_network(Robot(TALL), action, NO_NETWORK)

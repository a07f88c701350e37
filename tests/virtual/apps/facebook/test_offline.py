"""Facebook without a network: what needs its servers changes nothing and shows a notice."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook import names
from garabench.virtual.apps.facebook.page import NO_NETWORK
from tests.virtual.apps.facebook.robot import Robot, post
from tests.virtual.apps.offline import ServerAction, assert_needs_network, opens, taps

LIKE = {"desc_contains": "Like button", "inside": post("First loaf from the new starter")}
SERVER_ACTIONS = (
    ServerAction("friend", opens(names.PROFILE, who="kenji"), taps({"desc": "Add Kenji Okafor as a friend"})),
    ServerAction("group", opens(names.GROUP, group="boardgames"), taps({"desc": "Join group"})),
    ServerAction(
        "reaction",
        lambda robot: robot.scroll(LIKE, {"id": "feed"}),
        lambda robot: robot.hold(**LIKE) or robot.tap(desc="Wow"),
    ),
)


@pytest.mark.parametrize("action", SERVER_ACTIONS, ids=str)
def test_server_actions_need_a_network(action: ServerAction) -> None:
    assert_needs_network(Robot(), action, NO_NETWORK)

"""Weibo without a network: what needs its servers changes nothing and shows a notice."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.page import WeiboPage
from tests.virtual.apps.offline import ServerAction, assert_needs_network, opens, taps
from tests.virtual.apps.weibo.robot import Robot

FOLLOW = {"id": "btn_follow", "inside": {"id": "profile_toolbar"}}
SERVER_ACTIONS = (
    ServerAction(
        "blocklist", opens(names.BLOCKLIST), taps({"id": "black_remove", "index": 0}, {"id": "alert_yes"})
    ),
    ServerAction("follow", opens(names.PROFILE, user="cctv"), taps(FOLLOW)),
    ServerAction(
        "shielded word",
        opens(names.WORDS),
        lambda robot: robot.write("露营", id="word_edit") or robot.tap(id="word_add"),
    ),
    ServerAction(
        "introduction",
        opens(names.EDIT_PROFILE),
        lambda robot: robot.write("晴天", submit=True, id="edit_sign"),
    ),
)


@pytest.mark.parametrize("action", SERVER_ACTIONS, ids=str)
def test_server_actions_need_a_network(action: ServerAction) -> None:
    assert_needs_network(Robot(), action, WeiboPage.no_network)

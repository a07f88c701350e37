"""Bilibili without a network: what needs its servers changes nothing and shows a notice."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.app import APP
from garabench.virtual.apps.bilibili.page import BilibiliPage
from tests.virtual.apps.offline import ServerAction, assert_needs_network, opens, taps
from tests.virtual.apps.robot import AppRobot

VIDEO = next(iter(content.videos().values()))
SERVER_ACTIONS = (
    ServerAction("like", opens(names.VIDEO, video=VIDEO.id), taps({"id": "frame_like"})),
    ServerAction("follow", opens(names.SPACE, uploader=VIDEO.uploader), taps({"id": "follow", "index": 0})),
)


@pytest.mark.parametrize("action", SERVER_ACTIONS, ids=str)
def test_server_actions_need_a_network(action: ServerAction) -> None:
    assert_needs_network(AppRobot(APP), action, BilibiliPage.no_network)

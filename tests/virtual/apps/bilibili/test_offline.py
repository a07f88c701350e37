from __future__ import annotations

import pytest

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.app import APP
from garabench.virtual.apps.bilibili.page import BilibiliPage
from tests.virtual.apps.hand import AppHand
from tests.virtual.apps.offline import Act, opens, taps, wants_servers

VIDEO = next(iter(content.videos().values()))
ACTS = (
    Act("like", opens(names.VIDEO, video=VIDEO.id), taps({"id": "frame_like"})),
    Act("follow", opens(names.SPACE, uploader=VIDEO.uploader), taps({"id": "follow", "index": 0})),
)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_server_actions_need_a_network(act: Act) -> None:
    wants_servers(AppHand(APP), act, BilibiliPage.no_network)

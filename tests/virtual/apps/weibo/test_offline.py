from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.page import WeiboPage
from tests.virtual.apps.offline import Act, opens, taps, wants_servers
from tests.virtual.apps.weibo.hand import Hand

FOLLOW = {"id": "btn_follow", "inside": {"id": "profile_toolbar"}}
ACTS = (
    Act("blocklist", opens(names.BLOCKLIST), taps({"id": "black_remove", "index": 0}, {"id": "alert_yes"})),
    Act("follow", opens(names.PROFILE, user="cctv"), taps(FOLLOW)),
    Act(
        "shielded word",
        opens(names.WORDS),
        lambda hand: hand.write("露营", id="word_edit") or hand.tap(id="word_add"),
    ),
    Act(
        "introduction",
        opens(names.EDIT_PROFILE),
        lambda hand: hand.write("晴天", submit=True, id="edit_sign"),
    ),
)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_server_actions_need_a_network(act: Act) -> None:
    wants_servers(Hand(), act, WeiboPage.no_network)

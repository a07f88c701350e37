from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook import names
from garabench.virtual.apps.facebook.page import NO_NETWORK
from tests.virtual.apps.facebook.hand import Hand, post
from tests.virtual.apps.offline import Act, opens, taps, wants_servers

LIKE = {"desc_contains": "Like button", "inside": post("First loaf from the new starter")}
ACTS = (
    Act("friend", opens(names.PROFILE, who="kenji"), taps({"desc": "Add Kenji Okafor as a friend"})),
    Act("group", opens(names.GROUP, group="boardgames"), taps({"desc": "Join group"})),
    Act(
        "reaction",
        lambda hand: hand.scroll(LIKE, {"id": "feed"}),
        lambda hand: hand.hold(**LIKE) or hand.tap(desc="Wow"),
    ),
)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_server_actions_need_a_network(act: Act) -> None:
    wants_servers(Hand(), act, NO_NETWORK)

from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.page import NO_NETWORK
from tests.virtual.apps.ctrip.hand import TALL, Hand
from tests.virtual.apps.offline import Act, opens, taps, wants_servers

ACTS = (
    Act("favourite", opens(names.HOTEL, hotel="cx-atour"), taps({"id": "favorite_button"})),
    Act("note liked", lambda hand: hand.tab("社区"), taps({"id": "note_like", "index": 0})),
    Act(
        "traveller",
        lambda hand: hand.open(names.TRAVELLERS) or hand.tap(id="traveller_edit", desc="编辑周小唐"),
        lambda hand: hand.write("13812345678", id="traveller_phone_input") or hand.tap(id="traveller_save"),
    ),
)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_server_actions_need_a_network(act: Act) -> None:
    wants_servers(Hand(TALL), act, NO_NETWORK)

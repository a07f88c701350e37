from __future__ import annotations

import pytest

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.page import NO_NETWORK
from tests.virtual.apps.amazon.hand import Hand
from tests.virtual.apps.offline import Act, opens, taps, wants_servers

ACTS = (
    Act("default address", opens(names.ADDRESSES), taps({"id": "address_set_default", "index": 0})),
    Act(
        "address removed",
        opens(names.ADDRESSES),
        taps({"id": "address_remove", "index": 0}, {"id": "dialog_yes"}),
    ),
    Act(
        "cart",
        lambda hand: (
            hand.open(names.RESULTS, query="tea")
            or hand.scroll({"id": "add_to_cart_inline"}, {"id": "rs_results_list"})
        ),
        taps({"id": "add_to_cart_inline", "index": 0}),
    ),
    Act(
        "order archived",
        opens(names.ORDER, order="113-9027764-4405812"),
        lambda hand: (
            hand.scroll({"id": "archive_order"}, {"id": "order_scroll"}) or hand.tap(id="archive_order")
        ),
    ),
)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_server_actions_need_a_network(act: Act) -> None:
    wants_servers(Hand(), act, NO_NETWORK)


def test_an_unsent_message_stays_in_the_field_offline() -> None:
    hand = Hand()
    hand.open(names.CHAT)
    hand.write("Where is my refund?", id="chat_field")
    hand.network(False)
    hand.tap(id="chat_send")
    assert hand.toast == NO_NETWORK
    assert not hand.sees(id="chat_own")
    assert hand.text(id="chat_field") == "Where is my refund?"
    hand.network(True)
    hand.tap(id="chat_send")
    assert hand.texts(id="chat_own") == ["Where is my refund?"]

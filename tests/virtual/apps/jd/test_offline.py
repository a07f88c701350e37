from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.page import NO_NETWORK
from tests.virtual.apps.jd.hand import Hand
from tests.virtual.apps.offline import Act, opens, taps, wants_servers


def names_oneself(hand: Hand) -> None:
    hand.open(names.USER_INFO)
    hand.tap(text="昵称")
    hand.write("小京鱼", id="name_edit")


def fills_an_address(hand: Hand) -> None:
    hand.open(names.ADDRESSES)
    hand.tap(id="address_add")
    hand.write("周宁", id="address_name")
    hand.write("13700001234", id="address_phone")
    hand.back()
    hand.tap(id="address_region")
    for part in ("上海", "上海市", "徐汇区"):
        hand.scroll({"id": "region_text", "text": part}, {"id": "region_list"})
        hand.tap(id="region_text", text=part)
    hand.write("漕溪北路 8号", id="address_detail_edit")
    hand.back()


ACTS = (
    Act("new address", fills_an_address, taps({"id": "address_save"})),
    Act(
        "default address",
        opens(names.ADDRESSES),
        lambda hand: hand.tap(id="address_set_default", checked=False, index=0),
    ),
    Act("address removed", opens(names.ADDRESSES), taps({"id": "address_remove"}, {"id": "dialog_yes"})),
    Act("nickname", names_oneself, taps({"id": "dialog_yes"})),
    Act("cart", lambda hand: hand.tab("购物车"), taps({"id": "item_check", "index": 0})),
)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_server_actions_need_a_network(act: Act) -> None:
    wants_servers(Hand(), act, NO_NETWORK)

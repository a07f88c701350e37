from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.hand import Hand


def ticket(title: str) -> dict[str, Any]:
    """What is inside a coupon."""
    return {"id": "coupon_item", "has": {"id": "coupon_title", "text": title}}


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_a_claimed_coupon_is_usable_and_persists(hand: Hand) -> None:
    hand.open(names.COUPON_CENTER)
    hand.tap(id="tab", desc="图书")
    hand.tap(id="coupon_claim", inside=ticket("图书大额券"))
    assert hand.toast == "领取成功"
    assert not hand.sees(id="coupon_claim", inside=ticket("图书大额券"))
    hand.stop()
    hand.open(names.COUPONS)
    assert hand.texts(id="coupon_title")[0] == "图书大额券"
    hand.tap(id="coupon_use", inside=ticket("图书大额券"))
    assert hand.facts().focus.activity == names.RESULTS  # type: ignore[union-attr]


def test_a_scope_shows_only_its_coupons(hand: Hand) -> None:
    hand.open(names.COUPON_CENTER)
    hand.tap(id="tab", desc="家电")
    assert hand.texts(id="coupon_title") == ["厨房小电券", "生活电器券"]


def test_the_coupon_center_exceeds_a_screen() -> None:
    hand = Hand("android-30:720x1280")
    hand.open(names.COUPON_CENTER)
    hand.scroll({"id": "coupon_title", "text": "美妆护肤券"}, {"id": "center_list"})


@pytest.mark.parametrize(
    ("state", "titles"), [("已使用", ["京东超市通用券"]), ("已过期", ["配件满减券", "读书日券"])]
)
def test_expired_coupons_cannot_be_used(hand: Hand, state: str, titles: list[str]) -> None:
    hand.open(names.COUPONS)
    hand.tap(id="tab", desc=state)
    assert hand.texts(id="coupon_title") == titles
    assert not hand.sees(id="coupon_use")


def test_claiming_needs_a_network(hand: Hand) -> None:
    hand.open(names.COUPON_CENTER)
    hand.network(False)
    hand.tap(id="coupon_claim", index=0)
    assert hand.toast.startswith("网络请求失败")
    assert not hand.sees(id="coupon_use")


def test_a_claimed_coupon_applies_to_the_order(hand: Hand) -> None:
    hand.open(names.COUPON_CENTER)
    hand.tap(id="tab", desc="超市")
    hand.tap(id="coupon_claim", inside=ticket("超市满减券"))
    hand.open(names.CHECKOUT)
    hand.tap(id="order_coupon")
    assert len(hand.nodes(id="coupon_choice")) == 3


def test_members_can_claim_a_monthly_coupon(hand: Hand) -> None:
    hand.open(names.PLUS)
    hand.tap(id="plus_claim")
    assert hand.toast == "领取成功"
    assert hand.node(id="plus_claim").text == "已领取"
    hand.tap(id="plus_claim")
    assert hand.toast == "已放入您的优惠券"
    hand.open(names.COUPONS)
    assert hand.texts(id="coupon_title").count("运费券") == 1

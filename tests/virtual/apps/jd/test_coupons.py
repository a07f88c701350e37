from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot


def ticket(title: str) -> dict[str, Any]:
    """Return the selector of what is inside a coupon."""
    return {"id": "coupon_item", "has": {"id": "coupon_title", "text": title}}


@pytest.fixture
def robot() -> Robot:
    return Robot()


def test_a_claimed_coupon_is_usable_and_persists(robot: Robot) -> None:
    robot.open(names.COUPON_CENTER)
    robot.tap(id="tab", desc="图书")
    robot.tap(id="coupon_claim", inside=ticket("图书大额券"))
    assert robot.toast == "领取成功"
    assert not robot.sees(id="coupon_claim", inside=ticket("图书大额券"))
    robot.stop()
    robot.open(names.COUPONS)
    assert robot.texts(id="coupon_title")[0] == "图书大额券"
    robot.tap(id="coupon_use", inside=ticket("图书大额券"))
    assert robot.facts().focus.activity == names.RESULTS  # type: ignore[union-attr]


def test_a_scope_shows_only_its_coupons(robot: Robot) -> None:
    robot.open(names.COUPON_CENTER)
    robot.tap(id="tab", desc="家电")
    assert robot.texts(id="coupon_title") == ["厨房小电券", "生活电器券"]


def test_the_coupon_center_exceeds_a_screen() -> None:
    robot = Robot("android-30:720x1280")
    robot.open(names.COUPON_CENTER)
    robot.scroll({"id": "coupon_title", "text": "美妆护肤券"}, {"id": "center_list"})


@pytest.mark.parametrize(
    ("state", "titles"), [("已使用", ["京东超市通用券"]), ("已过期", ["配件满减券", "读书日券"])]
)
def test_expired_coupons_cannot_be_used(robot: Robot, state: str, titles: list[str]) -> None:
    robot.open(names.COUPONS)
    robot.tap(id="tab", desc=state)
    assert robot.texts(id="coupon_title") == titles
    assert not robot.sees(id="coupon_use")


def test_claiming_needs_a_network(robot: Robot) -> None:
    robot.open(names.COUPON_CENTER)
    robot.network(False)
    robot.tap(id="coupon_claim", index=0)
    assert robot.toast.startswith("网络请求失败")
    assert not robot.sees(id="coupon_use")


def test_a_claimed_coupon_applies_to_the_order(robot: Robot) -> None:
    robot.open(names.COUPON_CENTER)
    robot.tap(id="tab", desc="超市")
    robot.tap(id="coupon_claim", inside=ticket("超市满减券"))
    robot.open(names.CHECKOUT)
    robot.tap(id="order_coupon")
    assert len(robot.nodes(id="coupon_choice")) == 3


def test_members_can_claim_a_monthly_coupon(robot: Robot) -> None:
    robot.open(names.PLUS)
    robot.tap(id="plus_claim")
    assert robot.toast == "领取成功"
    assert robot.node(id="plus_claim").text == "已领取"
    robot.tap(id="plus_claim")
    assert robot.toast == "已放入您的优惠券"
    robot.open(names.COUPONS)
    assert robot.texts(id="coupon_title").count("运费券") == 1

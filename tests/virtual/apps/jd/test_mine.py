from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.app import APP
from tests.cases import every_case
from tests.virtual.apps.jd.robot import Robot


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.tab("我的")
    return robot


@pytest.mark.parametrize(
    ("selector", "activity"),
    [
        ({"id": "mine_entry", "desc": "商品收藏"}, names.FAVORITES),
        ({"id": "mine_entry", "desc": "店铺关注"}, names.FAVORITES),
        ({"id": "mine_entry", "desc": "浏览记录"}, names.HISTORY),
        ({"id": "mine_entry", "desc": "优惠券"}, names.COUPONS),
        ({"id": "order_entry", "desc": "待付款"}, names.ORDERS),
        ({"id": "order_entry", "desc": "退换/售后"}, names.ORDERS),
        ({"id": "order_entry", "desc": "全部订单"}, names.ORDERS),
        ({"id": "tool", "desc": "客户服务"}, names.CHAT),
        ({"id": "tool", "desc": "地址"}, names.ADDRESSES),
        ({"id": "tool", "desc": "领券中心"}, names.COUPON_CENTER),
        ({"id": "tool", "desc": "个人信息"}, names.USER_INFO),
        ({"id": "tool", "desc": "京东超市"}, names.RESULTS),
        ({"id": "plus_entry"}, names.PLUS),
        ({"id": "user_face"}, names.USER_INFO),
        ({"id": "mine_settings"}, names.SETTINGS),
    ],
)
def test_every_entry_opens_its_page(robot: Robot, selector: dict[str, str], activity: str) -> None:
    robot.tap(**selector)
    assert robot.facts().focus.activity == activity  # type: ignore[union-attr]
    robot.back()
    assert robot.sees(id="mine_scroll")


def test_counts_match_the_lists(robot: Robot) -> None:
    numbers = dict(zip(robot.texts(id="entry_label"), robot.texts(id="entry_value"), strict=False))
    assert numbers["商品收藏"] == "12"
    assert numbers["店铺关注"] == "9"
    assert numbers["浏览记录"] == "16"
    robot.tap(id="mine_entry", desc="店铺关注")
    assert robot.node(id="tab", desc="店铺").selected


def test_recommendations_are_below(robot: Robot) -> None:
    robot.scroll({"text": "为你推荐"}, {"id": "mine_scroll"})
    robot.scroll({"id": "product_item"}, {"id": "mine_scroll"})


def test_the_tab_is_available_offline() -> None:
    robot = Robot()
    robot.network(False)
    robot.stop()
    robot.tab("我的")
    assert robot.sees(id="mine_scroll")


@every_case("profile", ["android-19:720x1280", "android-34:1080x2400"])
@every_case("name", APP.activities)
def test_clickable_widgets_are_on_screen(name: str, profile: str) -> None:
    robot = Robot(profile)
    robot.open(name, order="296180453217", address="home", shop="rk", product="keyboard-aula", query="键盘")
    width = robot.phone.display.current_size.width
    touchable = [node for node in robot.facts().tree.nodes if node.clickable]
    assert touchable
    for node in touchable:
        assert 0 <= node.bounds.left < node.bounds.right <= width, node.resource_id

from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import names
from tests.virtual.apps.jd.robot import Robot

TITLES = {"id": "product_title"}


@pytest.fixture
def robot() -> Robot:
    robot = Robot("android-34:1440x3120")
    robot.open(names.RESULTS, query="加湿器")
    return robot


def prices(robot: Robot) -> list[float]:
    """Return the prices of the results, without those of related products."""
    ends = [node.bounds.top for node in robot.nodes(id="also_title")] or [10_000]
    shown = [node for node in robot.nodes(id="price") if node.bounds.top < ends[0]]
    return [float(node.text.lstrip("¥")) for node in shown]


def test_sorting_by_price_toggles_the_direction(robot: Robot) -> None:
    robot.tap(text="价格")
    up = prices(robot)
    assert up == sorted(up)
    assert len(up) >= 4
    robot.tap(text="价格")
    assert prices(robot) == up[::-1]
    robot.tap(text="综合推荐")
    assert sorted(prices(robot)) == up


def test_a_reversed_price_range_is_swapped(robot: Robot) -> None:
    robot.tap(text="筛选")
    robot.write("200", id="price_min")
    robot.write("100", id="price_max")
    robot.back()  # the keyboard
    robot.tap(id="filter_confirm")
    assert prices(robot)
    assert all(100 <= price <= 200 for price in prices(robot))


def test_filters_apply_only_after_confirmation(robot: Robot) -> None:
    before = prices(robot)
    robot.tap(text="筛选")
    robot.tap(id="filter_option", text="小熊")
    robot.back()
    assert prices(robot) == before
    robot.tap(text="筛选")
    robot.tap(id="filter_option", text="小熊")
    robot.tap(id="filter_confirm")
    filtered = prices(robot)
    assert 0 < len(filtered) < len(before)
    assert all("小熊" in title for title in robot.texts(**TITLES)[: len(filtered)])


def test_filters_without_results_can_be_cleared(robot: Robot) -> None:
    everything = prices(robot)
    robot.tap(text="筛选")
    robot.write("999999", id="price_min")
    robot.back()
    robot.tap(id="filter_confirm")
    assert not robot.sees(**TITLES)
    robot.tap(text="清空筛选")
    assert prices(robot) == everything


def test_few_results_are_followed_by_related_products(robot: Robot) -> None:
    robot.scroll(until={"id": "also_title"}, inside={"id": "product_list"})
    assert robot.sees(text="相关推荐")


def test_no_results_offer_other_products() -> None:
    robot = Robot()
    robot.open(names.RESULTS, query="qqqzzz")
    assert "qqqzzz" in robot.node(id="empty_text").text
    assert robot.sees(**TITLES)


def test_a_result_opens_its_product(robot: Robot) -> None:
    title = robot.texts(**TITLES)[0]
    robot.tap(id="product_title", text=title)
    front = robot.phone.activities.resumed
    assert front is not None
    assert front.name == names.PRODUCT
    assert robot.sees(id="product_title", text=title)
    robot.back()
    assert robot.texts(**TITLES)[0] == title


def test_an_offline_list_loads_on_retry() -> None:
    robot = Robot()
    robot.network(False)
    robot.open(names.RESULTS, query="加湿器")
    robot.tap(text="重新加载")
    assert not robot.sees(**TITLES)
    robot.network(True)
    robot.tap(text="重新加载")
    assert robot.sees(**TITLES)


def test_filtering_by_stock() -> None:
    robot = Robot("android-34:1440x3120")
    robot.open(names.RESULTS, query="空气炸锅")
    assert robot.sees(text="暂无现货")
    robot.tap(text="筛选")
    robot.tap(id="filter_option", text="仅看有货")
    robot.tap(id="filter_confirm")
    assert robot.sees(id="product_title")
    assert not robot.sees(text="暂无现货")

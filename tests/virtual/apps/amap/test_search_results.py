from __future__ import annotations

import pytest

from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    made = Robot()
    made.look_for("酒店")
    return made


def prices(robot: Robot) -> list[int]:
    return [int(text.removeprefix("¥").removesuffix("起")) for text in robot.texts(id="poi_price")]


def choose(robot: Robot, menu: str, label: str) -> None:
    robot.tap(id=f"filter_{menu}")
    robot.tap(id="filter_choice_text", text=label)


@pytest.mark.parametrize(("order", "backwards"), [("低价优先", False), ("高价优先", True)])
def test_sorting_by_price(robot: Robot, order: str, backwards: bool) -> None:
    choose(robot, "order", order)
    assert prices(robot) == sorted(prices(robot), reverse=backwards)
    assert robot.node(id="filter_order").selected


def test_sorting_by_rating(robot: Robot) -> None:
    choose(robot, "order", "好评优先")
    ratings = [float(text.removesuffix("分")) for text in robot.texts(id="poi_rating")]
    assert ratings == sorted(ratings, reverse=True)


def test_filtering_by_distance(robot: Robot) -> None:
    choose(robot, "within", "1公里内")
    assert all(text.endswith("米") and not text.endswith("公里") for text in robot.texts(id="poi_distance"))
    assert robot.text(id="filter_text", inside={"id": "filter_within"}) == "1公里内"
    choose(robot, "within", "500米内")
    assert robot.text(id="empty_text") == "没有符合条件的结果"
    robot.tap(id="retry")
    assert len(robot.nodes(id="poi_item")) > 3


def test_filtering_by_subcategory(robot: Robot) -> None:
    choose(robot, "kind", "豪华酒店")
    assert set(robot.texts(id="poi_kind")) == {"豪华酒店"}
    choose(robot, "kind", "全部分类")
    assert len(set(robot.texts(id="poi_kind"))) > 1


def test_a_menu_is_closed_by_back_and_by_its_button(robot: Robot) -> None:
    robot.tap(id="filter_order")
    robot.back()
    assert robot.sees(id="poi_list")
    robot.tap(id="filter_order")
    robot.tap(id="filter_order")
    assert robot.sees(id="poi_list")


def test_filters_are_confirmed_or_discarded(robot: Robot) -> None:
    robot.tap(id="filter_filter")
    robot.tap(id="filter_rating", text="4.5分以上")
    robot.tap(id="filter_price", text="100-300元")
    assert robot.node(id="filter_price", text="100-300元").selected
    robot.tap(id="filter_confirm")
    assert robot.text(id="filter_text", inside={"id": "filter_filter"}) == "筛选(2)"
    assert all(100 <= price <= 300 for price in prices(robot))
    robot.tap(id="filter_filter")
    robot.tap(id="filter_reset")
    robot.tap(id="sheet_close")
    assert robot.text(id="filter_text", inside={"id": "filter_filter"}) == "筛选(2)"
    robot.tap(id="filter_filter")
    robot.tap(id="filter_price", text="100-300元")
    robot.tap(id="filter_tag", text="含早餐")
    robot.tap(id="filter_confirm")
    assert set(robot.texts(id="poi_name")) == {"云栖酒店(四平路店)"}


def test_more_results_load_at_the_end_of_the_list() -> None:
    robot = Robot()
    robot.look_for("美食")
    seen: set[str] = set()
    for _ in range(12):
        seen |= set(robot.texts(id="poi_name"))
        robot.phone.input.swipe(500, 2000, 500, 900, 300)
        robot.settle()
    assert len(seen) > 25


def test_a_result_opens_its_page_and_its_route(robot: Robot) -> None:
    name = robot.texts(id="poi_name")[0]
    robot.tap(id="poi_name", text=name)
    assert robot.text(id="poi_detail_name") == name
    robot.back()
    robot.tap(id="poi_route", index=0)
    assert robot.text(id="route_edit_summary_end") == name


def test_tapping_the_query_returns_to_the_field(robot: Robot) -> None:
    robot.tap(id="search_text")
    assert robot.text(id="search_edit") == "酒店"


def test_results_load_once_the_network_is_back() -> None:
    robot = Robot()
    robot.network(False)
    robot.link("androidamap://poi?keywords=酒店")
    assert robot.sees(id="network_error")
    robot.tap(id="retry")
    assert robot.sees(id="network_error")
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="poi_list")

from __future__ import annotations

import pytest

from tests.virtual.apps.amap.robot import Robot

TONGJI = "同济大学(四平路校区)"


@pytest.fixture(scope="module")
def shared() -> Robot:
    return Robot()


@pytest.fixture
def robot(shared: Robot) -> Robot:
    shared.network(True)
    shared.activity.go_home()
    shared.settle()
    return shared


def test_a_place_page_shows_its_details(robot: Robot) -> None:
    robot.visit(TONGJI)
    assert robot.text(id="poi_detail_address") == "杨浦区四平路1239号"
    assert robot.text(id="poi_detail_distance") == "距您1.6公里"
    assert "985大学" in robot.texts(id="poi_tag")
    assert not robot.sees(id="poi_far")


def test_a_place_in_another_city_is_marked(robot: Robot) -> None:
    robot.visit("颐和园")
    assert robot.text(id="poi_far") == "跨城"
    assert robot.text(id="poi_detail_address").startswith("北京市海淀区")
    robot.scroll_down()
    assert robot.text(id="ticket_price") == "¥30"


def test_a_favourite_is_added_and_removed(robot: Robot) -> None:
    robot.visit(TONGJI)
    assert robot.node(id="poi_favorite").desc == "收藏按钮未收藏"
    robot.tap(id="poi_favorite")
    assert (robot.node(id="poi_favorite").desc, robot.toast) == ("收藏按钮已收藏", "收藏成功")
    robot.stop()
    robot.visit(TONGJI)
    assert robot.node(id="poi_favorite").selected
    robot.tap(id="poi_favorite")
    assert (robot.node(id="poi_favorite").desc, robot.toast) == ("收藏按钮未收藏", "已取消收藏")


def test_the_number_can_be_called(robot: Robot) -> None:
    robot.visit(TONGJI)
    robot.tap(id="poi_phone")
    assert robot.text(id="phone_number") == "021-65980000"
    robot.tap(id="phone_call")
    assert robot.toast == "没有可用的应用"


def test_a_place_can_be_shared(robot: Robot) -> None:
    robot.visit(TONGJI)
    robot.tap(id="poi_share")
    robot.tap(id="share_item", has={"text": "复制链接"})
    assert robot.toast == "链接已复制"
    assert not robot.sees(id="share_sheet")


def test_searching_around_a_place(robot: Robot) -> None:
    robot.visit("五角场")
    robot.tap(id="poi_around")
    assert robot.text(id="search_edit") == "在五角场附近搜索"
    robot.tap(id="category_item", has={"text": "超市"})
    assert set(robot.texts(id="poi_kind")) == {"超市"}
    assert all(text.startswith("距五角场") for text in robot.texts(id="poi_distance"))


def test_reviews_are_filtered_by_kind(robot: Robot) -> None:
    robot.visit(TONGJI)
    robot.tap(id="poi_reviews_entry")
    assert robot.text(id="review_place") == TONGJI
    every = len(robot.nodes(id="review_item"))
    robot.tap(id="review_kind", text="差评")
    assert 0 < len(robot.nodes(id="review_item")) < every
    assert robot.node(id="review_kind", text="差评").selected
    robot.tap(id="review_order")
    assert robot.text(id="review_order") == "最新"
    robot.tap(id="review_kind", text="好评")
    days = [node.text for node in robot.facts().tree.nodes if node.text.startswith("202")]
    assert days == sorted(days, reverse=True)


def test_nearby_places_open_and_back_returns(robot: Robot) -> None:
    robot.visit("和平公园")
    for _ in range(3):
        if not robot.sees(id="near_name"):
            robot.scroll_down()
    name = robot.texts(id="near_name")[0]
    robot.tap(id="near_name", text=name)
    assert robot.text(id="poi_detail_name") == name
    robot.back()
    assert robot.sees(id="poi_detail_scroll")
    robot.tap(id="poi_detail_close")
    assert robot.sees(id="home_panel")


def test_the_page_fails_to_load_offline(robot: Robot) -> None:
    robot.look_for(TONGJI)
    robot.network(False)
    robot.tap(id="poi_name", text=TONGJI)
    assert robot.sees(id="network_error")
    robot.network(True)
    robot.tap(id="retry")
    assert robot.text(id="poi_detail_name") == TONGJI
    robot.network(False)
    robot.tap(id="poi_route_button")
    assert robot.toast == "网络连接失败，请检查网络设置"

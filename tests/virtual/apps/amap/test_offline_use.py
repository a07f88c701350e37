"""Amap without a network: its offline map, and what needs a network nevertheless."""

from __future__ import annotations

import pytest

from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    """Return the robot of a phone with the map of its own city, and no network."""
    made = Robot()
    made.activity.store.set_offline("上海市", True)
    made.network(False)
    return made


def test_places_of_the_offline_map_are_found(robot: Robot) -> None:
    robot.tap(id="search_bar")
    robot.write("大学", id="search_edit")
    assert robot.sees(id="sug_name")
    robot.write("北京大学", submit=True, id="search_edit")
    assert robot.text(id="empty_text") == "没有找到“北京大学”的相关结果"


def test_routes_within_the_offline_map_are_found(robot: Robot) -> None:
    robot.visit("五角场")
    robot.tap(id="poi_route_button")
    assert robot.sees(id="route_item")
    robot.link("androidamap://route/plan?dname=颐和园")
    assert robot.sees(id="network_error")


def test_reviews_need_a_network(robot: Robot) -> None:
    robot.visit("五角场")
    robot.tap(id="poi_reviews_entry")
    assert robot.sees(id="network_error")


def test_maps_cannot_be_downloaded_offline(robot: Robot) -> None:
    robot.tab("我的")
    robot.tap(id="mine_tool", desc="离线地图")
    robot.write("北京", submit=True, id="offline_search")
    robot.tap(id="offline_download")
    assert robot.toast == "网络连接失败，请检查网络设置"

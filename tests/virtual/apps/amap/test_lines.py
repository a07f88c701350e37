from __future__ import annotations

import pytest

from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    made = Robot()
    made.look_for("四平路地铁站")
    made.tap(id="poi_name", text="四平路(地铁站)")
    return made


def test_a_station_lists_its_lines(robot: Robot) -> None:
    assert robot.texts(id="station_line_name") == ["地铁8号线", "地铁10号线"]
    assert robot.texts(id="station_line_times")[1] == "五角场 - 虹桥火车站"


def test_a_line_and_its_two_directions(robot: Robot) -> None:
    robot.tap(id="station_line_name", text="地铁10号线")
    assert robot.text(id="line_direction") == "五角场 → 虹桥火车站"
    assert robot.text(id="line_count") == "共21站"
    assert robot.texts(id="line_stop_name")[:3] == ["五角场", "国权路", "同济大学"]
    robot.tap(id="line_turn")
    assert robot.text(id="line_direction") == "虹桥火车站 → 五角场"
    robot.tap(id="line_stop_name", text="虹桥火车站")
    assert robot.text(id="poi_detail_name") == "虹桥火车站(地铁站)"

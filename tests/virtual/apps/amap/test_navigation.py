from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.map_scene import MapStyle
from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    made = Robot()
    made.link("androidamap://route/plan?dname=五角场&t=0")
    made.tap(id="start_navi")
    return made


def test_navigation_shows_the_next_turn(robot: Robot) -> None:
    assert robot.text(id="navi_left").startswith("剩余")
    assert robot.text(id="navi_end").endswith("到达 五角场")
    assert robot.text(id="navi_next_road").startswith("进入 ")


def test_navigation_advances_with_time(robot: Robot) -> None:
    before = robot.text(id="navi_left")
    robot.phone.clock.advance(61_000)
    assert robot.text(id="navi_left") != before
    robot.phone.clock.advance(3_600_000)
    assert robot.text(id="navi_left").startswith("剩余1米")


def test_leaving_asks_for_confirmation(robot: Robot) -> None:
    robot.back()
    robot.tap(id="dialog_no")
    assert robot.sees(id="navi_banner")
    robot.tap(id="navi_exit")
    robot.tap(id="dialog_yes")
    assert robot.sees(id="route_item")
    robot.phone.clock.advance(60_000)
    assert robot.sees(id="route_item")


def test_the_voice_is_muted_and_unmuted(robot: Robot) -> None:
    robot.tap(id="navi_voice")
    assert (robot.node(id="navi_voice").desc, robot.toast) == ("取消静音", "已静音")
    robot.tap(id="navi_voice")
    assert (robot.node(id="navi_voice").desc, robot.toast) == ("静音", "已开启语音播报")


def test_the_whole_route_can_be_shown(robot: Robot) -> None:
    robot.tap(id="navi_overview")
    assert robot.node(id="navi_overview").selected
    robot.tap(id="navi_traffic")
    assert robot.activity.traffic


def test_settings_during_navigation(robot: Robot) -> None:
    robot.tap(id="navi_settings")
    robot.tap(id="navi_day_night", text="夜间")
    robot.tap(id="navi_broadcast", text="极简播报")
    bar = robot.node(id="navi_volume").bounds
    robot.phone.input.tap(bar.left + bar.width * 9 // 10, bar.center.y)
    robot.settle()
    assert robot.text(id="navi_volume_text") == "导航音量 90%"
    assert robot.node(id="navi_broadcast", text="极简播报").selected
    robot.tap(id="sheet_close")
    assert robot.activity.style is MapStyle.NIGHT


def test_a_place_page_starts_navigation() -> None:
    robot = Robot()
    robot.visit("新华医院")
    robot.tap(id="poi_navi_button")
    assert robot.text(id="navi_end").endswith("到达 新华医院")

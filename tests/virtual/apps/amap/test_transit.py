"""Amap's journeys by public transport."""

from __future__ import annotations

import pytest

from tests.virtual.apps.amap.robot import Robot


@pytest.fixture(scope="module")
def shared() -> Robot:
    return Robot()


@pytest.fixture
def robot(shared: Robot) -> Robot:
    shared.stop()
    shared.link("androidamap://route/plan?sname=故宫博物院&dname=颐和园&t=1")
    return shared


def test_journeys_are_listed(robot: Robot) -> None:
    assert robot.text(id="route_edit_summary_start") == "故宫博物院"
    assert robot.node(id="route_tab", text="公共交通").selected
    assert robot.texts(id="transit_time")[0] == "1小时12分钟"
    assert robot.texts(id="transit_line")[:2] == ["地铁1号线", "地铁4号线大兴线"]
    assert robot.texts(id="transit_facts")[0].startswith("换乘1次")


def test_preferences_change_the_list(robot: Robot) -> None:
    robot.tap(id="transit_option", text="步行少")
    assert robot.node(id="transit_option", text="步行少").selected
    assert robot.texts(id="transit_line")[0] == "专2路"


def test_a_journey_step_by_step(robot: Robot) -> None:
    robot.tap(id="transit_item", index=0)
    assert robot.text(id="journey_time") == "1小时12分钟"
    assert robot.text(id="journey_fare") == "¥5"
    assert robot.texts(id="journey_on")[0] == "天安门东 上车"
    assert not robot.node(id="journey_remind").checked
    robot.tap(id="journey_remind")
    assert (robot.node(id="journey_remind").checked, robot.toast) == (True, "到站提醒已开启")
    robot.back()
    assert robot.sees(id="transit_list")


def test_no_journeys_at_night(robot: Robot) -> None:
    robot.tap(id="route_departure")
    robot.tap(id="departure_day", text="明天")
    robot.tap(id="departure_hour", text="03时")
    robot.tap(id="departure_confirm")
    assert robot.text(id="empty_text").startswith("暂无公交方案")

from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand


@pytest.fixture(scope="module")
def shared() -> Hand:
    return Hand()


@pytest.fixture
def hand(shared: Hand) -> Hand:
    shared.stop()
    shared.link("androidamap://route/plan?sname=故宫博物院&dname=颐和园&t=1")
    return shared


def test_journeys_are_listed(hand: Hand) -> None:
    assert hand.text(id="route_edit_summary_start") == "故宫博物院"
    assert hand.node(id="route_tab", text="公共交通").selected
    assert hand.texts(id="transit_time")[0] == "1小时12分钟"
    assert hand.texts(id="transit_line")[:2] == ["地铁1号线", "地铁4号线大兴线"]
    assert hand.texts(id="transit_facts")[0].startswith("换乘1次")


def test_preferences_change_the_list(hand: Hand) -> None:
    hand.tap(id="transit_option", text="步行少")
    assert hand.node(id="transit_option", text="步行少").selected
    assert hand.texts(id="transit_line")[0] == "专2路"


def test_a_journey_step_by_step(hand: Hand) -> None:
    hand.tap(id="transit_item", index=0)
    assert hand.text(id="journey_time") == "1小时12分钟"
    assert hand.text(id="journey_fare") == "¥5"
    assert hand.texts(id="journey_on")[0] == "天安门东 上车"
    assert not hand.node(id="journey_remind").checked
    hand.tap(id="journey_remind")
    assert (hand.node(id="journey_remind").checked, hand.toast) == (True, "到站提醒已开启")
    hand.back()
    assert hand.sees(id="transit_list")


def test_no_journeys_at_night(hand: Hand) -> None:
    hand.tap(id="route_departure")
    hand.tap(id="departure_day", text="明天")
    hand.tap(id="departure_hour", text="03时")
    hand.tap(id="departure_confirm")
    assert hand.text(id="empty_text").startswith("暂无公交方案")

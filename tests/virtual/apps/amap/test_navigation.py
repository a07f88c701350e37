from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.scene import MapStyle
from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    made = Hand()
    made.link("androidamap://route/plan?dname=五角场&t=0")
    made.tap(id="start_navi")
    return made


def test_navigation_shows_the_next_turn(hand: Hand) -> None:
    assert hand.text(id="navi_left").startswith("剩余")
    assert hand.text(id="navi_end").endswith("到达 五角场")
    assert hand.text(id="navi_next_road").startswith("进入 ")


def test_navigation_advances_with_time(hand: Hand) -> None:
    before = hand.text(id="navi_left")
    hand.phone.clock.advance(61_000)
    assert hand.text(id="navi_left") != before
    hand.phone.clock.advance(3_600_000)
    assert hand.text(id="navi_left").startswith("剩余1米")


def test_leaving_asks_for_confirmation(hand: Hand) -> None:
    hand.back()
    hand.tap(id="dialog_no")
    assert hand.sees(id="navi_banner")
    hand.tap(id="navi_exit")
    hand.tap(id="dialog_yes")
    assert hand.sees(id="route_item")
    hand.phone.clock.advance(60_000)
    assert hand.sees(id="route_item")


def test_the_voice_is_muted_and_unmuted(hand: Hand) -> None:
    hand.tap(id="navi_voice")
    assert (hand.node(id="navi_voice").desc, hand.toast) == ("取消静音", "已静音")
    hand.tap(id="navi_voice")
    assert (hand.node(id="navi_voice").desc, hand.toast) == ("静音", "已开启语音播报")


def test_the_whole_route_can_be_shown(hand: Hand) -> None:
    hand.tap(id="navi_overview")
    assert hand.node(id="navi_overview").selected
    hand.tap(id="navi_traffic")
    assert hand.activity.traffic


def test_settings_during_navigation(hand: Hand) -> None:
    hand.tap(id="navi_settings")
    hand.tap(id="navi_day_night", text="夜间")
    hand.tap(id="navi_broadcast", text="极简播报")
    bar = hand.node(id="navi_volume").bounds
    hand.phone.input.tap(bar.left + bar.width * 9 // 10, bar.center.y)
    hand.settle()
    assert hand.text(id="navi_volume_text") == "导航音量 90%"
    assert hand.node(id="navi_broadcast", text="极简播报").selected
    hand.tap(id="sheet_close")
    assert hand.activity.style is MapStyle.NIGHT


def test_a_place_page_starts_navigation() -> None:
    hand = Hand()
    hand.visit("新华医院")
    hand.tap(id="poi_navi_button")
    assert hand.text(id="navi_end").endswith("到达 新华医院")

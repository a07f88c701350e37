from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    made = Hand()
    made.look_for("四平路地铁站")
    made.tap(id="poi_name", text="四平路(地铁站)")
    return made


def test_a_station_lists_its_lines(hand: Hand) -> None:
    assert hand.texts(id="station_line_name") == ["地铁8号线", "地铁10号线"]
    assert hand.texts(id="station_line_times")[1] == "五角场 - 虹桥火车站"


def test_a_line_and_its_two_directions(hand: Hand) -> None:
    hand.tap(id="station_line_name", text="地铁10号线")
    assert hand.text(id="line_direction") == "五角场 → 虹桥火车站"
    assert hand.text(id="line_count") == "共21站"
    assert hand.texts(id="line_stop_name")[:3] == ["五角场", "国权路", "同济大学"]
    hand.tap(id="line_turn")
    assert hand.text(id="line_direction") == "虹桥火车站 → 五角场"
    hand.tap(id="line_stop_name", text="虹桥火车站")
    assert hand.text(id="poi_detail_name") == "虹桥火车站(地铁站)"

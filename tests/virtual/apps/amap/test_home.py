from __future__ import annotations

import pytest

from garabench.virtual.apps.amap.app import APP
from garabench.virtual.apps.amap.names import COARSE_LOCATION, FINE_LOCATION
from garabench.virtual.apps.amap.root import AmapRootScreen
from garabench.virtual.kit.maps.geo import Camera
from garabench.virtual.kit.maps.scene import MapStyle
from tests.virtual.apps.amap.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


def camera(hand: Hand) -> Camera:
    page = hand.activity.pages[0][1]
    assert isinstance(page, AmapRootScreen)
    return page.home.map.camera


def test_the_map_follows_the_finger(hand: Hand) -> None:
    begin = camera(hand)
    hand.phone.input.swipe(540, 600, 240, 800, 300)
    assert camera(hand).center.lon > begin.center.lon
    assert camera(hand).center.lat > begin.center.lat
    hand.phone.input.double_tap(540, 600)
    assert camera(hand).zoom == begin.zoom + 1
    hand.tap(id="location_button")
    assert camera(hand).center == begin.center


def test_a_swipe_over_the_panel_does_not_move_the_map(hand: Hand) -> None:
    begin = camera(hand)
    bounds = hand.node(id="corner_label", index=0).bounds.center
    hand.phone.input.swipe(bounds.x, bounds.y, bounds.x, bounds.y - 300, 300)
    assert camera(hand) == begin


def test_a_long_press_opens_a_point(hand: Hand) -> None:
    hand.phone.input.long_press(400, 700, 900)
    hand.settle()
    assert hand.text(id="poi_detail_name") == "地图选点"
    hand.tap(id="poi_favorite")
    hand.stop()
    hand.tap(id="way_text", text="收藏夹")
    assert "地图选点" in hand.texts(id="favorite_name")


def test_a_tap_on_a_named_place_opens_it(hand: Hand) -> None:
    page = hand.activity.pages[0][1]
    assert isinstance(page, AmapRootScreen)
    place = next(p for p in hand.activity.store.favorites() if p.name == "新华医院")
    page.home.map.show(place.at)
    hand.phone.changed()
    area = hand.node(id="maplayout").bounds
    scene = page.home.map.scene()
    hand.phone.input.tap(area.center.x, round(area.top + area.height * (0.5 - scene.lift)))
    hand.settle()
    assert hand.text(id="poi_detail_name") == "新华医院"


def test_layers_and_traffic(hand: Hand) -> None:
    hand.tap(id="traffic_button")
    assert (hand.node(id="traffic_button").selected, hand.toast) == (True, "实时路况已打开")
    hand.tap(id="layer_button")
    assert hand.node(id="layer_traffic_switch").checked
    for layer, style in (
        ("卫星图", MapStyle.SATELLITE),
        ("夜间地图", MapStyle.NIGHT),
        ("标准地图", MapStyle.DAY),
    ):
        hand.tap(id="layer_item", desc=layer)
        assert hand.node(id="layer_item", desc=layer).selected
        assert hand.activity.style is style
    hand.tap(id="layer_traffic")
    assert not hand.node(id="layer_traffic_switch").checked


@pytest.mark.parametrize(("choice", "dark", "style"), [
    ("白天", True, MapStyle.DAY), ("夜间", False, MapStyle.NIGHT), ("跟随系统", True, MapStyle.NIGHT),
    ("跟随系统", False, MapStyle.DAY), ("自动", True, MapStyle.DAY),
])  # fmt: skip
def test_the_map_style_follows_the_settings(hand: Hand, choice: str, dark: bool, style: MapStyle) -> None:
    hand.activity.store.set_setting("day_night", choice)
    hand.phone.settings.put("secure", "ui_night_mode", "2" if dark else "1")
    assert hand.activity.style is style


def test_tabs_and_back(hand: Hand) -> None:
    hand.tab("我的")
    hand.back()
    assert hand.sees(id="home_panel")
    hand.back()
    front = hand.phone.activities.resumed
    assert front is None or front.app is not APP


def test_the_location_is_unknown_without_the_permission(hand: Hand) -> None:
    for name in (FINE_LOCATION, COARSE_LOCATION):
        hand.phone.packages.revoke(APP.package, name)
    hand.launch()
    assert hand.sees(id="location_tip")
    hand.tap(id="location_tip_action")
    assert hand.sees(text="不允许"), "nothing lies over the tip"
    hand.tap(text="不允许")
    hand.link("androidamap://route/plan?dname=五角场")
    assert hand.text(id="empty_text") == "请设置起点"


@pytest.mark.parametrize(
    ("link", "seen"),
    [
        ("androidamap://poi?keywords=火锅", {"id": "search_text", "text": "火锅"}),
        ("geo:0,0?q=颐和园", {"id": "search_text", "text": "颐和园"}),
        (
            "androidamap://route/plan?sname=外滩&dname=豫园&t=2",
            {"id": "route_edit_summary_start", "text": "外滩"},
        ),
        ("androidamap://navi?dname=五角场", {"id": "route_edit_summary_end", "text": "五角场"}),
        ("androidamap://poi", {"id": "home_panel"}),
        ("androidamap://route/plan?dname=zzz", {"id": "home_panel"}),
        ("androidamap://[bad", {"id": "home_panel"}),
    ],
)
def test_deep_links(hand: Hand, link: str, seen: dict[str, str]) -> None:
    hand.link(link)
    assert hand.sees(**seen)


def test_nearby_places(hand: Hand) -> None:
    hand.tab("附近")
    hand.tap(id="nearby_tab", text="咖啡")
    assert hand.text(id="ranking_title") == "咖啡口碑榜"
    hand.tap(id="ranking_item", index=0)
    assert hand.text(id="poi_detail_name") == "转角豆咖啡(欧阳路店)"
    hand.back()
    hand.tap(id="nearby_category", has={"text": "医院"})
    assert hand.text(id="search_text") == "医院"


def test_ordering_and_cancelling_a_taxi(hand: Hand) -> None:
    hand.tab("打车")
    hand.tap(id="taxi_recent", index=0)
    assert hand.node(id="route_tab", text="打车").selected
    hand.tap(id="taxi_kind", has={"text": "舒适专车"})
    hand.tap(id="taxi_call")
    assert hand.text(id="calling_kinds") == "车型：特惠快车、舒适专车"
    hand.back()
    hand.tap(id="dialog_no")
    assert hand.sees(id="calling_text")
    hand.tap(id="calling_cancel")
    hand.tap(id="dialog_yes")
    assert hand.toast == "已取消叫车"

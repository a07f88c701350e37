from __future__ import annotations

import pytest

from garabench.virtual.apps.amap.app import APP
from garabench.virtual.apps.amap.names import COARSE_LOCATION, FINE_LOCATION
from garabench.virtual.apps.amap.root import AmapRootScreen
from garabench.virtual.kit.maps.geo import Camera
from garabench.virtual.kit.maps.map_scene import MapStyle
from tests.virtual.apps.amap.robot import Robot


@pytest.fixture
def robot() -> Robot:
    return Robot()


def camera(robot: Robot) -> Camera:
    page = robot.activity.pages[0][1]
    assert isinstance(page, AmapRootScreen)
    return page.home.map.camera


def test_the_map_follows_the_finger(robot: Robot) -> None:
    begin = camera(robot)
    robot.phone.input.swipe(540, 600, 240, 800, 300)
    assert camera(robot).center.lon > begin.center.lon
    assert camera(robot).center.lat > begin.center.lat
    robot.phone.input.double_tap(540, 600)
    assert camera(robot).zoom == begin.zoom + 1
    robot.tap(id="location_button")
    assert camera(robot).center == begin.center


def test_a_swipe_over_the_panel_does_not_move_the_map(robot: Robot) -> None:
    begin = camera(robot)
    bounds = robot.node(id="corner_label", index=0).bounds.center
    robot.phone.input.swipe(bounds.x, bounds.y, bounds.x, bounds.y - 300, 300)
    assert camera(robot) == begin


def test_a_long_press_opens_a_point(robot: Robot) -> None:
    robot.phone.input.long_press(400, 700, 900)
    robot.settle()
    assert robot.text(id="poi_detail_name") == "地图选点"
    robot.tap(id="poi_favorite")
    robot.stop()
    robot.tap(id="way_text", text="收藏夹")
    assert "地图选点" in robot.texts(id="favorite_name")


def test_a_tap_on_a_named_place_opens_it(robot: Robot) -> None:
    page = robot.activity.pages[0][1]
    assert isinstance(page, AmapRootScreen)
    place = next(p for p in robot.activity.store.favorites() if p.name == "新华医院")
    page.home.map.show(place.at)
    robot.phone.changed()
    area = robot.node(id="maplayout").bounds
    scene = page.home.map.scene()
    robot.phone.input.tap(area.center.x, round(area.top + area.height * (0.5 - scene.lift)))
    robot.settle()
    assert robot.text(id="poi_detail_name") == "新华医院"


def test_layers_and_traffic(robot: Robot) -> None:
    robot.tap(id="traffic_button")
    assert (robot.node(id="traffic_button").selected, robot.toast) == (True, "实时路况已打开")
    robot.tap(id="layer_button")
    assert robot.node(id="layer_traffic_switch").checked
    for layer, style in (
        ("卫星图", MapStyle.SATELLITE),
        ("夜间地图", MapStyle.NIGHT),
        ("标准地图", MapStyle.DAY),
    ):
        robot.tap(id="layer_item", desc=layer)
        assert robot.node(id="layer_item", desc=layer).selected
        assert robot.activity.style is style
    robot.tap(id="layer_traffic")
    assert not robot.node(id="layer_traffic_switch").checked


@pytest.mark.parametrize(("choice", "dark", "style"), [
    ("白天", True, MapStyle.DAY), ("夜间", False, MapStyle.NIGHT), ("跟随系统", True, MapStyle.NIGHT),
    ("跟随系统", False, MapStyle.DAY), ("自动", True, MapStyle.DAY),
])  # fmt: skip
def test_the_map_style_follows_the_settings(robot: Robot, choice: str, dark: bool, style: MapStyle) -> None:
    robot.activity.store.set_setting("day_night", choice)
    robot.phone.settings.put("secure", "ui_night_mode", "2" if dark else "1")
    assert robot.activity.style is style


def test_tabs_and_back(robot: Robot) -> None:
    robot.tab("我的")
    robot.back()
    assert robot.sees(id="home_panel")
    robot.back()
    front = robot.phone.activities.resumed
    assert front is None or front.app is not APP


def test_the_location_is_unknown_without_the_permission(robot: Robot) -> None:
    for name in (FINE_LOCATION, COARSE_LOCATION):
        robot.phone.packages.revoke(APP.package, name)
    robot.launch()
    assert robot.sees(id="location_tip")
    robot.tap(id="location_tip_action")
    assert robot.sees(text="不允许"), "nothing lies over the tip"
    robot.tap(text="不允许")
    robot.link("androidamap://route/plan?dname=五角场")
    assert robot.text(id="empty_text") == "请设置起点"


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
def test_deep_links(robot: Robot, link: str, seen: dict[str, str]) -> None:
    robot.link(link)
    assert robot.sees(**seen)


def test_nearby_places(robot: Robot) -> None:
    robot.tab("附近")
    robot.tap(id="nearby_tab", text="咖啡")
    assert robot.text(id="ranking_title") == "咖啡口碑榜"
    robot.tap(id="ranking_item", index=0)
    assert robot.text(id="poi_detail_name") == "转角豆咖啡(欧阳路店)"
    robot.back()
    robot.tap(id="nearby_category", has={"text": "医院"})
    assert robot.text(id="search_text") == "医院"


def test_ordering_and_cancelling_a_taxi(robot: Robot) -> None:
    robot.tab("打车")
    robot.tap(id="taxi_recent", index=0)
    assert robot.node(id="route_tab", text="打车").selected
    robot.tap(id="taxi_kind", has={"text": "舒适专车"})
    robot.tap(id="taxi_call")
    assert robot.text(id="calling_kinds") == "车型：特惠快车、舒适专车"
    robot.back()
    robot.tap(id="dialog_no")
    assert robot.sees(id="calling_text")
    robot.tap(id="calling_cancel")
    robot.tap(id="dialog_yes")
    assert robot.toast == "已取消叫车"

from __future__ import annotations

import pytest

from tests.virtual.apps.amap.robot import Robot

JIADING = "同济大学(嘉定校区)"


@pytest.fixture(scope="module")
def shared() -> Robot:
    return Robot()


@pytest.fixture
def robot(shared: Robot) -> Robot:
    shared.network(True)
    shared.stop()
    return shared


def plan(robot: Robot, place: str = JIADING) -> None:
    robot.link(f"androidamap://route/plan?dname={place}&t=0")


def pick(robot: Robot, query: str, name: str) -> None:
    robot.write(query, id="search_edit")
    robot.tap(id="sug_name", text=name)


def prefer(robot: Robot, *labels: str) -> None:
    robot.tap(id="route_preference")
    for label in labels:
        robot.tap(id="preference_item", text=label)
    robot.tap(id="preference_done")


def test_driving_routes(robot: Robot) -> None:
    plan(robot)
    assert robot.text(id="route_edit_summary_start") == "我的位置"
    assert robot.text(id="route_edit_summary_end") == JIADING
    assert robot.node(id="route_tab", text="驾车").selected
    assert len(robot.nodes(id="route_item")) == 3
    assert robot.texts(id="route_label")[0] == "推荐"
    assert robot.node(id="route_item", index=0).selected
    roads = robot.text(id="route_main_roads")
    robot.tap(id="route_item", index=2)
    assert robot.node(id="route_item", index=2).selected
    assert robot.text(id="route_main_roads") != roads


def test_preferences_persist_and_exclude_each_other(robot: Robot) -> None:
    plan(robot)
    prefer(robot, "不走高速", "躲避拥堵")
    assert robot.text(id="route_preference_text") == "躲避拥堵、不走高速"
    robot.stop()
    plan(robot)
    assert robot.text(id="route_preference_text") == "躲避拥堵、不走高速"
    prefer(robot, "高速优先")
    assert robot.text(id="route_preference_text") == "躲避拥堵、高速优先"
    prefer(robot, "智能推荐")
    assert robot.text(id="route_preference_text") == "智能推荐"


def test_routes_without_highways_have_no_toll(robot: Robot) -> None:
    plan(robot)
    assert "¥" in robot.texts(id="route_cost")[0]
    prefer(robot, "不走高速")
    assert all("免费" in text for text in robot.texts(id="route_cost"))
    prefer(robot, "智能推荐")


def test_stopovers(robot: Robot) -> None:
    plan(robot)
    before = robot.texts(id="route_distance")[0]
    robot.tap(id="route_edit_add_via")
    pick(robot, "静安寺", "静安寺")
    assert robot.texts(id="route_edit_via") == ["静安寺"]
    assert robot.texts(id="route_distance")[0] != before
    robot.tap(id="route_edit_via")
    pick(robot, "豫园", "豫园")
    assert robot.texts(id="route_edit_via") == ["豫园"]
    robot.tap(id="route_edit_via_delete")
    assert robot.texts(id="route_edit_via") == []
    assert robot.texts(id="route_distance")[0] == before


def test_at_most_three_stopovers(robot: Robot) -> None:
    plan(robot)
    for name in ("静安寺", "豫园", "外滩"):
        robot.tap(id="route_edit_add_via")
        pick(robot, name, name)
    robot.tap(id="route_edit_add_via")
    assert robot.toast == "最多添加3个途经点"
    robot.tap(id="route_edit_exchange")
    assert robot.texts(id="route_edit_via") == ["外滩", "豫园", "静安寺"]


def test_start_and_destination_are_swapped(robot: Robot) -> None:
    plan(robot)
    robot.tap(id="route_edit_exchange")
    assert robot.text(id="route_edit_summary_start") == JIADING
    assert robot.text(id="route_edit_summary_end") == "我的位置"


def test_the_departure_time(robot: Robot) -> None:
    plan(robot)
    assert robot.text(id="route_departure_text") == "现在出发"
    robot.tap(id="route_departure")
    robot.tap(id="departure_hour", text="03时")
    robot.tap(id="departure_confirm")
    assert robot.toast == "出发时间不能早于当前时间"
    robot.tap(id="departure_day", text="后天")
    robot.tap(id="departure_minute", text="20分")
    assert robot.text(id="departure_chosen") == "后天 03:20出发"
    robot.tap(id="departure_confirm")
    assert robot.text(id="route_departure_text") == "后天 03:20出发"
    robot.tap(id="route_departure")
    robot.tap(id="departure_now")
    assert robot.text(id="route_departure_text") == "现在出发"


@pytest.mark.parametrize(
    ("mode", "action"), [("骑行", "start_navi"), ("步行", "start_navi"), ("打车", "taxi_call")]
)
def test_other_travel_modes(robot: Robot, mode: str, action: str) -> None:
    plan(robot, "鲁迅公园")
    robot.tap(id="route_tab", text=mode)
    assert robot.node(id="route_tab", text=mode).selected
    assert robot.sees(id=action)
    assert not robot.sees(id="route_edit_add_via")


def test_long_walks_are_not_offered(robot: Robot) -> None:
    plan(robot, "颐和园")
    robot.tap(id="route_tab", text="步行")
    assert robot.text(id="empty_text") == "距离过远，暂无方案"


def test_a_missing_endpoint_is_requested(robot: Robot) -> None:
    robot.tap(id="way_text", text="步行")
    assert robot.text(id="empty_text") == "请设置终点"
    robot.tap(id="retry")
    pick(robot, "鲁迅公园", "鲁迅公园")
    assert robot.text(id="route_time") == "27分钟"


def test_planned_routes_are_listed_in_the_history(robot: Robot) -> None:
    plan(robot, "豫园")
    robot.back()
    robot.tab("我的")
    robot.tap(id="mine_tool", desc="历史路线")
    assert robot.texts(id="trip_text")[0] == "我的位置 → 豫园"
    robot.tap(id="trip_delete", desc="删除到豫园的路线")
    assert "我的位置 → 豫园" not in robot.texts(id="trip_text")
    robot.tap(id="trip_item", index=0)
    assert robot.sees(id="route_head")
    robot.back()
    robot.tap(id="trip_clear")
    robot.tap(id="dialog_yes")
    assert robot.text(id="empty_text") == "暂无历史路线"


def test_no_route_is_planned_offline(robot: Robot) -> None:
    robot.network(False)
    plan(robot)
    assert robot.sees(id="network_error")
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="route_item")


@pytest.mark.parametrize("label", ["公共交通", "步行", "骑行", "打车"])
def test_replanning_fails_offline(robot: Robot, label: str) -> None:
    plan(robot, "五角场")
    robot.network(False)
    assert robot.sees(id="route_item")
    robot.tap(id="route_tab", text=label)
    assert robot.sees(id="network_error")
    assert not robot.sees(id="transit_time")
    assert not robot.sees(id="route_panel")
    robot.tap(id="retry")
    assert robot.toast == "网络连接失败，请检查网络设置"
    robot.network(True)
    robot.tap(id="retry")
    assert not robot.sees(id="network_error")


def test_no_taxi_is_ordered_offline(robot: Robot) -> None:
    plan(robot, "五角场")
    robot.tap(id="route_tab", text="打车")
    robot.network(False)
    robot.tap(id="taxi_call")
    assert robot.toast == "网络连接失败，请检查网络设置"
    assert robot.sees(id="taxi_call")


def test_a_route_step_by_step(robot: Robot) -> None:
    plan(robot, "五角场")
    sum_ = (robot.texts(id="route_time")[0], robot.texts(id="route_distance")[0])
    robot.tap(id="route_steps")
    assert robot.text(id="steps_sum") == " ".join(sum_)
    assert robot.text(id="steps_ends") == "我的位置 → 五角场"
    assert all(text.startswith("沿") for text in robot.texts(id="step_text"))
    robot.tap(id="start_navi")
    assert robot.text(id="navi_end").endswith("到达 五角场")
    robot.tap(id="navi_exit")
    robot.tap(id="dialog_yes")
    assert robot.sees(id="route_item")

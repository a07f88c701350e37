from __future__ import annotations

import pytest

from tests.virtual.apps.amap.hand import Hand

JIADING = "同济大学(嘉定校区)"


@pytest.fixture(scope="module")
def shared() -> Hand:
    return Hand()


@pytest.fixture
def hand(shared: Hand) -> Hand:
    shared.network(True)
    shared.stop()
    return shared


def plan(hand: Hand, place: str = JIADING) -> None:
    hand.link(f"androidamap://route/plan?dname={place}&t=0")


def pick(hand: Hand, query: str, name: str) -> None:
    hand.write(query, id="search_edit")
    hand.tap(id="sug_name", text=name)


def prefer(hand: Hand, *labels: str) -> None:
    hand.tap(id="route_preference")
    for label in labels:
        hand.tap(id="preference_item", text=label)
    hand.tap(id="preference_done")


def test_driving_routes(hand: Hand) -> None:
    plan(hand)
    assert hand.text(id="route_edit_summary_start") == "我的位置"
    assert hand.text(id="route_edit_summary_end") == JIADING
    assert hand.node(id="route_tab", text="驾车").selected
    assert len(hand.nodes(id="route_item")) == 3
    assert hand.texts(id="route_label")[0] == "推荐"
    assert hand.node(id="route_item", index=0).selected
    roads = hand.text(id="route_main_roads")
    hand.tap(id="route_item", index=2)
    assert hand.node(id="route_item", index=2).selected
    assert hand.text(id="route_main_roads") != roads


def test_preferences_persist_and_exclude_each_other(hand: Hand) -> None:
    plan(hand)
    prefer(hand, "不走高速", "躲避拥堵")
    assert hand.text(id="route_preference_text") == "躲避拥堵、不走高速"
    hand.stop()
    plan(hand)
    assert hand.text(id="route_preference_text") == "躲避拥堵、不走高速"
    prefer(hand, "高速优先")
    assert hand.text(id="route_preference_text") == "躲避拥堵、高速优先"
    prefer(hand, "智能推荐")
    assert hand.text(id="route_preference_text") == "智能推荐"


def test_routes_without_highways_have_no_toll(hand: Hand) -> None:
    plan(hand)
    assert "¥" in hand.texts(id="route_cost")[0]
    prefer(hand, "不走高速")
    assert all("免费" in text for text in hand.texts(id="route_cost"))
    prefer(hand, "智能推荐")


def test_stopovers(hand: Hand) -> None:
    plan(hand)
    before = hand.texts(id="route_distance")[0]
    hand.tap(id="route_edit_add_via")
    pick(hand, "静安寺", "静安寺")
    assert hand.texts(id="route_edit_via") == ["静安寺"]
    assert hand.texts(id="route_distance")[0] != before
    hand.tap(id="route_edit_via")
    pick(hand, "豫园", "豫园")
    assert hand.texts(id="route_edit_via") == ["豫园"]
    hand.tap(id="route_edit_via_delete")
    assert hand.texts(id="route_edit_via") == []
    assert hand.texts(id="route_distance")[0] == before


def test_at_most_three_stopovers(hand: Hand) -> None:
    plan(hand)
    for name in ("静安寺", "豫园", "外滩"):
        hand.tap(id="route_edit_add_via")
        pick(hand, name, name)
    hand.tap(id="route_edit_add_via")
    assert hand.toast == "最多添加3个途经点"
    hand.tap(id="route_edit_exchange")
    assert hand.texts(id="route_edit_via") == ["外滩", "豫园", "静安寺"]


def test_start_and_destination_are_swapped(hand: Hand) -> None:
    plan(hand)
    hand.tap(id="route_edit_exchange")
    assert hand.text(id="route_edit_summary_start") == JIADING
    assert hand.text(id="route_edit_summary_end") == "我的位置"


def test_the_departure_time(hand: Hand) -> None:
    plan(hand)
    assert hand.text(id="route_departure_text") == "现在出发"
    hand.tap(id="route_departure")
    hand.tap(id="departure_hour", text="03时")
    hand.tap(id="departure_confirm")
    assert hand.toast == "出发时间不能早于当前时间"
    hand.tap(id="departure_day", text="后天")
    hand.tap(id="departure_minute", text="20分")
    assert hand.text(id="departure_chosen") == "后天 03:20出发"
    hand.tap(id="departure_confirm")
    assert hand.text(id="route_departure_text") == "后天 03:20出发"
    hand.tap(id="route_departure")
    hand.tap(id="departure_now")
    assert hand.text(id="route_departure_text") == "现在出发"


@pytest.mark.parametrize(
    ("mode", "action"), [("骑行", "start_navi"), ("步行", "start_navi"), ("打车", "taxi_call")]
)
def test_other_travel_modes(hand: Hand, mode: str, action: str) -> None:
    plan(hand, "鲁迅公园")
    hand.tap(id="route_tab", text=mode)
    assert hand.node(id="route_tab", text=mode).selected
    assert hand.sees(id=action)
    assert not hand.sees(id="route_edit_add_via")


def test_long_walks_are_not_offered(hand: Hand) -> None:
    plan(hand, "颐和园")
    hand.tap(id="route_tab", text="步行")
    assert hand.text(id="empty_text") == "距离过远，暂无方案"


def test_a_missing_endpoint_is_requested(hand: Hand) -> None:
    hand.tap(id="way_text", text="步行")
    assert hand.text(id="empty_text") == "请设置终点"
    hand.tap(id="retry")
    pick(hand, "鲁迅公园", "鲁迅公园")
    assert hand.text(id="route_time") == "27分钟"


def test_planned_routes_are_listed_in_the_history(hand: Hand) -> None:
    plan(hand, "豫园")
    hand.back()
    hand.tab("我的")
    hand.tap(id="mine_tool", desc="历史路线")
    assert hand.texts(id="trip_text")[0] == "我的位置 → 豫园"
    hand.tap(id="trip_delete", desc="删除到豫园的路线")
    assert "我的位置 → 豫园" not in hand.texts(id="trip_text")
    hand.tap(id="trip_item", index=0)
    assert hand.sees(id="route_head")
    hand.back()
    hand.tap(id="trip_clear")
    hand.tap(id="dialog_yes")
    assert hand.text(id="empty_text") == "暂无历史路线"


def test_no_route_is_planned_offline(hand: Hand) -> None:
    hand.network(False)
    plan(hand)
    assert hand.sees(id="network_error")
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="route_item")


@pytest.mark.parametrize("label", ["公共交通", "步行", "骑行", "打车"])
def test_replanning_fails_offline(hand: Hand, label: str) -> None:
    plan(hand, "五角场")
    hand.network(False)
    assert hand.sees(id="route_item")
    hand.tap(id="route_tab", text=label)
    assert hand.sees(id="network_error")
    assert not hand.sees(id="transit_time")
    assert not hand.sees(id="route_panel")
    hand.tap(id="retry")
    assert hand.toast == "网络连接失败，请检查网络设置"
    hand.network(True)
    hand.tap(id="retry")
    assert not hand.sees(id="network_error")


def test_no_taxi_is_ordered_offline(hand: Hand) -> None:
    plan(hand, "五角场")
    hand.tap(id="route_tab", text="打车")
    hand.network(False)
    hand.tap(id="taxi_call")
    assert hand.toast == "网络连接失败，请检查网络设置"
    assert hand.sees(id="taxi_call")


def test_a_route_step_by_step(hand: Hand) -> None:
    plan(hand, "五角场")
    sum_ = (hand.texts(id="route_time")[0], hand.texts(id="route_distance")[0])
    hand.tap(id="route_steps")
    assert hand.text(id="steps_sum") == " ".join(sum_)
    assert hand.text(id="steps_ends") == "我的位置 → 五角场"
    assert all(text.startswith("沿") for text in hand.texts(id="step_text"))
    hand.tap(id="start_navi")
    assert hand.text(id="navi_end").endswith("到达 五角场")
    hand.tap(id="navi_exit")
    hand.tap(id="dialog_yes")
    assert hand.sees(id="route_item")

"""Ctrip's search, sights and tours."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.content import tours
from garabench.virtual.apps.ctrip.search import find_all, suggestions
from garabench.virtual.apps.ctrip.sight import find_sights
from garabench.virtual.apps.ctrip.tour_list import DAYS, find_tours, has_days
from tests.virtual.apps.ctrip.robot import TALL, Robot


@pytest.mark.parametrize(
    ("query", "tab", "first"),
    [
        ("上海博物馆", "景点", ("sight", "shanghai-museum")),
        ("上海博物馆东馆", "综合", ("sight", "shanghai-museum-east")),
        ("成都春熙路", "酒店", ("hotel", "cx-wharf")),
        ("全季 虹桥", "酒店", ("hotel", "hq-ji-station")),
        ("三亚跟团游", "旅游", ("tour", "sanya-5-hot")),
    ],
)
def test_the_first_result(query: str, tab: str, first: tuple[str, str]) -> None:
    assert find_all(query, tab)[0] == first


def test_an_empty_search_has_no_results() -> None:
    assert find_all("qqqzzz", "综合") == ()
    assert suggestions("  ") == ()
    assert "故宫博物院" in suggestions("故宫")


def test_each_tour_has_one_length() -> None:
    for tour in tours().values():
        assert sum(has_days(tour, days) for days in DAYS) == 1


def test_kinds_of_sights() -> None:
    assert {sight.kind for sight in find_sights("", "上海", "主题乐园")} == {"主题乐园"}
    assert all(any(t.kind == "1日游" for t in s.tickets) for s in find_sights("", "北京", "一日游"))
    assert all(tour.kind == "私家团" for tour in find_tours("", "私家团"))


def test_searching_from_the_first_screen() -> None:
    robot = Robot(TALL)
    robot.tap(id="home_search")
    robot.write("熊猫", id="search_input")
    robot.tap(id="suggestion_item", has={"text": "成都大熊猫繁育研究基地"})
    robot.tap(id="sight_name", text="成都大熊猫繁育研究基地")
    assert robot.text(id="sight_title") == "成都大熊猫繁育研究基地"
    robot.back()
    robot.tap(id="result_tab", desc="酒店")
    assert robot.sees(id="empty_text")
    robot.back()
    robot.back()
    robot.tap(id="home_search")
    assert robot.texts(id="history_word")[0] == "成都大熊猫繁育研究基地"
    robot.tap(id="clear_searches")
    robot.tap(id="dialog_yes")
    assert not robot.sees(id="history_word")


def test_ticket_kinds_and_closed_days() -> None:
    robot = Robot(TALL)
    robot.open(names.SIGHT, sight="gugong")
    robot.tap(id="ticket_filter", text="学生票")
    assert robot.texts(id="ticket_name") == ["学生票·大门票"]
    robot.tap(id="ticket_book")
    robot.tap(id="submit_order")
    assert robot.toast == "请选择游玩日期"
    robot.tap(id="more_days")
    assert not robot.node(id="calendar_day", desc="2024年5月27日").enabled  # a Monday
    robot.pick_day("2024年6月12日")
    assert robot.text(id="order_day") == "2024年6月12日"
    robot.tap(id="stepper_plus", inside={"id": "ticket_count"})
    robot.tap(id="submit_order")
    assert robot.toast == "请选择2位出行人"


def test_a_free_ticket_needs_no_payment() -> None:
    robot = Robot(TALL)
    robot.open(names.TICKET_ORDER, sight="shanghai-museum", ticket="shanghai-museum-0")
    robot.tap(id="day_option", index=0)
    robot.tap(id="add_traveller")
    robot.tap(id="traveller_option", has={"text_contains": "林远"})
    robot.tap(id="traveller_done")
    robot.tap(id="submit_order")
    assert robot.front == names.ORDER
    assert robot.text(id="detail_status") == "待出行"


def test_tours_from_a_destination_to_the_order() -> None:
    robot = Robot(TALL)
    robot.open(names.TOUR_HOME)
    robot.tap(id="tour_tab", desc="目的地")
    robot.tap(id="tour_city", has={"text": "张家界"})
    robot.tap(id="tour_order", desc="价格")
    up = robot.texts(id="tour_price")
    robot.tap(id="tour_order", desc="价格")
    assert robot.texts(id="tour_price") == up[::-1]
    robot.tap(id="days_option", text="5日")
    robot.tap(id="tour_kind", desc="跟团游")
    assert len(robot.nodes(id="tour_item")) == 1
    robot.tap(id="tour_title")
    robot.tap(id="tour_favorite")
    assert robot.text(id="tour_favorite_text") == "已收藏"
    robot.tap(id="tour_next")
    robot.tap(id="tour_day")
    assert not robot.node(id="calendar_day", desc="2024年5月22日").enabled
    robot.pick_day("2024年6月1日")
    robot.tap(id="stepper_plus", inside={"id": "tour_children"})
    assert robot.text(id="order_total") == f"¥{1860 * 2 + 1302}"


def test_searching_for_sights() -> None:
    robot = Robot()
    robot.open(names.TICKET_HOME)
    robot.tap(id="ticket_city")
    robot.tap(id="city_hot", text="西安")
    assert robot.texts(id="sight_name") == ["秦始皇帝陵博物院（兵马俑）"]
    robot.write("博物院", id="ticket_search")
    assert "故宫博物院" in robot.texts(id="sight_name")
    assert "南京博物院" in robot.texts(id="sight_name")

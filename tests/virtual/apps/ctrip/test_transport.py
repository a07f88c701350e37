"""Ctrip's flights and trains, from the search form to the order."""

from __future__ import annotations

from garabench.virtual.apps.ctrip import names
from tests.virtual.apps.ctrip.robot import TALL, Robot

FLIGHTS = {"start": "深圳", "end": "南京", "day": "2024-06-12"}
TRAINS = {"start": "上海虹桥", "end": "北京南", "day": "2024-06-06"}


def prices(robot: Robot) -> list[int]:
    return [int(text.strip("¥")) for text in robot.texts(id="flight_price")]


def test_cities_are_swapped_and_selected() -> None:
    robot = Robot()
    robot.open(names.FLIGHT_INQUIRE)
    robot.tap(id="flight_swap")
    assert (robot.text(id="flight_start_name"), robot.text(id="flight_end_name")) == ("北京", "上海")
    robot.tap(id="flight_start")
    robot.tap(id="city_hot", text="上海")
    assert (robot.text(id="flight_start_name"), robot.text(id="flight_end_name")) == ("上海", "北京")
    robot.tap(id="flight_end")
    robot.write("苏州", id="city_search")
    assert robot.sees(id="empty_text")


def test_flights_are_sorted_both_ways_and_filtered() -> None:
    robot = Robot(TALL)
    robot.open(names.FLIGHT_LIST, **FLIGHTS)
    robot.settle()
    robot.tap(id="price_button")
    up = prices(robot)
    assert up == sorted(up)
    robot.tap(id="direct_button")
    assert set(robot.texts(id="flight_way")) == {"直飞"}
    robot.tap(id="price_button")
    down = prices(robot)
    assert down == sorted(down, reverse=True)
    robot.tap(id="filter_button")
    robot.tap(id="filter_option", text="四川航空")
    robot.back()
    assert prices(robot) == down
    robot.tap(id="filter_button")
    robot.tap(id="filter_option", text="四川航空")
    robot.tap(id="sheet_done")
    assert all(text.startswith("四川航空") for text in robot.texts(id="flight_number"))
    assert robot.text(id="filter_button_text") == "筛选·1"


def test_another_day_has_other_fares() -> None:
    robot = Robot(TALL)
    robot.open(names.FLIGHT_LIST, **FLIGHTS)
    robot.settle()
    before = prices(robot)
    robot.tap(id="flight_day_item", has={"text": "6月13日"})
    robot.settle()
    assert prices(robot) != before
    assert robot.node(id="flight_day_item", has={"text": "6月13日"}).selected


def test_a_round_trip_selects_both_flights() -> None:
    robot = Robot(TALL)
    robot.open(names.FLIGHT_LIST, **FLIGHTS, back="2024-06-15", cabin="公务/头等舱")
    robot.settle()
    assert robot.text(id="list_way") == "选择去程"
    robot.tap(id="flight_item", index=0)
    robot.settle()
    assert robot.text(id="list_way") == "选择返程"
    assert robot.text(id="列表页头部出发城市") == "南京"
    robot.tap(id="flight_item", index=0)
    assert [text[:2] for text in robot.texts(id="leg_title")] == ["去程", "返程"]
    assert robot.node(id="cabin_tab", desc="公务 / 头等舱").selected


def test_children_pay_less_and_do_not_fly_alone() -> None:
    robot = Robot(TALL)
    robot.open(names.FLIGHT_ORDER, **FLIGHTS, out="9C8669", fare="y0")
    assert robot.text(id="order_total") == "¥570"
    robot.tap(id="add_traveller")
    robot.tap(id="traveller_option", has={"text_contains": "林子墨"})
    robot.tap(id="traveller_done")
    robot.tap(id="submit_order")
    assert robot.toast == "儿童需由成人陪同"
    robot.tap(id="add_traveller")
    robot.tap(id="traveller_option", has={"text_contains": "林远"})
    robot.tap(id="traveller_done")
    assert robot.text(id="order_total") == "¥880"
    robot.tap(id="insurance_switch")
    assert robot.text(id="order_total") == "¥960"
    robot.tap(id="remove_traveller", desc="移除林子墨")
    assert robot.texts(id="chosen_name") == ["林远"]


def test_a_flight_becomes_a_favourite() -> None:
    robot = Robot()
    robot.open(names.FLIGHT_FARES, **FLIGHTS, out="9C8669")
    robot.tap(id="flight_favorite")
    assert robot.text(id="flight_favorite_text") == "已收藏"
    robot.open(names.FLIGHT_FARES, **{**FLIGHTS, "day": "2024-06-13"}, out="9C8669")
    assert robot.text(id="flight_favorite_text") == "收藏"
    robot.open(names.FAVORITES)
    robot.tap(id="favorite_tab", desc="机票")
    assert robot.texts(id="flight_kept") == ["2024-06-12 9C8669"]
    robot.tap(id="flight_kept_item")
    assert robot.text(id="flight_favorite_text") == "已收藏"


def test_an_unknown_flight() -> None:
    robot = Robot()
    robot.open(names.FLIGHT_FARES, **FLIGHTS, out="XX0000")
    assert robot.sees(id="empty_text")
    robot.tap(id="flight_favorite")
    assert not robot.node(id="flight_favorite").selected


def test_trains_from_the_form_to_the_order() -> None:
    robot = Robot(TALL)
    robot.open(names.TRAIN_INQUIRE)
    robot.tap(id="train_start")
    robot.write("虹桥", id="city_search")
    robot.tap(id="city_item", has={"text": "上海虹桥"})
    robot.tap(id="train_fast")
    robot.tap(id="train_student")
    robot.tap(id="train_search")
    robot.settle()
    assert robot.text(id="train_list_student") == "学生票"
    assert all(number[0] in "GDC" for number in robot.texts(id="train_number"))
    assert set(robot.texts(id="train_depart_station")) == {"上海虹桥"}


def test_trains_are_sorted_and_listed_by_day() -> None:
    robot = Robot(TALL)
    robot.open(names.TRAIN_LIST, **TRAINS)
    robot.settle()
    early = robot.texts(id="train_depart")
    robot.tap(id="time_button")
    assert robot.text(id="time_button_text") == "发时最晚"
    assert robot.texts(id="train_depart") != early
    robot.tap(id="day_after")
    robot.settle()
    assert robot.text(id="train_list_day").startswith("6月7日")
    robot.tap(id="filter_button")
    robot.tap(id="filter_option", text="仅看有票")
    robot.tap(id="sheet_done")
    assert robot.text(id="filter_button_text") == "筛选·1"


def test_a_sold_out_class_cannot_be_booked() -> None:
    robot = Robot()
    robot.open(names.TRAIN, **TRAINS, train="G839")
    robot.tap(id="seat_book", desc="订二等座")
    assert robot.front == names.TRAIN
    robot.tap(id="train_rules")
    assert robot.sees(id="rules_sheet")
    robot.back()
    robot.tap(id="seat_book", desc="订一等座")
    assert robot.front == names.TRAIN_ORDER
    robot.tap(id="submit_order")
    assert robot.toast == "请先添加乘客"


def test_choosing_a_seat_position() -> None:
    robot = Robot(TALL)
    robot.open(names.TRAIN_ORDER, **TRAINS, train="G1122", seat="二等座")
    robot.tap(id="add_traveller")
    robot.tap(id="traveller_option", has={"text_contains": "周小棠"})
    robot.tap(id="traveller_done")
    robot.tap(id="seat_letter", text="F")
    robot.tap(id="submit_order")
    assert robot.sees(id="fact_value", text="F")
    assert robot.text(id="pay_title") == "上海虹桥-北京南"

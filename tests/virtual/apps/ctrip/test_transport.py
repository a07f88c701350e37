from __future__ import annotations

from garabench.virtual.apps.ctrip import names
from tests.virtual.apps.ctrip.hand import TALL, Hand

FLIGHTS = {"start": "深圳", "end": "南京", "day": "2024-06-12"}
TRAINS = {"start": "上海虹桥", "end": "北京南", "day": "2024-06-06"}


def prices(hand: Hand) -> list[int]:
    return [int(text.strip("¥")) for text in hand.texts(id="flight_price")]


def test_cities_are_swapped_and_selected() -> None:
    hand = Hand()
    hand.open(names.FLIGHT_INQUIRE)
    hand.tap(id="flight_swap")
    assert (hand.text(id="flight_start_name"), hand.text(id="flight_end_name")) == ("北京", "上海")
    hand.tap(id="flight_start")
    hand.tap(id="city_hot", text="上海")
    assert (hand.text(id="flight_start_name"), hand.text(id="flight_end_name")) == ("上海", "北京")
    hand.tap(id="flight_end")
    hand.write("苏州", id="city_search")
    assert hand.sees(id="empty_text")


def test_flights_are_sorted_both_ways_and_filtered() -> None:
    hand = Hand(TALL)
    hand.open(names.FLIGHT_LIST, **FLIGHTS)
    hand.settle()
    hand.tap(id="price_button")
    up = prices(hand)
    assert up == sorted(up)
    hand.tap(id="direct_button")
    assert set(hand.texts(id="flight_way")) == {"直飞"}
    hand.tap(id="price_button")
    down = prices(hand)
    assert down == sorted(down, reverse=True)
    hand.tap(id="filter_button")
    hand.tap(id="filter_option", text="四川航空")
    hand.back()
    assert prices(hand) == down
    hand.tap(id="filter_button")
    hand.tap(id="filter_option", text="四川航空")
    hand.tap(id="sheet_done")
    assert all(text.startswith("四川航空") for text in hand.texts(id="flight_number"))
    assert hand.text(id="filter_button_text") == "筛选·1"


def test_another_day_has_other_fares() -> None:
    hand = Hand(TALL)
    hand.open(names.FLIGHT_LIST, **FLIGHTS)
    hand.settle()
    before = prices(hand)
    hand.tap(id="flight_day_item", has={"text": "6月13日"})
    hand.settle()
    assert prices(hand) != before
    assert hand.node(id="flight_day_item", has={"text": "6月13日"}).selected


def test_a_round_trip_selects_both_flights() -> None:
    hand = Hand(TALL)
    hand.open(names.FLIGHT_LIST, **FLIGHTS, back="2024-06-15", cabin="公务/头等舱")
    hand.settle()
    assert hand.text(id="list_way") == "选择去程"
    hand.tap(id="flight_item", index=0)
    hand.settle()
    assert hand.text(id="list_way") == "选择返程"
    assert hand.text(id="列表页头部出发城市") == "南京"
    hand.tap(id="flight_item", index=0)
    assert [text[:2] for text in hand.texts(id="leg_title")] == ["去程", "返程"]
    assert hand.node(id="cabin_tab", desc="公务 / 头等舱").selected


def test_children_pay_less_and_do_not_fly_alone() -> None:
    hand = Hand(TALL)
    hand.open(names.FLIGHT_ORDER, **FLIGHTS, out="9C8669", fare="y0")
    assert hand.text(id="order_total") == "¥570"
    hand.tap(id="add_traveller")
    hand.tap(id="traveller_option", has={"text_contains": "林子墨"})
    hand.tap(id="traveller_done")
    hand.tap(id="submit_order")
    assert hand.toast == "儿童需由成人陪同"
    hand.tap(id="add_traveller")
    hand.tap(id="traveller_option", has={"text_contains": "林远"})
    hand.tap(id="traveller_done")
    assert hand.text(id="order_total") == "¥880"
    hand.tap(id="insurance_switch")
    assert hand.text(id="order_total") == "¥960"
    hand.tap(id="remove_traveller", desc="移除林子墨")
    assert hand.texts(id="chosen_name") == ["林远"]


def test_a_flight_becomes_a_favourite() -> None:
    hand = Hand()
    hand.open(names.FLIGHT_FARES, **FLIGHTS, out="9C8669")
    hand.tap(id="flight_favorite")
    assert hand.text(id="flight_favorite_text") == "已收藏"
    hand.open(names.FLIGHT_FARES, **{**FLIGHTS, "day": "2024-06-13"}, out="9C8669")
    assert hand.text(id="flight_favorite_text") == "收藏"
    hand.open(names.FAVORITES)
    hand.tap(id="favorite_tab", desc="机票")
    assert hand.texts(id="flight_kept") == ["2024-06-12 9C8669"]
    hand.tap(id="flight_kept_item")
    assert hand.text(id="flight_favorite_text") == "已收藏"


def test_an_unknown_flight() -> None:
    hand = Hand()
    hand.open(names.FLIGHT_FARES, **FLIGHTS, out="XX0000")
    assert hand.sees(id="empty_text")
    hand.tap(id="flight_favorite")
    assert not hand.node(id="flight_favorite").selected


def test_trains_from_the_form_to_the_order() -> None:
    hand = Hand(TALL)
    hand.open(names.TRAIN_INQUIRE)
    hand.tap(id="train_start")
    hand.write("虹桥", id="city_search")
    hand.tap(id="city_item", has={"text": "上海虹桥"})
    hand.tap(id="train_fast")
    hand.tap(id="train_student")
    hand.tap(id="train_search")
    hand.settle()
    assert hand.text(id="train_list_student") == "学生票"
    assert all(number[0] in "GDC" for number in hand.texts(id="train_number"))
    assert set(hand.texts(id="train_depart_station")) == {"上海虹桥"}


def test_trains_are_sorted_and_listed_by_day() -> None:
    hand = Hand(TALL)
    hand.open(names.TRAIN_LIST, **TRAINS)
    hand.settle()
    early = hand.texts(id="train_depart")
    hand.tap(id="time_button")
    assert hand.text(id="time_button_text") == "发时最晚"
    assert hand.texts(id="train_depart") != early
    hand.tap(id="day_after")
    hand.settle()
    assert hand.text(id="train_list_day").startswith("6月7日")
    hand.tap(id="filter_button")
    hand.tap(id="filter_option", text="仅看有票")
    hand.tap(id="sheet_done")
    assert hand.text(id="filter_button_text") == "筛选·1"


def test_a_sold_out_class_cannot_be_booked() -> None:
    hand = Hand()
    hand.open(names.TRAIN, **TRAINS, train="G839")
    hand.tap(id="seat_book", desc="订二等座")
    assert hand.front == names.TRAIN
    hand.tap(id="train_rules")
    assert hand.sees(id="rules_sheet")
    hand.back()
    hand.tap(id="seat_book", desc="订一等座")
    assert hand.front == names.TRAIN_ORDER
    hand.tap(id="submit_order")
    assert hand.toast == "请先添加乘客"


def test_choosing_a_seat_position() -> None:
    hand = Hand(TALL)
    hand.open(names.TRAIN_ORDER, **TRAINS, train="G1122", seat="二等座")
    hand.tap(id="add_traveller")
    hand.tap(id="traveller_option", has={"text_contains": "周小棠"})
    hand.tap(id="traveller_done")
    hand.tap(id="seat_letter", text="F")
    hand.tap(id="submit_order")
    assert hand.sees(id="fact_value", text="F")
    assert hand.text(id="pay_title") == "上海虹桥-北京南"

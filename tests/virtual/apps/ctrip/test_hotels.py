"""Ctrip's hotels, from the search form to the order."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from tests.virtual.apps.ctrip.robot import TALL, Robot

STAY = {"start": "2024-06-07", "end": "2024-06-09", "rooms": 2, "adults": 3}


@pytest.fixture
def listed() -> Robot:
    robot = Robot(TALL)
    robot.open(names.HOTEL_LIST, city="成都", keyword="春熙路", **STAY)
    return robot


def prices(robot: Robot) -> list[int]:
    return [int(text.strip("¥起")) for text in robot.texts(id="hotel_price")]


def test_the_form_starts_tonight_and_keeps_the_choices() -> None:
    robot = Robot()
    robot.open(names.HOTEL_INQUIRE)
    assert robot.text(id="check_in") == "5月20日"
    robot.tap(id="hotel_dates")
    robot.pick_day("2024年6月7日")
    assert not robot.node(id="calendar_done").enabled
    robot.pick_day("2024年6月10日")
    assert robot.text(id="calendar_done") == "完成(3晚)"
    robot.tap(id="calendar_done")
    assert (robot.text(id="check_in"), robot.text(id="check_out")) == ("6月7日", "6月10日")
    robot.tap(id="hotel_city")
    robot.write("hang", id="city_search")
    robot.tap(id="city_item", has={"text": "杭州"})
    robot.tap(id="hotel_search")
    assert robot.text(id="list_city") == "杭州"
    assert robot.text(id="list_check_out") == "离 06-10"


def test_the_calendar_has_no_past_days_and_can_be_closed() -> None:
    robot = Robot()
    robot.open(names.HOTEL_INQUIRE)
    robot.tap(id="hotel_dates")
    assert not robot.node(id="calendar_day", desc="2024年5月19日").enabled
    robot.back()
    assert robot.front == names.HOTEL_INQUIRE
    assert robot.text(id="check_in") == "5月20日"


def test_guests_apply_only_after_confirmation() -> None:
    robot = Robot()
    robot.open(names.HOTEL_INQUIRE)
    for toggle_filter in (False, True):
        robot.tap(id="hotel_guests")
        for _ in range(3):
            robot.tap(id="stepper_plus", inside={"id": "guest_rooms"})
        if toggle_filter:
            robot.tap(id="guest_done")
        else:
            robot.back()
        expected = "4间 4成人 0儿童" if toggle_filter else "1间 2成人 0儿童"
        assert robot.text(id="hotel_guests_text") == expected


def test_the_list_is_sorted_and_filtered(listed: Robot) -> None:
    listed.tap(id="sort_button")
    listed.tap(id="sort_option", has={"text": "低价优先"})
    assert prices(listed) == sorted(prices(listed))
    assert 199 in prices(listed)
    listed.tap(id="quick_filter", text="免费取消")
    assert listed.node(id="quick_filter", text="免费取消").selected
    assert 199 not in prices(listed)  # it cannot be cancelled
    listed.tap(id="price_button")
    listed.tap(id="price_range", text="¥300-450")
    listed.tap(id="sheet_done")
    assert prices(listed)
    assert all(300 <= price <= 450 for price in prices(listed))


def test_filters_without_results_can_be_cleared(listed: Robot) -> None:
    listed.tap(id="price_button")
    listed.tap(id="price_range", text="¥150以下")
    listed.tap(id="sheet_done")
    assert not listed.sees(id="hotel_item")
    listed.tap(id="retry")
    assert listed.sees(id="hotel_item")


def test_sorting_by_distance_requires_a_landmark() -> None:
    robot = Robot()
    robot.open(names.HOTEL_LIST, city="杭州")
    robot.tap(id="sort_button")
    assert not robot.sees(id="sort_option", has={"text": "距离优先"})


def test_an_offline_list_loads_on_retry() -> None:
    robot = Robot()
    robot.network(False)
    robot.open(names.HOTEL_LIST, city="成都")
    assert robot.sees(id="network_error")
    robot.tap(id="retry")
    assert not robot.sees(id="hotel_item")
    robot.network(True)
    robot.tap(id="retry")
    assert robot.sees(id="hotel_item")


def test_a_favourite_is_listed_until_removed() -> None:
    robot = Robot()
    robot.open(names.HOTEL, hotel="cx-atour")
    robot.tap(id="favorite_button")
    assert robot.node(id="favorite_button").selected
    robot.open(names.FAVORITES)
    assert robot.texts(id="hotel_name")[0] == "亚朵酒店(成都春熙路太古里店)"
    robot.stop()
    robot.open(names.HOTEL, hotel="cx-atour")
    robot.tap(id="favorite_button")
    assert not robot.node(id="favorite_button").selected


def test_rooms_are_filtered() -> None:
    robot = Robot(TALL)
    robot.open(names.HOTEL, hotel="cx-atour", **STAY)
    robot.tap(id="room_filter", text="双床")
    robot.tap(id="room_filter", text="含早餐")
    assert robot.texts(id="room_name") == ["几木双床房"]
    assert robot.texts(id="offer_meals") == ["2份早餐"]


def test_the_form_counts_rooms_and_nights_and_asks_for_guests() -> None:
    robot = Robot(TALL)
    robot.open(names.HOTEL_ORDER, hotel="cx-atour", room="cx-atour-0", offer="0-0", **STAY)
    assert robot.text(id="order_total") == f"¥{498 * 4 - 50}"
    robot.tap(id="submit_order")
    assert robot.toast == "请填写入住人姓名"
    robot.write("林远", id="guest_name")
    robot.write("周小棠", id="guest_name_1")
    robot.tap(id="order_coupon")
    robot.tap(id="coupon_option", has={"text": "不使用优惠券"})
    assert robot.text(id="order_total") == f"¥{498 * 4}"
    robot.write("123", id="contact_phone")
    robot.tap(id="submit_order")
    assert robot.toast == "请填写正确的手机号"
    robot.write("13900130058", id="contact_phone")
    robot.tap(id="submit_order")
    assert robot.front == names.CASHIER
    assert robot.sees(id="fact_value", text="林远、周小棠")


def test_leaving_the_cashier_leaves_the_order_unpaid() -> None:
    robot = Robot()
    robot.open(names.HOTEL_ORDER, hotel="cx-atour", room="cx-atour-0", offer="0-1")
    robot.write("林远", id="guest_name")
    robot.tap(id="submit_order")
    robot.back()
    robot.tap(id="dialog_no")
    assert robot.front == names.CASHIER
    robot.back()
    robot.tap(id="dialog_yes")
    assert robot.text(id="detail_status") == "待付款"
    robot.tap(id="pay_order")
    robot.tap(id="pay_button")
    assert robot.sees(id="pay_done")
    robot.tap(id="see_order")
    assert robot.text(id="detail_status") == "待出行"


def test_reviews_by_kind() -> None:
    robot = Robot(TALL)
    robot.open(names.HOTEL_REVIEWS, hotel="cx-atour")
    every = len(robot.nodes(id="review_item"))
    robot.tap(id="review_kind", text_contains="差评")
    assert 0 < len(robot.nodes(id="review_item")) < every


def test_facilities_are_below_the_rooms() -> None:
    robot = Robot()
    robot.open(names.HOTEL, hotel="hz-hyatt")
    robot.tap(id="section", desc="设施")
    assert robot.sees(id="facility", text="行政酒廊")
    assert robot.sees(id="policy", has={"text": "14:00后"})
    robot.tap(id="section", desc="概览")
    assert robot.sees(id="hotel_title", text="杭州凯悦酒店")

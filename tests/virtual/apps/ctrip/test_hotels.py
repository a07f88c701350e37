from __future__ import annotations

import pytest

from garabench.virtual.apps.ctrip import names
from tests.virtual.apps.ctrip.hand import TALL, Hand

STAY = {"start": "2024-06-07", "end": "2024-06-09", "rooms": 2, "adults": 3}


@pytest.fixture
def listed() -> Hand:
    hand = Hand(TALL)
    hand.open(names.HOTEL_LIST, city="成都", keyword="春熙路", **STAY)
    return hand


def prices(hand: Hand) -> list[int]:
    return [int(text.strip("¥起")) for text in hand.texts(id="hotel_price")]


def test_the_form_starts_tonight_and_keeps_the_choices() -> None:
    hand = Hand()
    hand.open(names.HOTEL_INQUIRE)
    assert hand.text(id="check_in") == "5月20日"
    hand.tap(id="hotel_dates")
    hand.pick_day("2024年6月7日")
    assert not hand.node(id="calendar_done").enabled
    hand.pick_day("2024年6月10日")
    assert hand.text(id="calendar_done") == "完成(3晚)"
    hand.tap(id="calendar_done")
    assert (hand.text(id="check_in"), hand.text(id="check_out")) == ("6月7日", "6月10日")
    hand.tap(id="hotel_city")
    hand.write("hang", id="city_search")
    hand.tap(id="city_item", has={"text": "杭州"})
    hand.tap(id="hotel_search")
    assert hand.text(id="list_city") == "杭州"
    assert hand.text(id="list_check_out") == "离 06-10"


def test_the_calendar_has_no_past_days_and_can_be_closed() -> None:
    hand = Hand()
    hand.open(names.HOTEL_INQUIRE)
    hand.tap(id="hotel_dates")
    assert not hand.node(id="calendar_day", desc="2024年5月19日").enabled
    hand.back()
    assert hand.front == names.HOTEL_INQUIRE
    assert hand.text(id="check_in") == "5月20日"


def test_guests_apply_only_after_confirmation() -> None:
    hand = Hand()
    hand.open(names.HOTEL_INQUIRE)
    for toggle_filter in (False, True):
        hand.tap(id="hotel_guests")
        for _ in range(3):
            hand.tap(id="stepper_plus", inside={"id": "guest_rooms"})
        if toggle_filter:
            hand.tap(id="guest_done")
        else:
            hand.back()
        expected = "4间 4成人 0儿童" if toggle_filter else "1间 2成人 0儿童"
        assert hand.text(id="hotel_guests_text") == expected


def test_the_list_is_sorted_and_filtered(listed: Hand) -> None:
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


def test_filters_without_results_can_be_cleared(listed: Hand) -> None:
    listed.tap(id="price_button")
    listed.tap(id="price_range", text="¥150以下")
    listed.tap(id="sheet_done")
    assert not listed.sees(id="hotel_item")
    listed.tap(id="retry")
    assert listed.sees(id="hotel_item")


def test_sorting_by_distance_requires_a_landmark() -> None:
    hand = Hand()
    hand.open(names.HOTEL_LIST, city="杭州")
    hand.tap(id="sort_button")
    assert not hand.sees(id="sort_option", has={"text": "距离优先"})


def test_an_offline_list_loads_on_retry() -> None:
    hand = Hand()
    hand.network(False)
    hand.open(names.HOTEL_LIST, city="成都")
    assert hand.sees(id="network_error")
    hand.tap(id="retry")
    assert not hand.sees(id="hotel_item")
    hand.network(True)
    hand.tap(id="retry")
    assert hand.sees(id="hotel_item")


def test_a_favourite_is_listed_until_removed() -> None:
    hand = Hand()
    hand.open(names.HOTEL, hotel="cx-atour")
    hand.tap(id="favorite_button")
    assert hand.node(id="favorite_button").selected
    hand.open(names.FAVORITES)
    assert hand.texts(id="hotel_name")[0] == "亚朵酒店(成都春熙路太古里店)"
    hand.stop()
    hand.open(names.HOTEL, hotel="cx-atour")
    hand.tap(id="favorite_button")
    assert not hand.node(id="favorite_button").selected


def test_rooms_are_filtered() -> None:
    hand = Hand(TALL)
    hand.open(names.HOTEL, hotel="cx-atour", **STAY)
    hand.tap(id="room_filter", text="双床")
    hand.tap(id="room_filter", text="含早餐")
    assert hand.texts(id="room_name") == ["几木双床房"]
    assert hand.texts(id="offer_meals") == ["2份早餐"]


def test_the_form_counts_rooms_and_nights_and_asks_for_guests() -> None:
    hand = Hand(TALL)
    hand.open(names.HOTEL_ORDER, hotel="cx-atour", room="cx-atour-0", offer="0-0", **STAY)
    assert hand.text(id="order_total") == f"¥{498 * 4 - 50}"
    hand.tap(id="submit_order")
    assert hand.toast == "请填写入住人姓名"
    hand.write("林远", id="guest_name")
    hand.write("周小棠", id="guest_name_1")
    hand.tap(id="order_coupon")
    hand.tap(id="coupon_option", has={"text": "不使用优惠券"})
    assert hand.text(id="order_total") == f"¥{498 * 4}"
    hand.write("123", id="contact_phone")
    hand.tap(id="submit_order")
    assert hand.toast == "请填写正确的手机号"
    hand.write("13900130058", id="contact_phone")
    hand.tap(id="submit_order")
    assert hand.front == names.CASHIER
    assert hand.sees(id="fact_value", text="林远、周小棠")


def test_leaving_the_cashier_leaves_the_order_unpaid() -> None:
    hand = Hand()
    hand.open(names.HOTEL_ORDER, hotel="cx-atour", room="cx-atour-0", offer="0-1")
    hand.write("林远", id="guest_name")
    hand.tap(id="submit_order")
    hand.back()
    hand.tap(id="dialog_no")
    assert hand.front == names.CASHIER
    hand.back()
    hand.tap(id="dialog_yes")
    assert hand.text(id="detail_status") == "待付款"
    hand.tap(id="pay_order")
    hand.tap(id="pay_button")
    assert hand.sees(id="pay_done")
    hand.tap(id="see_order")
    assert hand.text(id="detail_status") == "待出行"


def test_reviews_by_kind() -> None:
    hand = Hand(TALL)
    hand.open(names.HOTEL_REVIEWS, hotel="cx-atour")
    every = len(hand.nodes(id="review_item"))
    hand.tap(id="review_kind", text_contains="差评")
    assert 0 < len(hand.nodes(id="review_item")) < every


def test_facilities_are_below_the_rooms() -> None:
    hand = Hand()
    hand.open(names.HOTEL, hotel="hz-hyatt")
    hand.tap(id="section", desc="设施")
    assert hand.sees(id="facility", text="行政酒廊")
    assert hand.sees(id="policy", has={"text": "14:00后"})
    hand.tap(id="section", desc="概览")
    assert hand.sees(id="hotel_title", text="杭州凯悦酒店")

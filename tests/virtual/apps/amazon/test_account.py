from __future__ import annotations

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.hand import Hand


def test_an_unshipped_order_is_cancelled_with_a_reason() -> None:
    hand = Hand()
    hand.open(names.CANCEL, order="112-4837265-9917043")
    hand.tap(id="request_cancellation")
    assert hand.toast == "Select a cancellation reason"
    hand.tap(id="cancel_reason", desc="Other")
    hand.tap(id="request_cancellation")
    assert hand.texts(id="done_note") == ["Order # 112-4837265-9917043", "Reason: Other"]
    hand.open(names.ORDERS, tab="Cancelled Orders")
    assert len(hand.nodes(id="order_item")) == 2
    hand.open(names.CANCEL, order="112-4837265-9917043")
    assert hand.sees(id="empty_text", text="This order can't be changed any more")


def test_a_return_is_requested_step_by_step_and_can_be_cancelled() -> None:
    hand = Hand()
    hand.open(names.ORDER, order="114-6671935-0082247")
    hand.tap(id="return_items")
    hand.tap(id="return_continue")
    assert hand.toast == "Choose a response"
    hand.tap(id="return_reason", desc="Too large")
    hand.tap(id="return_continue")
    hand.back()
    assert hand.node(id="return_reason", desc="Too large").checked
    hand.tap(id="return_continue")
    hand.tap(id="return_continue")
    hand.tap(id="return_continue")
    hand.tap(id="done_view_order")
    assert hand.node(id="order_status").text == "Return started"
    hand.tap(id="cancel_return")
    hand.tap(id="dialog_yes")
    assert hand.node(id="order_status").text == "Delivered May 10, 2024"


def test_orders_are_searched_archived_and_reordered() -> None:
    hand = Hand()
    hand.open(names.ORDERS)
    hand.write("echo dot", id="order_search")
    assert len(hand.nodes(id="order_item")) == 1
    hand.open(names.ORDER, order="113-9027764-4405812")
    hand.scroll({"id": "buy_it_again"}, {"id": "order_scroll"})
    hand.tap(id="buy_it_again")
    assert hand.node(id="cart_count").text == "6"
    hand.tap(id="archive_order")
    assert hand.toast == "Order archived"
    hand.open(names.ORDERS, tab="Archived Orders")
    assert len(hand.nodes(id="order_item")) == 2


def test_an_address_is_validated_before_it_is_saved() -> None:
    hand = Hand()
    form = {"id": "address_form"}
    hand.open(names.ADDRESSES)
    hand.tap(id="address_edit", desc="Edit 2200 Harbor Drive")
    hand.write("12", id="address_phone")
    hand.phone.press_back()
    hand.settle()
    hand.scroll({"id": "address_save"}, form)
    hand.tap(id="address_save")
    assert hand.toast == "Please enter a valid phone number."
    hand.back()
    hand.tap(id="address_set_default", desc_contains="2200 Harbor Drive")
    assert hand.texts(id="address_street")[0] == "2200 Harbor Drive"
    hand.tap(id="address_remove", desc_contains="2200 Harbor Drive")
    hand.tap(id="dialog_yes")
    assert "2200 Harbor Drive" not in hand.texts(id="address_street")


def test_lists_are_renamed_and_deleted_and_items_moved() -> None:
    hand = Hand()
    hand.open(names.LIST, list="books")
    hand.tap(id="list_move", desc_contains="Dune Messiah")
    hand.tap(id="list_choice", has={"text": "Kitchen Upgrade"})
    assert len(hand.nodes(id="list_item")) == 1
    hand.tap(id="list_menu")
    hand.tap(id="list_action", has={"text": "Manage list"})
    hand.write("Novels", id="list_name_field")
    hand.tap(id="list_save")
    assert hand.node(id="list_title").text == "Novels"
    hand.tap(id="list_menu")
    hand.tap(id="list_action", has={"text": "Delete list"})
    hand.tap(id="dialog_yes")
    hand.open(names.LISTS)
    assert hand.texts(id="list_name") == ["Shopping List", "Kitchen Upgrade"]


def test_settings_persist_and_the_theme_changes_the_screen() -> None:
    hand = Hand()
    light = hand.phone.frame().png()
    hand.open(names.SETTINGS)
    hand.tap(id="setting_item", has={"text": "Appearance"})
    hand.tap(id="setting_choice", desc="Dark")
    assert hand.node(id="setting_choice", desc="Dark").checked
    hand.tab("Home")
    assert hand.phone.frame().png() != light
    hand.open(names.SETTINGS, page="country")
    hand.tap(id="setting_item", has={"text": "Language"})
    hand.tap(id="setting_choice", has={"text": "Español"})
    hand.stop()
    hand.open(names.SETTINGS, page="country")
    assert hand.sees(id="row_value", text="Español")


def test_the_app_opens_the_systems_notification_settings() -> None:
    hand = Hand()
    hand.open(names.SETTINGS, page="notifications")
    hand.tap(id="setting_item", has={"text": "Device settings"})
    assert hand.node(id="entity_header_title").text == "Amazon Shopping"
    hand.back()
    assert hand.sees(id="setting_list")


def test_the_assistant_answers_known_questions() -> None:
    hand = Hand()
    hand.open(names.CHAT)
    hand.write("Where is my refund?", id="chat_field")
    hand.tap(id="chat_send")
    assert hand.texts(id="chat_own") == ["Where is my refund?"]
    assert hand.texts(id="chat_reply")[-1].startswith("Refunds go back")


def test_deals_by_department_and_the_default_payment() -> None:
    hand = Hand()
    hand.open(names.DEALS)
    hand.tap(id="deal_department", text="Computers")
    assert len(hand.nodes(id="deal_item")) == 3
    hand.open(names.PAYMENTS)
    hand.tap(id="payment_set_default", desc_contains="Mastercard")
    hand.open(names.CHECKOUT)
    assert hand.node(id="checkout_payment_title").text == "Paying with Mastercard ending in 7730"


def test_the_profile_can_be_edited() -> None:
    hand = Hand()
    hand.open(names.ACCOUNT, page="security")
    hand.tap(id="security_edit", desc="Edit Email")
    hand.write("j.avery@example.org", id="security_field")
    hand.tap(id="security_save")
    assert "j.avery@example.org" in hand.texts(id="security_value")


def test_back_returns_to_the_home_tab_first() -> None:
    hand = Hand()
    hand.tab("Menu")
    hand.tab("You")
    hand.back()
    assert hand.sees(id="home_feed")


def test_a_list_links_to_the_others_with_their_sizes() -> None:
    hand = Hand()
    hand.open(names.LIST, list="books")
    hand.tap(id="list_move", desc_contains="Dune Messiah")
    hand.tap(id="list_choice", has={"text": "Kitchen Upgrade"})
    assert hand.texts(id="list_chip") == ["Books to Read · 1", "Shopping List · 6", "Kitchen Upgrade · 4"]
    assert hand.text(id="list_privacy_text") == "Shared · 1 item"
    hand.tap(id="list_chip", text="Kitchen Upgrade · 4")
    assert hand.text(id="list_title") == "Kitchen Upgrade"
    assert hand.node(id="list_chip", text="Kitchen Upgrade · 4").selected


def test_the_new_default_address_moves_to_the_top() -> None:
    hand = Hand("android-30:720x1280")
    hand.open(names.ADDRESSES)
    last = {"id": "address_set_default", "desc": "Set as Default 77 Orchard Lane"}
    hand.scroll(last, {"id": "address_list"})
    hand.tap(**last)
    assert hand.sees(
        id="address_default_mark", inside={"has": {"id": "address_street", "text": "77 Orchard Lane"}}
    )

from __future__ import annotations

from garabench.virtual.apps.amazon import names
from tests.virtual.apps.amazon.robot import Robot


def test_an_unshipped_order_is_cancelled_with_a_reason() -> None:
    robot = Robot()
    robot.open(names.CANCEL, order="112-4837265-9917043")
    robot.tap(id="request_cancellation")
    assert robot.toast == "Select a cancellation reason"
    robot.tap(id="cancel_reason", desc="Other")
    robot.tap(id="request_cancellation")
    assert robot.texts(id="done_note") == ["Order # 112-4837265-9917043", "Reason: Other"]
    robot.open(names.ORDERS, tab="Cancelled Orders")
    assert len(robot.nodes(id="order_item")) == 2
    robot.open(names.CANCEL, order="112-4837265-9917043")
    assert robot.sees(id="empty_text", text="This order can't be changed any more")


def test_a_return_is_requested_step_by_step_and_can_be_cancelled() -> None:
    robot = Robot()
    robot.open(names.ORDER, order="114-6671935-0082247")
    robot.tap(id="return_items")
    robot.tap(id="return_continue")
    assert robot.toast == "Choose a response"
    robot.tap(id="return_reason", desc="Too large")
    robot.tap(id="return_continue")
    robot.back()
    assert robot.node(id="return_reason", desc="Too large").checked
    robot.tap(id="return_continue")
    robot.tap(id="return_continue")
    robot.tap(id="return_continue")
    robot.tap(id="done_view_order")
    assert robot.node(id="order_status").text == "Return started"
    robot.tap(id="cancel_return")
    robot.tap(id="dialog_yes")
    assert robot.node(id="order_status").text == "Delivered May 10, 2024"


def test_orders_are_searched_archived_and_reordered() -> None:
    robot = Robot()
    robot.open(names.ORDERS)
    robot.write("echo dot", id="order_search")
    assert len(robot.nodes(id="order_item")) == 1
    robot.open(names.ORDER, order="113-9027764-4405812")
    robot.scroll({"id": "buy_it_again"}, {"id": "order_scroll"})
    robot.tap(id="buy_it_again")
    assert robot.node(id="cart_count").text == "6"
    robot.tap(id="archive_order")
    assert robot.toast == "Order archived"
    robot.open(names.ORDERS, tab="Archived Orders")
    assert len(robot.nodes(id="order_item")) == 2


def test_an_address_is_validated_before_it_is_saved() -> None:
    robot = Robot()
    form = {"id": "address_form"}
    robot.open(names.ADDRESSES)
    robot.tap(id="address_edit", desc="Edit 2200 Harbor Drive")
    robot.write("12", id="address_phone")
    robot.phone.press_back()
    robot.settle()
    robot.scroll({"id": "address_save"}, form)
    robot.tap(id="address_save")
    assert robot.toast == "Please enter a valid phone number."
    robot.back()
    robot.tap(id="address_set_default", desc_contains="2200 Harbor Drive")
    assert robot.texts(id="address_street")[0] == "2200 Harbor Drive"
    robot.tap(id="address_remove", desc_contains="2200 Harbor Drive")
    robot.tap(id="dialog_yes")
    assert "2200 Harbor Drive" not in robot.texts(id="address_street")


def test_lists_are_renamed_and_deleted_and_items_moved() -> None:
    robot = Robot()
    robot.open(names.LIST, list="books")
    robot.tap(id="list_move", desc_contains="Dune Messiah")
    robot.tap(id="list_choice", has={"text": "Kitchen Upgrade"})
    assert len(robot.nodes(id="list_item")) == 1
    robot.tap(id="list_menu")
    robot.tap(id="list_action", has={"text": "Manage list"})
    robot.write("Novels", id="list_name_field")
    robot.tap(id="list_save")
    assert robot.node(id="list_title").text == "Novels"
    robot.tap(id="list_menu")
    robot.tap(id="list_action", has={"text": "Delete list"})
    robot.tap(id="dialog_yes")
    robot.open(names.LISTS)
    assert robot.texts(id="list_name") == ["Shopping List", "Kitchen Upgrade"]


def test_settings_persist_and_the_theme_changes_the_screen() -> None:
    robot = Robot()
    light = robot.phone.frame().png()
    robot.open(names.SETTINGS)
    robot.tap(id="setting_item", has={"text": "Appearance"})
    robot.tap(id="setting_choice", desc="Dark")
    assert robot.node(id="setting_choice", desc="Dark").checked
    robot.tab("Home")
    assert robot.phone.frame().png() != light
    robot.open(names.SETTINGS, page="country")
    robot.tap(id="setting_item", has={"text": "Language"})
    robot.tap(id="setting_choice", has={"text": "Español"})
    robot.stop()
    robot.open(names.SETTINGS, page="country")
    assert robot.sees(id="row_value", text="Español")


def test_the_app_opens_the_systems_notification_settings() -> None:
    robot = Robot()
    robot.open(names.SETTINGS, page="notifications")
    robot.tap(id="setting_item", has={"text": "Device settings"})
    assert robot.node(id="entity_header_title").text == "Amazon Shopping"
    robot.back()
    assert robot.sees(id="setting_list")


def test_the_assistant_answers_known_questions() -> None:
    robot = Robot()
    robot.open(names.CHAT)
    robot.write("Where is my refund?", id="chat_field")
    robot.tap(id="chat_send")
    assert robot.texts(id="chat_own") == ["Where is my refund?"]
    assert robot.texts(id="chat_reply")[-1].startswith("Refunds go back")


def test_deals_by_department_and_the_default_payment() -> None:
    robot = Robot()
    robot.open(names.DEALS)
    robot.tap(id="deal_department", text="Computers")
    assert len(robot.nodes(id="deal_item")) == 3
    robot.open(names.PAYMENTS)
    robot.tap(id="payment_set_default", desc_contains="Mastercard")
    robot.open(names.CHECKOUT)
    assert robot.node(id="checkout_payment_title").text == "Paying with Mastercard ending in 7730"


def test_the_profile_can_be_edited() -> None:
    robot = Robot()
    robot.open(names.ACCOUNT, page="security")
    robot.tap(id="security_edit", desc="Edit Email")
    robot.write("j.avery@example.org", id="security_field")
    robot.tap(id="security_save")
    assert "j.avery@example.org" in robot.texts(id="security_value")


def test_back_returns_to_the_home_tab_first() -> None:
    robot = Robot()
    robot.tab("Menu")
    robot.tab("You")
    robot.back()
    assert robot.sees(id="home_feed")


def test_a_list_links_to_the_others_with_their_sizes() -> None:
    robot = Robot()
    robot.open(names.LIST, list="books")
    robot.tap(id="list_move", desc_contains="Dune Messiah")
    robot.tap(id="list_choice", has={"text": "Kitchen Upgrade"})
    assert robot.texts(id="list_chip") == ["Books to Read · 1", "Shopping List · 6", "Kitchen Upgrade · 4"]
    assert robot.text(id="list_privacy_text") == "Shared · 1 item"
    robot.tap(id="list_chip", text="Kitchen Upgrade · 4")
    assert robot.text(id="list_title") == "Kitchen Upgrade"
    assert robot.node(id="list_chip", text="Kitchen Upgrade · 4").selected


def test_the_new_default_address_moves_to_the_top() -> None:
    robot = Robot("android-30:720x1280")
    robot.open(names.ADDRESSES)
    last = {"id": "address_set_default", "desc": "Set as Default 77 Orchard Lane"}
    robot.scroll(last, {"id": "address_list"})
    robot.tap(**last)
    assert robot.sees(
        id="address_default_mark", inside={"has": {"id": "address_street", "text": "77 Orchard Lane"}}
    )

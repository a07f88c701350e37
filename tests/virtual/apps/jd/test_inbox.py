from __future__ import annotations

import pytest

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.inbox import reply_to
from garabench.virtual.apps.jd.notices import KINDS, notices
from garabench.virtual.apps.jd.store import initial_data
from tests.virtual.apps.jd.robot import Robot


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.tab("消息")
    return robot


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("什么时候可以发货", "24小时内发出"),
        ("质保多久", "全国联保"),
        ("可以开发票吗", "电子发票"),
        ("你好", "RK外设旗舰店"),
    ],
)
def test_a_shop_answers_questions(text: str, part: str) -> None:
    assert part in reply_to(text, content.shops()["rk"])


def test_chats_are_sorted_and_marked_as_read_when_opened(robot: Robot) -> None:
    assert robot.texts(id="chat_shop")[:2] == ["京东超市", "小米京东自营旗舰店"]
    assert robot.sees(id="unread_count", inside={"id": "chat_item", "has": {"text": "京东超市"}})
    robot.tap(id="chat_shop", text="京东超市")
    robot.back()
    assert not robot.sees(id="unread_count", inside={"id": "chat_item", "has": {"text": "京东超市"}})


def test_marking_all_messages_as_read(robot: Robot) -> None:
    robot.tap(id="read_all")
    assert robot.toast == "已全部标记为已读"
    assert not robot.sees(id="unread_count")
    robot.tap(id="read_all")
    assert robot.toast == "暂无未读消息"


def test_deleting_a_chat_asks_for_confirmation(robot: Robot) -> None:
    robot.hold(id="chat_shop", text="京东超市")
    robot.tap(id="dialog_yes")
    robot.stop()
    robot.tab("消息")
    assert not robot.sees(id="chat_shop", text="京东超市")


def test_a_message_is_answered_and_persists() -> None:
    robot = Robot("android-30:720x1280")
    robot.open(names.CHAT, shop="lofree")
    assert robot.sees(id="message_text", text_contains="欢迎光临")
    assert robot.sees(desc="进店")
    robot.write("什么时候可以发货", id="chat_edit")
    robot.tap(id="chat_send")
    assert robot.sees(id="message_text", text="什么时候可以发货")
    robot.settle()
    assert robot.sees(id="message_text", text_contains="24小时内发出")
    robot.stop()
    robot.tab("消息")
    assert robot.texts(id="chat_shop")[0].startswith("洛斐")


def test_blank_messages_are_not_sent_nor_any_offline(robot: Robot) -> None:
    robot.open(names.CHAT, shop="rk")
    robot.tap(id="chat_send")
    assert robot.toast == "不能发送空白消息"
    robot.network(False)
    robot.tap(id="quick_word", text="有优惠吗")
    assert robot.toast == "消息发送失败，请检查网络"
    assert not robot.sees(id="message_text", text="有优惠吗")


def test_a_chat_about_a_product_shows_it(robot: Robot) -> None:
    robot.open(names.CHAT, shop="rk", product="keyboard-aula")
    assert "狼蛛 F75" in robot.node(id="product_title", inside={"id": "chat_product"}).text
    assert robot.node(id="chat_about").text.startswith("正在咨询：狼蛛")
    robot.tap(id="enter_shop")
    assert robot.facts().focus.activity == names.SHOP  # type: ignore[union-attr]


def test_notices_are_marked_as_read_and_open_their_targets(robot: Robot) -> None:
    kind = {"id": "message_kind", "desc": "交易物流"}
    assert robot.node(id="unread_count", inside=kind).text == "2"
    robot.tap(**kind)
    robot.tap(id="notice_item", index=0)
    assert robot.node(id="order_status").text == "待收货"
    robot.back()
    robot.back()
    assert not robot.sees(id="unread_count", inside=kind)


@pytest.mark.parametrize("kind", [kind for kind, _, _ in KINDS])
def test_every_notice_opens_an_existing_page(robot: Robot, kind: str) -> None:
    orders = {row["id"] for row in initial_data()["orders"]}
    for row in notices(kind):
        what, _, name = row["open"].partition(":")
        assert what in {"order", "product", "coupons", "center", "orders"}
        assert what != "order" or name in orders
        assert what != "product" or name in content.products()
    robot.open(names.NOTICES, kind=kind)
    robot.tap(id="notice_item", index=0)
    assert robot.facts().focus.activity != names.NOTICES  # type: ignore[union-attr]


def test_an_unknown_kind_or_shop_shows_a_notice(robot: Robot) -> None:
    robot.open(names.NOTICES, kind="x")
    assert robot.node(id="empty_text").text == "暂无消息"
    robot.open(names.CHAT, shop="x")
    assert robot.node(id="empty_text").text == "店铺不存在"

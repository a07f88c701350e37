from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.chat import script
from tests.virtual.apps.weibo.hand import Hand


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.tab("消息")
    return hand


def test_opening_a_chat_marks_it_as_read(hand: Hand) -> None:
    assert hand.sees(id="chat_unread", inside={"id": "chat_item", "has": {"text": "陈小舟"}})
    hand.tap(id="chat_name", text="陈小舟")
    hand.back()
    assert not hand.sees(id="chat_unread", inside={"id": "chat_item", "has": {"text": "陈小舟"}})


def test_a_message_is_sent_and_answered(hand: Hand) -> None:
    hand.tap(id="chat_name", text="陈小舟")
    assert not hand.node(id="btn_send").enabled
    hand.write("我到了", id="edit_view")
    hand.tap(id="btn_send")
    assert hand.texts(id="message_content")[-2:] == ["我到了", "收到！"]
    assert hand.text(id="edit_view") == "发送消息..."


def test_an_unsent_message_stays_in_the_field_offline(hand: Hand) -> None:
    hand.tap(id="chat_name", text="陈小舟")
    hand.write("在吗", id="edit_view")
    hand.network(False)
    hand.tap(id="btn_send")
    assert hand.text(id="edit_view") == "在吗"


def test_a_blocked_user_cannot_be_messaged(hand: Hand) -> None:
    hand.open(names.CHAT, user="adbot")
    hand.write("你好", id="edit_view")
    hand.tap(id="btn_send")
    assert "黑名单" in hand.toast


def test_a_long_press_deletes_a_chat(hand: Hand) -> None:
    hand.hold(id="chat_name", text="何以解忧")
    hand.choose("删除聊天")
    assert "何以解忧" not in hand.texts(id="chat_name")


def test_questions_of_every_group_expand(hand: Hand) -> None:
    hand.tap(id="chat_name", text="微博小秘书")
    hand.tap(id="chat_menu_item", text="常见问题")
    for group in script()["faq"]:
        hand.tap(id="faq_group", text=group["group"])
        for question, answer in group["items"]:
            hand.tap(id="faq_question", text=question)
            assert hand.texts(id="faq_answer") == [answer]
    hand.tap(id="faq_question", text=question)
    assert not hand.sees(id="faq_answer")


def test_the_reaction_boxes(hand: Hand) -> None:
    hand.tap(id="box_name", text="@我的")
    assert set(hand.texts(id="note_name")) == {"陈小舟", "滨江小李妈妈"}
    hand.tap(id="tab_title", text="@我的评论")
    assert hand.texts(id="note_name") == ["周一不上班"]
    hand.back()
    hand.tap(id="box_name", text="赞")
    assert "赞了你的微博" in hand.texts(id="note_text")


def test_a_reply_is_shown_below_its_comment_and_among_the_sent(hand: Hand) -> None:
    hand.tap(id="box_name", text="评论")
    hand.tap(id="note_reply", index=0)
    hand.write("不酸", id="edit_view")
    hand.tap(id="titleSave")
    assert hand.text(id="note_answer") == "我的回复：不酸"
    hand.tap(id="tab_title", text="发出的评论")
    assert hand.texts(id="note_text") == ["不酸"]
    hand.tap(id="note_text", text="不酸")
    assert hand.front == names.DETAIL

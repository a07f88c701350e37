from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.chat import script
from tests.virtual.apps.weibo.robot import Robot


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.tab("消息")
    return robot


def test_opening_a_chat_marks_it_as_read(robot: Robot) -> None:
    assert robot.sees(id="chat_unread", inside={"id": "chat_item", "has": {"text": "陈小舟"}})
    robot.tap(id="chat_name", text="陈小舟")
    robot.back()
    assert not robot.sees(id="chat_unread", inside={"id": "chat_item", "has": {"text": "陈小舟"}})


def test_a_message_is_sent_and_answered(robot: Robot) -> None:
    robot.tap(id="chat_name", text="陈小舟")
    assert not robot.node(id="btn_send").enabled
    robot.write("我到了", id="edit_view")
    robot.tap(id="btn_send")
    assert robot.texts(id="message_content")[-2:] == ["我到了", "收到！"]
    assert robot.text(id="edit_view") == "发送消息..."


def test_an_unsent_message_stays_in_the_field_offline(robot: Robot) -> None:
    robot.tap(id="chat_name", text="陈小舟")
    robot.write("在吗", id="edit_view")
    robot.network(False)
    robot.tap(id="btn_send")
    assert robot.text(id="edit_view") == "在吗"


def test_a_blocked_user_cannot_be_messaged(robot: Robot) -> None:
    robot.open(names.CHAT, user="adbot")
    robot.write("你好", id="edit_view")
    robot.tap(id="btn_send")
    assert "黑名单" in robot.toast


def test_a_long_press_deletes_a_chat(robot: Robot) -> None:
    robot.hold(id="chat_name", text="何以解忧")
    robot.choose("删除聊天")
    assert "何以解忧" not in robot.texts(id="chat_name")


def test_questions_of_every_group_expand(robot: Robot) -> None:
    robot.tap(id="chat_name", text="微博小秘书")
    robot.tap(id="chat_menu_item", text="常见问题")
    for group in script()["faq"]:
        robot.tap(id="faq_group", text=group["group"])
        for question, answer in group["items"]:
            robot.tap(id="faq_question", text=question)
            assert robot.texts(id="faq_answer") == [answer]
    robot.tap(id="faq_question", text=question)
    assert not robot.sees(id="faq_answer")


def test_the_reaction_boxes(robot: Robot) -> None:
    robot.tap(id="box_name", text="@我的")
    assert set(robot.texts(id="note_name")) == {"陈小舟", "滨江小李妈妈"}
    robot.tap(id="tab_title", text="@我的评论")
    assert robot.texts(id="note_name") == ["周一不上班"]
    robot.back()
    robot.tap(id="box_name", text="赞")
    assert "赞了你的微博" in robot.texts(id="note_text")


def test_a_reply_is_shown_below_its_comment_and_among_the_sent(robot: Robot) -> None:
    robot.tap(id="box_name", text="评论")
    robot.tap(id="note_reply", index=0)
    robot.write("不酸", id="edit_view")
    robot.tap(id="titleSave")
    assert robot.text(id="note_answer") == "我的回复：不酸"
    robot.tap(id="tab_title", text="发出的评论")
    assert robot.texts(id="note_text") == ["不酸"]
    robot.tap(id="note_text", text="不酸")
    assert robot.front == names.DETAIL

from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.robot import Robot


@pytest.fixture
def robot() -> Robot:
    return Robot()


def begin(robot: Robot, text: str) -> None:
    robot.tap(id="home_publish")
    robot.choose("写微博")
    robot.write(text, id="edit_view")


def first_post(robot: Robot) -> str:
    robot.open(names.PROFILE, user="me")
    robot.scroll({"id": "contentTextView"}, {"id": "profile_list"})
    return robot.texts(id="contentTextView")[0]


def test_an_empty_post_cannot_be_sent(robot: Robot) -> None:
    robot.tap(id="home_publish")
    robot.choose("写微博")
    assert not robot.node(id="titleSave").enabled
    robot.back()
    robot.back()
    assert robot.front == names.MAIN


def test_a_post_with_all_attachments(robot: Robot) -> None:
    begin(robot, "出发")
    robot.tap(id="tool_topic")
    robot.write("骑行", id="picker_search")
    robot.tap(id="picker_text", text="#骑行环青海湖#")
    assert robot.text(id="edit_view").startswith("出发 #骑行环青海湖#")
    robot.tap(id="btn_location")
    robot.write("图书馆", id="picker_search")
    robot.tap(id="picker_text", text="滨江图书馆")
    robot.tap(id="btn_visibility")
    robot.tap(id="visibility_text", text="粉丝")
    robot.tap(id="tool_picture")
    robot.tap(id="titleSave")
    assert robot.toast == "发送成功"
    assert first_post(robot) == "出发 #骑行环青海湖#"
    assert robot.text(id="tv_location") == "滨江图书馆"
    assert robot.text(id="tv_visibility") == "粉丝"
    robot.stop()
    assert first_post(robot) == "出发 #骑行环青海湖#"


def test_a_new_topic(robot: Robot) -> None:
    begin(robot, "看")
    robot.tap(id="tool_topic")
    robot.write("江边散步", id="picker_search")
    robot.tap(id="picker_text", text="#江边散步#")
    robot.tap(id="titleSave")
    robot.open(names.TOPIC, topic="江边散步")
    assert robot.texts(id="contentTextView") == ["看 #江边散步#"]


def test_back_closes_a_picker_first(robot: Robot) -> None:
    begin(robot, "一")
    robot.tap(id="btn_location")
    robot.back()
    assert robot.text(id="edit_view") == "一"


def test_a_draft_is_saved_completed_and_sent(robot: Robot) -> None:
    begin(robot, "还没想好")
    robot.tap(id="titleBack")
    robot.choose("保留草稿")
    robot.open(names.DRAFTS)
    robot.tap(id="draft_text", text="还没想好")
    robot.write("想好了", id="edit_view")
    robot.tap(id="titleSave")
    assert "还没想好" not in robot.texts(id="draft_text")
    assert first_post(robot) == "想好了"


def test_a_draft_can_be_discarded(robot: Robot) -> None:
    begin(robot, "算了")
    robot.tap(id="titleBack")
    robot.choose("不保留")
    robot.open(names.DRAFTS)
    assert "算了" not in robot.texts(id="draft_text")


def test_drafts_are_sent_deleted_and_cleared(robot: Robot) -> None:
    robot.open(names.DRAFTS)
    robot.tap(id="draft_send", index=0)
    assert len(robot.texts(id="draft_text")) == 2
    robot.tap(id="draft_delete", index=0)
    robot.tap(id="alert_yes")
    assert len(robot.texts(id="draft_text")) == 1
    robot.tap(id="titleSave")
    robot.tap(id="alert_yes")
    assert robot.sees(id="empty_view")
    assert first_post(robot) == "周末想去江湾公园，有人一起吗"


def test_a_post_offline_becomes_a_draft(robot: Robot) -> None:
    begin(robot, "信号不好")
    robot.network(False)
    robot.tap(id="titleSave")
    robot.open(names.DRAFTS)
    assert robot.texts(id="draft_text")[0] == "信号不好"


def test_a_topic_page_starts_a_post_with_its_topic(robot: Robot) -> None:
    robot.open(names.TOPIC, topic="汉字听写大会")
    robot.tap(id="topic_publish")
    assert robot.text(id="edit_view").strip() == "#汉字听写大会#"

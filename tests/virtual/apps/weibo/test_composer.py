from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


def begin(hand: Hand, text: str) -> None:
    hand.tap(id="home_publish")
    hand.choose("写微博")
    hand.write(text, id="edit_view")


def first_post(hand: Hand) -> str:
    hand.open(names.PROFILE, user="me")
    hand.scroll({"id": "contentTextView"}, {"id": "profile_list"})
    return hand.texts(id="contentTextView")[0]


def test_an_empty_post_cannot_be_sent(hand: Hand) -> None:
    hand.tap(id="home_publish")
    hand.choose("写微博")
    assert not hand.node(id="titleSave").enabled
    hand.back()
    hand.back()
    assert hand.front == names.MAIN


def test_a_post_with_all_attachments(hand: Hand) -> None:
    begin(hand, "出发")
    hand.tap(id="tool_topic")
    hand.write("骑行", id="picker_search")
    hand.tap(id="picker_text", text="#骑行环青海湖#")
    assert hand.text(id="edit_view").startswith("出发 #骑行环青海湖#")
    hand.tap(id="btn_location")
    hand.write("图书馆", id="picker_search")
    hand.tap(id="picker_text", text="滨江图书馆")
    hand.tap(id="btn_visibility")
    hand.tap(id="visibility_text", text="粉丝")
    hand.tap(id="tool_picture")
    hand.tap(id="titleSave")
    assert hand.toast == "发送成功"
    assert first_post(hand) == "出发 #骑行环青海湖#"
    assert hand.text(id="tv_location") == "滨江图书馆"
    assert hand.text(id="tv_visibility") == "粉丝"
    hand.stop()
    assert first_post(hand) == "出发 #骑行环青海湖#"


def test_a_new_topic(hand: Hand) -> None:
    begin(hand, "看")
    hand.tap(id="tool_topic")
    hand.write("江边散步", id="picker_search")
    hand.tap(id="picker_text", text="#江边散步#")
    hand.tap(id="titleSave")
    hand.open(names.TOPIC, topic="江边散步")
    assert hand.texts(id="contentTextView") == ["看 #江边散步#"]


def test_back_closes_a_picker_first(hand: Hand) -> None:
    begin(hand, "一")
    hand.tap(id="btn_location")
    hand.back()
    assert hand.text(id="edit_view") == "一"


def test_a_draft_is_saved_completed_and_sent(hand: Hand) -> None:
    begin(hand, "还没想好")
    hand.tap(id="titleBack")
    hand.choose("保留草稿")
    hand.open(names.DRAFTS)
    hand.tap(id="draft_text", text="还没想好")
    hand.write("想好了", id="edit_view")
    hand.tap(id="titleSave")
    assert "还没想好" not in hand.texts(id="draft_text")
    assert first_post(hand) == "想好了"


def test_a_draft_can_be_discarded(hand: Hand) -> None:
    begin(hand, "算了")
    hand.tap(id="titleBack")
    hand.choose("不保留")
    hand.open(names.DRAFTS)
    assert "算了" not in hand.texts(id="draft_text")


def test_drafts_are_sent_deleted_and_cleared(hand: Hand) -> None:
    hand.open(names.DRAFTS)
    hand.tap(id="draft_send", index=0)
    assert len(hand.texts(id="draft_text")) == 2
    hand.tap(id="draft_delete", index=0)
    hand.tap(id="alert_yes")
    assert len(hand.texts(id="draft_text")) == 1
    hand.tap(id="titleSave")
    hand.tap(id="alert_yes")
    assert hand.sees(id="empty_view")
    assert first_post(hand) == "周末想去江湾公园，有人一起吗"


def test_a_post_offline_becomes_a_draft(hand: Hand) -> None:
    begin(hand, "信号不好")
    hand.network(False)
    hand.tap(id="titleSave")
    hand.open(names.DRAFTS)
    assert hand.texts(id="draft_text")[0] == "信号不好"


def test_a_topic_page_starts_a_post_with_its_topic(hand: Hand) -> None:
    hand.open(names.TOPIC, topic="汉字听写大会")
    hand.tap(id="topic_publish")
    assert hand.text(id="edit_view").strip() == "#汉字听写大会#"

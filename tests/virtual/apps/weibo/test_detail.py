from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.hand import Hand

DETAIL = {"id": "detail_list"}


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.open(names.DETAIL, post="tao-tomato")
    return hand


def test_the_three_tabs(hand: Hand) -> None:
    for tab in ("转发", "赞", "评论"):
        hand.tap(id="detail_tab", text=tab)
        assert hand.node(id="detail_tab", selected=True).text == tab


def test_comments_are_sorted_by_heat_or_time(hand: Hand) -> None:
    hand.scroll({"id": "comment_item"}, DETAIL)
    assert hand.texts(id="tvItemCmtName")[0] == "宿舍美食家"
    hand.tap(id="comment_order")
    assert hand.text(id="comment_order") == "按时间"


def test_a_comment_is_posted_and_deleted(hand: Hand) -> None:
    hand.tap(id="comment")
    assert not hand.node(id="titleSave").enabled
    hand.write("我站盐", id="edit_view")
    hand.tap(id="titleSave")
    hand.scroll({"id": "own_comment"}, DETAIL)
    assert hand.text(id="tvItemCmtContent", inside={"id": "own_comment"}) == "我站盐"
    hand.tap(id="tvItemCmtContent", inside={"id": "own_comment"})
    hand.choose("删除")
    assert not hand.sees(id="own_comment")


def test_a_comment_can_be_reposted_as_well(hand: Hand) -> None:
    hand.tap(id="comment")
    hand.write("学到了", id="edit_view")
    hand.tap(id="check_also")
    hand.tap(id="titleSave")
    hand.tap(id="detail_tab", text="转发")
    hand.scroll({"id": "own_repost"}, DETAIL)
    assert hand.text(id="tvItemCmtContent", inside={"id": "own_repost"}) == "学到了"


def test_a_comment_is_liked_and_answered(hand: Hand) -> None:
    hand.scroll({"id": "comment_like"}, DETAIL)
    hand.tap(id="comment_like", index=0)
    name = hand.text(id="tvItemCmtName")
    assert hand.nodes(id="comment_like")[0].desc.startswith(f"已赞{name}的评论,")
    hand.tap(id="comment_reply", index=0)
    assert hand.text(id="titleText") == "回复评论"
    hand.write("同意", id="edit_view")
    hand.tap(id="titleSave")
    assert hand.text(id="own_reply").endswith("：同意")
    hand.tap(id="own_reply")
    assert hand.front == names.FLOOR
    assert "同意" in hand.texts(id="tvItemCmtContent")


def test_a_comment_can_be_reposted(hand: Hand) -> None:
    hand.scroll({"id": "comment_item"}, DETAIL)
    hand.tap(id="tvItemCmtContent", index=0)
    hand.choose("转发")
    assert hand.text(id="edit_view").startswith("//@")
    hand.tap(id="titleSave")
    assert hand.toast == "转发成功"


def test_discarding_a_comment_asks_for_confirmation(hand: Hand) -> None:
    hand.tap(id="comment")
    hand.write("写到一半", id="edit_view")
    hand.tap(id="titleBack")
    hand.tap(id="alert_no")
    assert hand.front == names.COMMENT
    hand.tap(id="titleBack")
    hand.tap(id="alert_yes")
    assert hand.front == names.DETAIL


def test_a_long_repost_is_refused(hand: Hand) -> None:
    hand.tap(id="forward")
    hand.write("长" * 141, id="edit_view")
    hand.tap(id="titleSave")
    assert "140" in hand.toast
    assert hand.front == names.FORWARD


def test_a_repost_of_a_repost_refers_to_the_original(hand: Hand) -> None:
    hand.open(names.DETAIL, post="chen-r1")
    hand.tap(id="forward")
    assert hand.text(id="edit_view") == "//@陈小舟：哈哈哈这就是我们家的做法"
    hand.tap(id="titleSave")
    hand.open(names.PROFILE, user="me")
    hand.scroll({"id": "retweeted_text"}, {"id": "profile_list"})
    assert hand.texts(id="retweeted_text")[0].startswith("@阿桃的厨房：")


def test_the_menu_makes_a_post_a_favourite(hand: Hand) -> None:
    hand.tap(id="titleMore")
    hand.choose("收藏")
    hand.tap(id="titleMore")
    hand.choose("取消收藏")
    assert hand.toast == "已取消收藏"


def test_topics_open_their_pages(hand: Hand) -> None:
    hand.scroll({"id": "topic_link"}, DETAIL)
    hand.tap(id="topic_link")
    assert hand.text(id="topic_title") == "#番茄炒蛋先放什么#"


def test_deleting_the_users_post(hand: Hand) -> None:
    hand.open(names.DETAIL, post="me-tree")
    hand.tap(id="titleMore")
    hand.choose("删除")
    hand.tap(id="alert_yes")
    assert hand.front != names.DETAIL or not hand.sees(text_contains="枇杷")
    hand.open(names.DETAIL, post="me-tree")
    assert "已被删除" in hand.text(id="tips")


def test_a_private_post_cannot_be_reposted(hand: Hand) -> None:
    hand.open(names.COMPOSER)
    hand.write("只给自己看", id="edit_view")
    hand.tap(id="btn_visibility")
    hand.tap(id="visibility_text", text="仅自己可见")
    hand.tap(id="titleSave")
    hand.open(names.PROFILE, user="me")
    hand.scroll({"id": "leftButton"}, {"id": "profile_list"})
    hand.tap(id="leftButton", index=0)
    assert "不允许转发" in hand.toast


def test_likes_need_a_network(hand: Hand) -> None:
    hand.network(False)
    hand.tap(id="liked")
    assert "网络" in hand.toast
    assert not hand.node(id="liked").selected


def test_the_bar_shows_the_author_after_scrolling() -> None:
    hand = Hand()
    hand.open(names.DETAIL, post="cctv-a1")
    assert hand.text(id="titleLine") == "央视新闻：夏收时节：麦田里的新农具"
    for _ in range(3):
        hand.scroll_down()
    assert not hand.sees(id="tv_article_title")
    assert hand.text(id="titleLine") == "央视新闻：夏收时节：麦田里的新农具"

from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.robot import Robot

DETAIL = {"id": "detail_list"}


@pytest.fixture
def robot() -> Robot:
    robot = Robot()
    robot.open(names.DETAIL, post="tao-tomato")
    return robot


def test_the_three_tabs(robot: Robot) -> None:
    for tab in ("转发", "赞", "评论"):
        robot.tap(id="detail_tab", text=tab)
        assert robot.node(id="detail_tab", selected=True).text == tab


def test_comments_are_sorted_by_heat_or_time(robot: Robot) -> None:
    robot.scroll({"id": "comment_item"}, DETAIL)
    assert robot.texts(id="tvItemCmtName")[0] == "宿舍美食家"
    robot.tap(id="comment_order")
    assert robot.text(id="comment_order") == "按时间"


def test_a_comment_is_posted_and_deleted(robot: Robot) -> None:
    robot.tap(id="comment")
    assert not robot.node(id="titleSave").enabled
    robot.write("我站盐", id="edit_view")
    robot.tap(id="titleSave")
    robot.scroll({"id": "own_comment"}, DETAIL)
    assert robot.text(id="tvItemCmtContent", inside={"id": "own_comment"}) == "我站盐"
    robot.tap(id="tvItemCmtContent", inside={"id": "own_comment"})
    robot.choose("删除")
    assert not robot.sees(id="own_comment")


def test_a_comment_can_be_reposted_as_well(robot: Robot) -> None:
    robot.tap(id="comment")
    robot.write("学到了", id="edit_view")
    robot.tap(id="check_also")
    robot.tap(id="titleSave")
    robot.tap(id="detail_tab", text="转发")
    robot.scroll({"id": "own_repost"}, DETAIL)
    assert robot.text(id="tvItemCmtContent", inside={"id": "own_repost"}) == "学到了"


def test_a_comment_is_liked_and_answered(robot: Robot) -> None:
    robot.scroll({"id": "comment_like"}, DETAIL)
    robot.tap(id="comment_like", index=0)
    name = robot.text(id="tvItemCmtName")
    assert robot.nodes(id="comment_like")[0].desc.startswith(f"已赞{name}的评论,")
    robot.tap(id="comment_reply", index=0)
    assert robot.text(id="titleText") == "回复评论"
    robot.write("同意", id="edit_view")
    robot.tap(id="titleSave")
    assert robot.text(id="own_reply").endswith("：同意")
    robot.tap(id="own_reply")
    assert robot.front == names.FLOOR
    assert "同意" in robot.texts(id="tvItemCmtContent")


def test_a_comment_can_be_reposted(robot: Robot) -> None:
    robot.scroll({"id": "comment_item"}, DETAIL)
    robot.tap(id="tvItemCmtContent", index=0)
    robot.choose("转发")
    assert robot.text(id="edit_view").startswith("//@")
    robot.tap(id="titleSave")
    assert robot.toast == "转发成功"


def test_discarding_a_comment_asks_for_confirmation(robot: Robot) -> None:
    robot.tap(id="comment")
    robot.write("写到一半", id="edit_view")
    robot.tap(id="titleBack")
    robot.tap(id="alert_no")
    assert robot.front == names.COMMENT
    robot.tap(id="titleBack")
    robot.tap(id="alert_yes")
    assert robot.front == names.DETAIL


def test_a_long_repost_is_refused(robot: Robot) -> None:
    robot.tap(id="forward")
    robot.write("长" * 141, id="edit_view")
    robot.tap(id="titleSave")
    assert "140" in robot.toast
    assert robot.front == names.FORWARD


def test_a_repost_of_a_repost_refers_to_the_original(robot: Robot) -> None:
    robot.open(names.DETAIL, post="chen-r1")
    robot.tap(id="forward")
    assert robot.text(id="edit_view") == "//@陈小舟：哈哈哈这就是我们家的做法"
    robot.tap(id="titleSave")
    robot.open(names.PROFILE, user="me")
    robot.scroll({"id": "retweeted_text"}, {"id": "profile_list"})
    assert robot.texts(id="retweeted_text")[0].startswith("@阿桃的厨房：")


def test_the_menu_makes_a_post_a_favourite(robot: Robot) -> None:
    robot.tap(id="titleMore")
    robot.choose("收藏")
    robot.tap(id="titleMore")
    robot.choose("取消收藏")
    assert robot.toast == "已取消收藏"


def test_topics_open_their_pages(robot: Robot) -> None:
    robot.scroll({"id": "topic_link"}, DETAIL)
    robot.tap(id="topic_link")
    assert robot.text(id="topic_title") == "#番茄炒蛋先放什么#"


def test_deleting_the_users_post(robot: Robot) -> None:
    robot.open(names.DETAIL, post="me-tree")
    robot.tap(id="titleMore")
    robot.choose("删除")
    robot.tap(id="alert_yes")
    assert robot.front != names.DETAIL or not robot.sees(text_contains="枇杷")
    robot.open(names.DETAIL, post="me-tree")
    assert "已被删除" in robot.text(id="tips")


def test_a_private_post_cannot_be_reposted(robot: Robot) -> None:
    robot.open(names.COMPOSER)
    robot.write("只给自己看", id="edit_view")
    robot.tap(id="btn_visibility")
    robot.tap(id="visibility_text", text="仅自己可见")
    robot.tap(id="titleSave")
    robot.open(names.PROFILE, user="me")
    robot.scroll({"id": "leftButton"}, {"id": "profile_list"})
    robot.tap(id="leftButton", index=0)
    assert "不允许转发" in robot.toast


def test_likes_need_a_network(robot: Robot) -> None:
    robot.network(False)
    robot.tap(id="liked")
    assert "网络" in robot.toast
    assert not robot.node(id="liked").selected


def test_the_bar_shows_the_author_after_scrolling() -> None:
    robot = Robot()
    robot.open(names.DETAIL, post="cctv-a1")
    assert robot.text(id="titleLine") == "央视新闻：夏收时节：麦田里的新农具"
    for _ in range(3):
        robot.scroll_down()
    assert not robot.sees(id="tv_article_title")
    assert robot.text(id="titleLine") == "央视新闻：夏收时节：麦田里的新农具"

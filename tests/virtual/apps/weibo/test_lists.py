"""Weibo's lists of the user: favourites, history, followed users and fans."""

from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.robot import Robot


@pytest.fixture
def robot() -> Robot:
    return Robot()


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("我的收藏", "我的收藏"),
        ("赞过", "赞过的微博"),
        ("浏览历史", "浏览历史"),
        ("草稿箱", "草稿箱"),
        ("我的话题", "我的话题"),
        ("特别关注", "特别关注"),
        ("我的分组", "我的分组"),
    ],
)
def test_links_of_the_users_page(robot: Robot, entry: str, title: str) -> None:
    robot.tab("我")
    robot.tap(id="entry_text", text=entry)
    assert robot.text(id="titleText") == title
    assert not robot.sees(id="empty_view")


def test_searching_the_favourites(robot: Robot) -> None:
    robot.open(names.POSTS, kind="favorites")
    assert robot.text(id="titleLine") == "共5条"
    robot.write("闭馆", id="list_search")
    assert [text[:2] for text in robot.texts(id="contentTextView")] == ["通知"]
    robot.write("不会有", id="list_search")
    assert "没有找到" in robot.text(id="tips")


def test_reading_a_post_adds_it_to_the_history(robot: Robot) -> None:
    robot.open(names.DETAIL, post="hanzi-home")
    robot.open(names.POSTS, kind="history")
    assert "宝盖头" in robot.texts(id="contentTextView")[0]
    robot.tap(id="history_remove", index=0)
    assert "宝盖头" not in robot.texts(id="contentTextView")[0]


def test_clearing_the_history(robot: Robot) -> None:
    robot.open(names.POSTS, kind="history")
    robot.tap(id="titleSave")
    robot.tap(id="alert_yes")
    assert robot.text(id="tips") == "还没有浏览记录"


def test_followed_users_are_searched_and_sorted(robot: Robot) -> None:
    robot.open(names.USERS, kind="follows")
    robot.write("阿桃", id="list_search")
    assert robot.texts(id="tv_nick") == ["阿桃的厨房", "阿桃厨房"]
    robot.write("", id="list_search")
    robot.tap(id="list_sort")
    robot.choose("按粉丝数")
    assert robot.texts(id="tv_nick")[0] == "人民日报"


def test_an_unfollowed_user_stays_listed_until_the_page_closes(robot: Robot) -> None:
    robot.open(names.USERS, kind="follows")
    button = {"id": "btn_follow", "inside": {"id": "user_row", "has": {"text": "何以解忧"}}}
    robot.tap(**button)
    robot.tap(id="alert_yes")
    assert robot.node(**button).desc == "关注"
    assert robot.text(id="list_count") == "全部（19）"
    assert robot.text(id="list_blocked") == "黑名单（2）"
    robot.back()
    robot.open(names.USERS, kind="follows")
    assert "何以解忧" not in robot.texts(id="tv_nick")


def test_fans_can_be_followed_back(robot: Robot) -> None:
    robot.open(names.USERS, kind="fans")
    button = {"id": "btn_follow", "inside": {"id": "user_row", "has": {"text": "明天会下雨"}}}
    robot.tap(**button)
    assert robot.node(**button).desc == "互相关注"

from __future__ import annotations

import pytest

from garabench.virtual.apps.weibo import names
from tests.virtual.apps.weibo.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


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
def test_links_of_the_users_page(hand: Hand, entry: str, title: str) -> None:
    hand.tab("我")
    hand.tap(id="entry_text", text=entry)
    assert hand.text(id="titleText") == title
    assert not hand.sees(id="empty_view")


def test_searching_the_favourites(hand: Hand) -> None:
    hand.open(names.POSTS, kind="favorites")
    assert hand.text(id="titleLine") == "共5条"
    hand.write("闭馆", id="list_search")
    assert [text[:2] for text in hand.texts(id="contentTextView")] == ["通知"]
    hand.write("不会有", id="list_search")
    assert "没有找到" in hand.text(id="tips")


def test_reading_a_post_adds_it_to_the_history(hand: Hand) -> None:
    hand.open(names.DETAIL, post="hanzi-home")
    hand.open(names.POSTS, kind="history")
    assert "宝盖头" in hand.texts(id="contentTextView")[0]
    hand.tap(id="history_remove", index=0)
    assert "宝盖头" not in hand.texts(id="contentTextView")[0]


def test_clearing_the_history(hand: Hand) -> None:
    hand.open(names.POSTS, kind="history")
    hand.tap(id="titleSave")
    hand.tap(id="alert_yes")
    assert hand.text(id="tips") == "还没有浏览记录"


def test_followed_users_are_searched_and_sorted(hand: Hand) -> None:
    hand.open(names.USERS, kind="follows")
    hand.write("阿桃", id="list_search")
    assert hand.texts(id="tv_nick") == ["阿桃的厨房", "阿桃厨房"]
    hand.write("", id="list_search")
    hand.tap(id="list_sort")
    hand.choose("按粉丝数")
    assert hand.texts(id="tv_nick")[0] == "人民日报"


def test_an_unfollowed_user_stays_listed_until_the_page_closes(hand: Hand) -> None:
    hand.open(names.USERS, kind="follows")
    button = {"id": "btn_follow", "inside": {"id": "user_row", "has": {"text": "何以解忧"}}}
    hand.tap(**button)
    hand.tap(id="alert_yes")
    assert hand.node(**button).desc == "关注"
    assert hand.text(id="list_count") == "全部（19）"
    assert hand.text(id="list_blocked") == "黑名单（2）"
    hand.back()
    hand.open(names.USERS, kind="follows")
    assert "何以解忧" not in hand.texts(id="tv_nick")


def test_fans_can_be_followed_back(hand: Hand) -> None:
    hand.open(names.USERS, kind="fans")
    button = {"id": "btn_follow", "inside": {"id": "user_row", "has": {"text": "明天会下雨"}}}
    hand.tap(**button)
    assert hand.node(**button).desc == "互相关注"

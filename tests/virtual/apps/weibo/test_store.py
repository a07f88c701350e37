from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.store import MAX_HISTORY, MAX_SEARCHES, WeiboStore, initial_data

NOW = dt.datetime.fromisoformat("2024-05-20T09:41:00+08:00")
POSTS = tuple(content.posts().values())


@pytest.fixture
def data() -> dict[str, Any]:
    return initial_data()


@pytest.fixture
def store(data: dict[str, Any]) -> WeiboStore:
    return WeiboStore(data)


def test_unfollowing_discards_groups_and_notifications(store: WeiboStore) -> None:
    store.set_notice("lin_friend", "全部")
    assert store.special("lin_friend")
    assert store.groups_of("lin_friend") == {"friends"}
    store.set_following("lin_friend", False)
    assert not store.special("lin_friend")
    assert store.groups_of("lin_friend") == frozenset()
    assert store.notice_mode("lin_friend") == "关闭"


def test_following_specially_follows(store: WeiboStore) -> None:
    store.set_special("drli", True)
    assert store.following("drli")
    store.set_special("drli", False)
    assert store.following("drli")
    assert not store.special("drli")


def test_blocking_unfollows_and_hides(store: WeiboStore) -> None:
    post = content.posts()["tao-tomato"]
    assert post in store.shown((post,))
    store.set_blocked("taokitchen", True)
    assert not store.following("taokitchen")
    assert store.shown((post,)) == ()
    store.set_blocked("taokitchen", False)
    assert store.shown((post,)) == (post,)


def test_a_muted_word_hides_posts(store: WeiboStore) -> None:
    store.set_muted("番茄", True)
    assert all("番茄" not in post.text for post in store.feed_of(("taokitchen",)))
    store.set_muted("番茄", False)
    assert any("番茄" in post.text for post in store.feed_of(("taokitchen",)))


def test_groups(store: WeiboStore) -> None:
    store.add_group("银河")
    store.add_group("银河")
    assert [group.name for group in store.groups()] == ["好友", "吃的", "滨江", "银河"]
    group = store.groups()[-1].id
    store.set_groups("hiker", frozenset({group}))
    assert store.following("hiker")
    assert store.groups()[-1].members == ("hiker",)
    store.remove_group(group)
    assert store.following("hiker")
    assert len(store.groups()) == 3


def test_history_can_be_disabled(store: WeiboStore) -> None:
    post = content.posts()["camp-list"]
    store.set_setting("history_record", False)
    store.add_view(post, NOW)
    assert post not in [row.post for row in store.history()]
    store.set_setting("history_record", True)
    store.add_view(post, NOW)
    store.add_view(post, NOW)
    assert [row.post for row in store.history()].count(post) == 1
    store.delete_view(post)
    assert post not in [row.post for row in store.history()]


@given(st.lists(st.sampled_from(POSTS), max_size=12))
def test_lists_are_unique_latest_first(posts: list[content.WeiboPost]) -> None:
    store = WeiboStore(initial_data())
    store.clear_history()
    for post in posts:
        store.add_view(post, NOW)
    wanted = list(dict.fromkeys(reversed(posts)))
    assert [row.post for row in store.history()] == wanted
    assert len(store.history()) <= MAX_HISTORY


@given(st.lists(st.text(min_size=1, max_size=4), max_size=25))
def test_recent_searches_are_unique_and_limited(queries: list[str]) -> None:
    store = WeiboStore(initial_data())
    store.clear_searches()
    for query in queries:
        store.add_search(query)
    assert list(store.searches()) == list(dict.fromkeys(reversed(queries)))[:MAX_SEARCHES]


@given(st.sampled_from(POSTS), st.lists(st.booleans(), min_size=1, max_size=6))
def test_likes_and_favourites_follow_the_last_call(post: content.WeiboPost, wishes: list[bool]) -> None:
    store = WeiboStore(initial_data())
    for wish in wishes:
        store.set_liked(post, wish)
        store.set_favorite(post, wish, NOW)
    assert store.liked(post) is store.is_favorite(post) is wishes[-1]
    assert (post in store.likes()) is wishes[-1]
    assert (post in [row.post for row in store.favorites()]) is wishes[-1]


def test_publishing_and_deleting(store: WeiboStore, data: dict[str, Any]) -> None:
    post = store.publish("你好", NOW, place="江湾", visibility="粉丝")
    assert store.own_posts()[0] == post == store.post(post.id)
    again = WeiboStore(data).post(post.id)
    assert again == post
    store.set_visibility(post, "公开")
    assert store.own_posts()[0].visibility == "公开"
    store.delete_post(post)
    assert store.post(post.id) is None
    old = content.posts()["me-tree"]
    store.delete_post(old)
    assert old not in store.own_posts()
    assert all(note.of != old for note in store.received())


def test_reposts_and_comments_belong_to_their_post(store: WeiboStore) -> None:
    post = content.posts()["camp-list"]
    repost = store.publish("马住", NOW, of=post.id)
    assert store.own_reposts(post) == (repost,)
    store.comment(post, "一", NOW)
    store.comment(post, "二", NOW, to="小满爱跑步", of="camp-list/0")
    assert [(row.text, row.of) for row in store.own_comments(post)] == [("二", "camp-list/0"), ("一", "")]
    store.delete_comment(post, store.own_comments(post)[0].id)
    assert [row.text for row in store.own_comments(post)] == ["一"]


def test_saving_a_draft_replaces_it(store: WeiboStore) -> None:
    store.save_draft("新的", NOW, name="d2", visibility="粉丝")
    assert [draft.id for draft in store.drafts()] == ["d2", "d1", "d3"]
    assert store.draft("d2") is not None
    assert store.drafts()[0].text == "新的"
    store.delete_draft("d2")
    assert store.draft("d2") is None


def test_chats_are_sorted_by_their_last_message(store: WeiboStore) -> None:
    store.add_message("he_friend", "在吗", NOW)
    assert store.chats()[0] == "he_friend"
    assert store.unread("lin_friend") == 1
    store.mark_read("lin_friend")
    assert store.unread("lin_friend") == 0
    store.delete_chat("he_friend")
    assert "he_friend" not in store.chats()

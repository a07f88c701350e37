from __future__ import annotations

import copy
import json

import pytest

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.store import MAX_HISTORY, MAX_SEARCHES, BilibiliStore, initial_data
from tests.virtual.apps.bilibili.test_content import NOW


@pytest.fixture
def store() -> BilibiliStore:
    return BilibiliStore(initial_data())


@pytest.fixture
def video() -> content.Video:
    return next(iter(content.videos().values()))


def test_initial_data_is_json_and_not_shared() -> None:
    first, second = initial_data(), initial_data()
    assert json.loads(json.dumps(first)) == first == second
    BilibiliStore(first).set_following("hetong", True)
    assert first != second == initial_data()


def test_stores_over_the_same_data_share_state(video: content.Video) -> None:
    data = initial_data()
    BilibiliStore(data).set_liked(video, True)
    assert BilibiliStore(json.loads(json.dumps(data))).liked(video)


def test_liking_twice_counts_once(store: BilibiliStore, video: content.Video) -> None:
    store.set_liked(video, True)
    store.set_liked(video, True)
    store.set_liked(video, False)
    assert not store.liked(video)


@pytest.mark.parametrize(
    ("gifts", "given"), [([1], 1), ([2], 2), ([1, 1], 2), ([2, 1], 2), ([0], 0), ([3], 0)]
)
def test_a_video_gets_at_most_two_coins(
    store: BilibiliStore, video: content.Video, gifts: list[int], given: int
) -> None:
    before = store.coins_left
    for number in gifts:
        store.give_coins(video, number)
    assert store.coins(video) == given
    assert store.coins_left == before - given


def test_coins_are_limited_by_the_balance(video: content.Video) -> None:
    data = initial_data()
    data["coins_left"] = 1
    store = BilibiliStore(data)
    assert not store.give_coins(video, 2)
    assert store.give_coins(video, 1)
    assert store.coins_left == 0


def test_a_video_is_in_exactly_the_selected_folders(store: BilibiliStore, video: content.Video) -> None:
    store.set_folders(video, frozenset({"default", "music"}))
    assert store.folders_with(video) == {"default", "music"}
    store.set_folders(video, frozenset({"music"}))
    assert store.folders_with(video) == {"music"}
    store.set_folders(video, frozenset())
    assert not store.folders_with(video)


def test_folder_names_are_unique(store: BilibiliStore) -> None:
    made = store.add_folder("旅行")
    assert store.add_folder("旅行") == made
    assert store.folder(made) is not None
    assert store.folder("no such") is None


def test_history_is_unique_latest_first(store: BilibiliStore, video: content.Video) -> None:
    length = len(store.history())
    store.watch(video, NOW)
    store.watch(video, NOW)
    assert next(watched.video for watched in store.history()) == video
    assert len(store.history()) == length + 1
    store.remove_from_history(video)
    assert len(store.history()) == length
    store.clear_history()
    assert store.history() == ()


def test_a_disabled_history_records_nothing(store: BilibiliStore, video: content.Video) -> None:
    store.set_setting("history_record", False)
    before = store.history()
    store.watch(video, NOW)
    assert store.history() == before


def test_the_history_is_limited() -> None:
    data = initial_data()
    row = data["history"][0]
    data["history"] = [copy.deepcopy(row) for _ in range(MAX_HISTORY + 50)]
    store = BilibiliStore(data)
    store.watch(next(iter(content.videos().values())), NOW)
    assert len(data["history"]) <= MAX_HISTORY


def test_watching_marks_a_watch_later_video_as_watched(store: BilibiliStore) -> None:
    waiting = next(row.video for row in store.later() if not row.done)
    store.watch(waiting, NOW)
    assert next(row for row in store.later() if row.video == waiting).done
    assert store.delete_watched() == 2
    assert not store.in_later(waiting)


def test_watch_later_is_unique(store: BilibiliStore, video: content.Video) -> None:
    store.set_later(video, True, NOW)
    store.set_later(video, True, NOW)
    assert [row.video for row in store.later()].count(video) == 1
    store.set_later(video, False, NOW)
    assert not store.in_later(video)


def test_recent_searches_are_unique_and_limited(store: BilibiliStore) -> None:
    for number in range(MAX_SEARCHES + 5):
        store.add_search(f"词{number}")
    store.add_search("词9")
    assert store.searches()[0] == "词9"
    assert len(store.searches()) == MAX_SEARCHES
    assert store.searches().count("词9") == 1
    store.clear_searches()
    assert store.searches() == ()


def test_comments_and_bullet_comments_are_separate(store: BilibiliStore, video: content.Video) -> None:
    store.comment(video, "一", NOW)
    store.comment(video, "二", NOW)
    store.send_danmaku(video, "三")
    assert [text for text, _ in store.own_comments(video)] == ["二", "一"]
    assert store.danmaku(video) == ("三",)
    store.delete_comment(video, 0)
    assert [text for text, _ in store.own_comments(video)] == ["一"]

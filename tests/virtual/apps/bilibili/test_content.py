from __future__ import annotations

import datetime as dt

import pytest

from garabench.virtual.apps.bilibili import content

ZONE = dt.timezone(dt.timedelta(hours=8))
NOW = dt.datetime(2024, 5, 20, 9, 41, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (9_999, "9999"),
        (10_000, "1万"),
        (12_345, "1.2万"),
        (3_017_000, "301.7万"),
        (120_000_000, "1.2亿"),
    ],
)
def test_count_text(number: int, text: str) -> None:
    assert content.count_text(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "00:00"), (65, "01:05"), (232, "03:52"), (10_800, "3:00:00")]
)
def test_durations(seconds: int, text: str) -> None:
    assert content.clock_text(seconds) == text


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (NOW - dt.timedelta(seconds=20), "刚刚"),
        (NOW - dt.timedelta(minutes=5), "5分钟前"),
        (NOW - dt.timedelta(hours=3), "3小时前"),
        (NOW - dt.timedelta(hours=12), "昨天"),
        (dt.datetime(2024, 3, 2, 1, 0, tzinfo=ZONE), "3-2"),
        (dt.datetime(2019, 6, 6, 12, 0, tzinfo=ZONE), "2019-6-6"),
        (NOW.astimezone(dt.UTC) - dt.timedelta(hours=1), "1小时前"),
    ],
)
def test_ages(at: dt.datetime, text: str) -> None:
    assert content.age_text(at, NOW) == text


def test_lists_name_existing_videos_and_users() -> None:
    feed = content.feed()
    known, users = content.videos(), content.uploaders()
    ids = [*feed["recommend"], *feed["hot"], *feed["anime"], *feed["film"]]
    for board in (*feed["ranking"].values(), *feed["channels"].values()):
        ids += board
    for week in feed["weekly"]:
        ids += week["videos"]
    assert set(ids) <= known.keys()
    assert {video.uploader for video in known.values()} <= users.keys()
    assert {row["user"] for row in feed["dynamics"]} <= users.keys()
    assert {row["author"] for row in feed["articles"]} <= users.keys()
    assert {row["host"] for row in feed["live"]} <= users.keys()


def test_nothing_is_published_after_the_phones_start_time() -> None:
    assert max(video.published for video in content.videos().values()) < NOW


def test_an_uploaders_videos_are_sorted_by_date_or_plays() -> None:
    newest = content.videos_of("hetong")
    most = content.videos_of("hetong", by="plays")
    assert [v.published for v in newest] == sorted((v.published for v in newest), reverse=True)
    assert [v.plays for v in most] == sorted((v.plays for v in most), reverse=True)
    assert newest[0] != most[0]


def test_comments_are_stable_and_the_most_liked_come_first() -> None:
    for video in content.videos().values():
        comments = content.comments_of(video)
        likes = [comment.likes for comment in comments]
        assert comments == content.comments_of(video)
        assert likes == sorted(likes, reverse=True)
        assert len({comment.author for comment in comments}) == len(comments) >= 9


def test_every_channel_has_videos() -> None:
    for channel in content.feed()["channel_order"]:
        assert content.in_channel(channel), channel


def test_related_videos_exclude_the_video_itself() -> None:
    video = next(iter(content.videos().values()))
    assert video not in content.related(video)
    assert any("稻香" in other.title for other in content.related(video))

from __future__ import annotations

import pytest

from garabench.virtual.apps.bilibili.search_index import (
    BilibiliSortOrder,
    Length,
    find_rows,
    find_uploaders,
    find_videos,
    leading_uploader,
    suggestions,
)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("稻香", "稻香 – 完整版现场，全场大合唱"),
        ("林俊杰-可惜没如果", "林俊杰 – 可惜没如果 Live 字幕版"),
        ("asmr雨声", "ASMR 雨声｜木屋窗边，三小时不间断"),
        ("python 循环", "Python 入门第三课：循环，写个九九乘法表"),
    ],
)
def test_the_first_result(query: str, title: str) -> None:
    assert find_videos(query)[0].title == title


@pytest.mark.parametrize("query", ["", "  ", "—", "没有人会搜的词汇组合"])
def test_a_query_without_results(query: str) -> None:
    assert find_videos(query) == ()


@pytest.mark.parametrize("query", ["稻香", "ASMR 雨声", "帕梅拉", "VLOG"])
def test_results_exceed_a_screen_and_sort_orders_differ(query: str) -> None:
    usual = find_videos(query)
    plays = find_videos(query, BilibiliSortOrder.PLAYS)
    newest = find_videos(query, BilibiliSortOrder.NEWEST)
    danmaku = find_videos(query, BilibiliSortOrder.DANMAKU)
    assert len(usual) >= 6
    assert set(usual) == set(plays) == set(newest) == set(danmaku)
    assert [v.plays for v in plays] == sorted((v.plays for v in usual), reverse=True)
    assert [v.published for v in newest] == sorted((v.published for v in usual), reverse=True)
    assert [v.danmaku for v in danmaku] == sorted((v.danmaku for v in usual), reverse=True)
    assert usual[0] != plays[0] or usual[0] != newest[0]


def test_length_filters_partition_the_results() -> None:
    parts = [find_videos("帕梅拉", length=length) for length in Length if length is not Length.ALL]
    assert sum(len(part) for part in parts) == len(find_videos("帕梅拉"))
    assert [video.uploader for video in parts[2]] == ["pamela", "gymxm"]


def test_users_match_despite_typos_best_known_first() -> None:
    assert [user.name for user in find_uploaders("毕导")] == ["毕导", "毕导课堂笔记"]
    assert find_uploaders("影视剧风")[0].name == "影视飓风"
    assert find_uploaders("") == ()


@pytest.mark.parametrize(
    ("query", "name"),
    [("何同学", "老师好我叫何同学"), ("科技美学", "科技美学"), ("稻香", None), ("猫", None)],
)
def test_a_well_known_user_heads_the_results(query: str, name: str | None) -> None:
    leader = leading_uploader(query)
    assert (leader.name if leader else None) == name


def test_series_and_articles() -> None:
    assert [row["title"] for row in find_rows("蓝色星球", "bangumi", ("title",))] == [
        "蓝色星球",
        "蓝色星球 第二季",
    ]
    assert find_rows("", "bangumi", ("title",)) == ()


def test_suggestions_start_with_the_text() -> None:
    assert suggestions("稻") == ("稻香", "稻香 吉他", "稻香 钢琴", "稻香 现场")
    assert suggestions("") == ()

"""The closest text on a screen and how it differs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.rules.closest_text import TextDifference as Diff
from garabench.rules.closest_text import closest_text
from garabench.rules.traditional_characters import simplified


@pytest.mark.parametrize(
    ("expected", "found", "differences"),
    [
        ("985大学", "985 大学排名", (Diff.SPACE,)),
        ("WiFi", "ＷｉＦｉ设置", (Diff.WIDTH,)),
        ("点赞", "點讚", (Diff.TRADITIONAL,)),
        ("知名游戏 up 主", "知名游戏UP主", (Diff.CASE, Diff.SPACE)),
        ("Add to chart", "Add to cart", (Diff.SPELLING,)),
        ("¥4", "¥44", (Diff.NUMBER,)),
        ("Row 12", "Row 8", (Diff.NUMBER,)),
        ("line_quantity", "quantity", ()),
        ("播放设置", "播放记录设置", ()),
    ],
)
def test_the_difference_is_named(expected: str, found: str, differences: tuple[Diff, ...]) -> None:
    closest = closest_text(expected, ["something else", found])
    assert closest is not None
    assert (closest.found, closest.differences) == (found, differences)


def test_case_is_no_difference_for_keywords_and_nothing_similar_is_nothing() -> None:
    closest = closest_text("up 主", ["UP主"], case=False)
    assert closest is not None
    assert closest.reason == "differs only in white space"
    assert closest_text("搜索", ["我的", "设置"]) is None
    assert closest_text("favorite", ["footer"]) is None
    assert closest_text("total", ["title"]) is None
    assert closest_text("  ", ["我的"]) is None


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=5))
def test_any_texts_are_compared(expected: str, texts: list[str]) -> None:
    closest = closest_text(expected, texts)
    assert closest is None or closest.found in texts
    assert simplified(simplified(expected)) == simplified(expected)

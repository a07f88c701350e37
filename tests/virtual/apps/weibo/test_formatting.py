from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.weibo.formatting import age_text, count_text, fold, links_in, topics_in

NOW = dt.datetime.fromisoformat("2024-05-20T09:41:00+08:00")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (9999, "9999"),
        (10_000, "1万"),
        (53_210, "5.3万"),
        (132_000_000, "1.3亿"),
        (98_000_000, "9800万"),
    ],
)
def test_counts(number: int, text: str) -> None:
    assert count_text(number) == text


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0, "刚刚"),
        (33, "33分钟前"),
        (390, "6小时前"),
        (900, "昨天 18:41"),
        (2900, "5-18"),
        (400_000, "2023-8-16"),
    ],
)
def test_ages(minutes: int, text: str) -> None:
    assert age_text(NOW - dt.timedelta(minutes=minutes), NOW) == text


def test_deep_links() -> None:
    text = "#一份周末露营清单# 差你一个 @陈小舟 快来"
    assert topics_in(text) == ("一份周末露营清单",)
    assert links_in(text) == ("#一份周末露营清单#", "@陈小舟")
    assert topics_in("一个 # 号") == ()


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)

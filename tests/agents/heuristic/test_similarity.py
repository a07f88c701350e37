"""The similarity of phrases and labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.heuristic.similarity import covers, label_similarity, normalize_label


def alike(phrase: str, label: str) -> float:
    return label_similarity(normalize_label(phrase), normalize_label(label))


@pytest.mark.parametrize(
    ("phrase", "better", "worse"),
    [
        ("设置", "设置", "播放设置"),
        ("播放设置", "播放设置", "设置"),
        ("晴天", "晴天 现场版", "雨天"),
        ("Green Tea", "Twinings Green Tea, 20 bags", "Green Mug"),
        ("notifications", "Notification", "Location"),
        ("小王", "小王", "小王的课堂笔记"),
        ("open now", "Open now", "Open 24 hours"),
    ],
)
def test_the_closer_label_has_the_higher_score(phrase: str, better: str, worse: str) -> None:
    assert alike(phrase, better) > alike(phrase, worse)


def test_case_width_and_punctuation_do_not_matter() -> None:
    assert alike("WiFi（5G）", "wifi(5g)") == 1.0


@given(st.text(max_size=30), st.text(max_size=60))
def test_a_score_is_between_0_and_1(phrase: str, label: str) -> None:
    assert 0.0 <= alike(phrase, label) <= 1.0
    assert 0.0 <= covers(normalize_label(phrase), normalize_label(label)) <= 1.0


@given(st.text(alphabet="abc晴天雨 ", min_size=1, max_size=12))
def test_equal_texts_have_the_highest_score(text: str) -> None:
    assert alike(text, text) in (0.0, 1.0)


def test_a_single_chinese_character_does_not_match_a_long_label() -> None:
    assert alike("我", "我的收藏夹和历史") < 0.6

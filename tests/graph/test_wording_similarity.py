from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.graph.wording_similarity import edit_distance, max_edits, similar_pairs, wording_similarity


def table_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        following = [i]
        for j, y in enumerate(b, start=1):
            following.append(min(row[j] + 1, following[-1] + 1, row[j - 1] + (x != y)))
        row = following
    return row[-1]


@settings(max_examples=150, deadline=None)
@given(st.text("abc", max_size=70), st.text("abc", max_size=70))
def test_the_distance_is_that_of_the_textbook(a: str, b: str) -> None:
    assert edit_distance(a, b) == edit_distance(b, a) == table_distance(a, b)


def test_similarity() -> None:
    assert wording_similarity("", "") == 1
    assert wording_similarity("", "a") == 0
    five, six = (f"click(text='{digit}', element='button')" for digit in "56")
    assert wording_similarity(five, six) == pytest.approx(0.9697, abs=1e-4)


words = st.lists(st.text("ab", max_size=24), min_size=12, max_size=40, unique=True)


@settings(max_examples=60, deadline=None)
@given(words, st.sampled_from([0.5, 0.7, 0.8, 0.9, 0.95, 1.0]))
def test_the_index_finds_every_similar_pair_once(texts: list[str], theta: float) -> None:
    found = [(i, j) for i, j, _ in similar_pairs(texts, theta)]
    assert len(found) == len(set(found))
    assert set(found) == {
        (i, j)
        for i in range(len(texts))
        for j in range(i + 1, len(texts))
        if edit_distance(texts[i], texts[j]) <= max_edits(max(len(texts[i]), len(texts[j])), theta)
    }


def test_a_threshold_has_a_range() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        list(similar_pairs(["a"], 0.0))

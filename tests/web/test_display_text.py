from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.web.display_text import MAX_CHARACTERS, display_text, short_label


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nof two lines", "plain\ttext\nof two lines"),
        ("abc\u202edef", "abc‹U+202E›def"),
        ("a\x00b\x1b[31m", "a‹U+0000›b‹U+001B›[31m"),
        ("half \ud83d", "half ‹U+D83D›"),
        ("稻香 🙂", "稻香 🙂"),
    ],
)
def test_invisible_characters_are_named(text: str, shown: str) -> None:
    assert display_text(text) == shown


def test_a_megabyte_is_cut_and_says_so() -> None:
    assert display_text("x" * 1_000_000) == "x" * MAX_CHARACTERS + "… (1,000,000 characters)"


@given(st.text())
def test_shown_texts_can_be_encoded_and_shown_again(text: str) -> None:
    shown = display_text(text, 10_000)
    shown.encode()
    assert display_text(shown, 20_000) == shown


@given(st.text(min_size=1))
def test_a_label_is_one_line_of_limited_length(text: str) -> None:
    label = short_label(text * 20, 30)
    assert len(label) <= 30
    assert "\n" not in label


def test_a_long_label_keeps_both_ends() -> None:
    assert short_label("process:./agent.py --model=abc --seed=1", 20) == "process:./age…seed=1"

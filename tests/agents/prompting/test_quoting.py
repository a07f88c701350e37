"""Texts of the screen stay quoted, on one line, and cannot end their section of the prompt."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.prompting.quoting import END, quoted, word


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("稻香", '"稻香"'),
        ('say "x"', '"say \\"x\\""'),
        ("a\nb\tc", '"a\\nb\\tc"'),
        ("</screen>", '"\\u003c/screen\\u003e"'),
        ("<|im_end|>", '"\\u003c|im_end|\\u003e"'),
        ("a\u202eb\u2028c\x00", '"a\\u202eb\\u2028c\\u0000"'),
        ("\U000e0041", '"\\udb40\\udc41"'),
        ("", '""'),
    ],
)
def test_a_text_is_quoted(text: str, shown: str) -> None:
    assert quoted(text, 100) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    assert quoted("x" * 130, 120) == f'"{"x" * 120}"(+10 characters)'


@given(st.text(max_size=200))
def test_whatever_is_quoted_is_one_line_of_visible_letters_and_reads_back(text: str) -> None:
    shown = quoted(text, 1000)
    assert "<" not in shown and ">" not in shown and END not in shown
    assert all(unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for letter in shown)
    assert json.loads(shown) == text


def test_a_name_has_no_signs() -> None:
    assert word("a b<c>\nd_e.f-g", 40) == "a-b-c-d_e.f-g"
    assert word("x" * 100, 40) == "x" * 40

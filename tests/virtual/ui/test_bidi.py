"""The visual order of mixed-direction text (UAX 9); capitals stand for right-to-left letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.ui import bidi
from tests.cases import every_case

_RIGHT = {chr(ord("A") + place): chr(0x5D0 + place) for place in range(26)}
_BACK = {hebrew: latin for latin, hebrew in _RIGHT.items()}
_CONTROLS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_LETTERS = st.text(st.sampled_from("aא ا1٢-,.()[]%$+\t\u0301" + _CONTROLS), max_size=24)


def seen(text: str, base: int | None = None) -> str:
    """Return the visual order, from the left."""
    real = "".join(_RIGHT.get(char, char) for char in text)
    levels = bidi.levels(real, bidi.base_level(real) if base is None else base)
    shown = []
    for begin, end in bidi.visual_order(levels):
        run = real[begin:end]
        shown.append("".join(bidi.MIRRORED.get(x, x) for x in reversed(run)) if levels[begin] % 2 else run)
    return "".join(_BACK.get(char, char) for char in "".join(shown) if char not in _CONTROLS)


@every_case(
    ("text", "expected"),
    [
        ("car is THE CAR in arabic", "car is RAC EHT in arabic"),
        ("CAR IS the car IN ENGLISH", "HSILGNE NI the car SI RAC"),
        ("he said “IT IS 123, 456, OK”.", "he said “KO ,456 ,123 SI TI”."),
        ("A ’\u202ahe said “\u202bcar MEANS CAR\u202c”\u202c‘?", "?‘he said “RAC SNAEM car”’ A"),
        ("AB(CD) ef", "ef (DC)BA"),
        ("ab (CD) ef", "ab (DC) ef"),
        ("AB (cd) EF", "FE (cd) BA"),
        ("A 10% B", "B 10% A"),
        ("PRICE $5.99!", "!$5.99 ECIRP"),
        ("A 2-3", "2-3 A"),
        ("a\u2067B c\u2069 d", "ac B d"),
        ("a\u2068B c\u2069 d", "ac B d"),
        ("a\u2068c B\u2069 d", "ac B d"),
        ("\u202eabc\u202c", "cba"),
        ("", ""),
    ],
)
def test_visual_order(text: str, expected: str) -> None:
    assert seen(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("بقي 10% الآن", [1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1]), ("ابجد ٢٣", [1, 1, 1, 1, 1, 2, 2])],
)
def test_numbers_after_arabic_letters(text: str, expected: list[int]) -> None:
    assert bidi.levels(text, 1) == expected


def test_a_paragraphs_direction_is_that_of_its_first_letter() -> None:
    assert [bidi.base_level(text) for text in ("a א", "א a", "1 א", "12", "\u2067א\u2069 a")] == [
        0,
        1,
        1,
        0,
        0,
    ]
    assert bidi.base_level("12", otherwise=1) == 1


@given(_LETTERS, st.sampled_from([0, 1]))
def test_each_character_appears_once_at_or_above_the_paragraph_level(text: str, base: int) -> None:
    levels = bidi.levels(text, base)
    assert len(levels) == len(text)
    assert all(level >= base for level in levels)
    runs = bidi.visual_order(levels)
    assert sorted(place for begin, end in runs for place in range(begin, end)) == list(range(len(text)))


@given(st.text(st.sampled_from("abc 12,.()"), max_size=20))
def test_left_to_right_text_is_unchanged(text: str) -> None:
    assert set(bidi.levels(text, 0)) <= {0}
    assert bidi.visual_order(bidi.levels(text, 0)) == ([(0, len(text))] if text else [])


def test_mirrored_characters_are_pairs() -> None:
    assert all(bidi.MIRRORED[other] == sign for sign, other in bidi.MIRRORED.items())


@pytest.mark.parametrize("depth", [1, 62, 130, 300])
def test_deep_nesting(depth: int) -> None:
    text = "\u202b" * depth + "\u2067" * depth + "א(" * depth + "\u2069" * depth + "\u202c" * depth + "a"
    levels = bidi.levels(text, 0)
    assert max(levels) <= bidi.MAX_DEPTH + 1
    assert levels[-1] == 0

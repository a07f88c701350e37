"""The coverage of the phone's typefaces, as docs/virtual-phone.md states it."""

from __future__ import annotations

import pytest

from garabench.virtual.ui import fonts
from garabench.virtual.ui.fonts import Typeface, coverage, face_of

BOX = bytes(fonts.chinese(40).getmask("\U0010fffe"))
"""The glyph for a character that the typeface lacks."""


def is_box(char: str) -> bool:
    face = face_of(char)
    if face.is_shaped:
        return ord(char) not in coverage(face)
    drawn = fonts.latin(40) if face is Typeface.LATIN else fonts.chinese(40)
    return bytes(drawn.getmask(char)) == BOX


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("aếΩЯ", Typeface.LATIN),
        ("电カひ✓★", Typeface.CHINESE),
        ("بگپ", Typeface.ARABIC),
        ("שא", Typeface.HEBREW),
        ("กที", Typeface.THAI),
        ("अक", Typeface.DEVANAGARI),
        ("한뷁ㅋ", Typeface.HANGUL),
        ("\U0001f600❤⚡\U0001f1e8", Typeface.EMOJI),
    ],
)
def test_covered_characters(text: str, face: Typeface) -> None:
    assert {face_of(char) for char in text} == {face}
    assert not any(map(is_box, text))


def test_all_hangul_syllables_are_covered() -> None:
    assert set(range(0xAC00, 0xD7A4)) <= coverage(Typeface.HANGUL)


@pytest.mark.parametrize("char", ["ա", "ა", "த", "ກ", "አ"])
def test_uncovered_scripts_are_boxes(char: str) -> None:
    assert is_box(char)


@pytest.mark.parametrize(
    "text", ["Battery 10% (low)", "电量不足，请充电！", "★★★☆☆ 4.8", "Русский Ελ カナ", ""]
)
def test_common_text_needs_no_shaping(text: str) -> None:
    assert not fonts.needs_shaping(text)


@pytest.mark.parametrize("char", "שبกअ한❤\u200f\ufe0f\U0001f600")
def test_joining_characters_need_shaping(char: str) -> None:
    assert fonts.needs_shaping(f"a{char}")

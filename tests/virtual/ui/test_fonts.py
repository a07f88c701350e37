"""Which letters the phone's typefaces have, as docs/virtual-phone.md states it."""

from __future__ import annotations

import pytest

from garabench.virtual.ui import fonts

BOX = bytes(fonts.chinese(40).getmask("\U0010fffe"))
"""What is drawn for a letter that the typeface has not."""


def drawn(letter: str) -> bytes:
    face = fonts.latin(40) if fonts.is_latin(letter) else fonts.chinese(40)
    return bytes(face.getmask(letter))


@pytest.mark.parametrize("letter", ["a", "ế", "Ω", "Я", "电", "カ", "✓", "★"])
def test_letters_that_are_drawn(letter: str) -> None:
    assert drawn(letter) != BOX


@pytest.mark.parametrize("letter", ["ب", "ש", "ก", "अ", "한", "\U0001f600"])
def test_letters_of_other_scripts_are_boxes(letter: str) -> None:
    assert drawn(letter) == BOX

"""Splitting of a line into runs of one face and one direction, in visual order."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from garabench.virtual.ui import bidi, shaping
from garabench.virtual.ui.fonts import Typeface, coverage, face_of, has_width

Advance = Callable[[str], float]
"""Advance of an unshaped character, in pixels."""
_STICKY = frozenset(" \u00a0!,-.:;?،؛؟।0123456789")
"""Characters drawn with the face of the previous one if possible, as Android does."""
_SELECTOR = "\ufe0f"


@dataclass(frozen=True, slots=True)
class TextRun:
    """Characters that are drawn together.

    Attributes:
        text: Text in logical order.
        start: Offset in the line's text.
        x: Offset from the line's left edge, in pixels.
        width: Width in pixels.
    """

    text: str
    start: int
    face: Typeface
    rtl: bool
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class CharacterAdvances:
    """The advance of each character, and which are part of the previous one's cluster."""

    of: tuple[float, ...]
    glued: frozenset[int]


def visual_runs(text: str, size: int, bold: bool, base: int, advance: Advance) -> tuple[TextRun, ...]:
    """Split a line into runs, from the left.

    Args:
        text: One line.
        size: Pixels per em.
        bold: Heavier weight.
        base: Paragraph level: 1 if right-to-left.
        advance: Advance of unshaped characters.
    """
    found = bidi.levels(text, base)
    runs: list[TextRun] = []
    pen = 0.0
    for begin, end in bidi.visual_order(found):
        rtl = found[begin] % 2 == 1
        parts = list(_faces(text, begin, end))
        for first, last, face in reversed(parts) if rtl else parts:
            letters = text[first:last]
            if face.is_shaped:
                width = shaping.shape(letters, face, size, bold, rtl).width
            else:
                width = sum(advance(char) for char in letters if has_width(char))
            runs.append(TextRun(letters, first, face, rtl, pen, width))
            pen += width
    return tuple(runs)


def character_advances(text: str, size: int, bold: bool, base: int, advance: Advance) -> CharacterAdvances:
    """Return the advances of a paragraph's characters, for line breaking."""
    of = [0.0] * len(text)
    glued: set[int] = set()
    for run in visual_runs(text, size, bold, base, advance):
        if run.face.is_shaped:
            shaped = shaping.shape(run.text, run.face, size, bold, run.rtl)
            of[run.start : run.start + len(run.text)] = shaped.advances
            glued |= {run.start + index for index in shaped.glued}
        else:
            for index, char in enumerate(run.text, run.start):
                of[index] = advance(char) if has_width(char) else 0.0
    return CharacterAdvances(tuple(of), frozenset(glued))


def _faces(text: str, begin: int, end: int) -> Iterator[tuple[int, int, Typeface]]:
    """Yield the parts of one face, as (begin, end, face)."""
    start, current = begin, _face_at(text, begin, None)
    for index in range(begin + 1, end):
        face = _face_at(text, index, current)
        if face is not current:
            yield start, index, current
            start, current = index, face
    yield start, end, current


def _face_at(text: str, index: int, before: Typeface | None) -> Typeface:
    char = text[index]
    if before is not None:
        if not has_width(char) or unicodedata.category(char).startswith("M"):
            return before
        if (
            char in _STICKY
            and before.is_shaped
            and before is not Typeface.EMOJI
            and ord(char) in coverage(before)
        ):
            return before
    return face_of(char, text[index + 1 : index + 2] == _SELECTOR)

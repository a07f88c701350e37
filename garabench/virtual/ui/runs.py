"""A line of mixed scripts as runs: each of one face and one direction, in the order they are seen."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from garabench.virtual.ui import bidi, shaping
from garabench.virtual.ui.fonts import Face, coverage, face_of, is_shown

Advance = Callable[[str], float]
"""How far a letter that is set singly moves the pen, in pixels."""
_STICKY = frozenset(" \u00a0!,-.:;?،؛؟।0123456789")
"""What is drawn with the face of the letter before it where that has it, as Android chooses faces."""
_SELECTOR = "\ufe0f"


@dataclass(frozen=True, slots=True)
class Run:
    """Letters that are drawn together.

    Attributes:
        text: In the order in which it is read.
        start: Where it begins in the line's text.
        x: Pixels from the line's left edge.
        width: Pixels.
    """

    text: str
    start: int
    face: Face
    rtl: bool
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Steps:
    """How far each letter moves the pen, and which are one with the letter before them."""

    of: tuple[float, ...]
    glued: frozenset[int]


def visual_runs(text: str, size: int, bold: bool, base: int, advance: Advance) -> tuple[Run, ...]:
    """The runs of a line, from the left.

    Args:
        text: One line.
        size: Pixels per em.
        bold: Heavier weight.
        base: The paragraph's level: 1 where it is read from the right.
        advance: Of letters that are set singly.
    """
    found = bidi.levels(text, base)
    runs: list[Run] = []
    pen = 0.0
    for begin, end in bidi.visual_order(found):
        rtl = found[begin] % 2 == 1
        parts = list(_faces(text, begin, end))
        for first, last, face in reversed(parts) if rtl else parts:
            letters = text[first:last]
            if face.is_shaped:
                width = shaping.shape(letters, face, size, bold, rtl).width
            else:
                width = sum(advance(letter) for letter in letters if is_shown(letter))
            runs.append(Run(letters, first, face, rtl, pen, width))
            pen += width
    return tuple(runs)


def steps(text: str, size: int, bold: bool, base: int, advance: Advance) -> Steps:
    """How far each letter of a paragraph moves the pen, for breaking it into lines."""
    of = [0.0] * len(text)
    glued: set[int] = set()
    for run in visual_runs(text, size, bold, base, advance):
        if run.face.is_shaped:
            shaped = shaping.shape(run.text, run.face, size, bold, run.rtl)
            of[run.start : run.start + len(run.text)] = shaped.steps
            glued |= {run.start + place for place in shaped.glued}
        else:
            for place, letter in enumerate(run.text, run.start):
                of[place] = advance(letter) if is_shown(letter) else 0.0
    return Steps(tuple(of), frozenset(glued))


def _faces(text: str, begin: int, end: int) -> Iterator[tuple[int, int, Face]]:
    """Parts of one face, as (begin, end, face)."""
    start, current = begin, _face_at(text, begin, None)
    for place in range(begin + 1, end):
        face = _face_at(text, place, current)
        if face is not current:
            yield start, place, current
            start, current = place, face
    yield start, end, current


def _face_at(text: str, place: int, before: Face | None) -> Face:
    letter = text[place]
    if before is not None:
        if not is_shown(letter) or unicodedata.category(letter).startswith("M"):
            return before
        if (
            letter in _STICKY
            and before.is_shaped
            and before is not Face.EMOJI
            and ord(letter) in coverage(before)
        ):
            return before
    return face_of(letter, text[place + 1 : place + 2] == _SELECTOR)

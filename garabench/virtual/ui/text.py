"""Measuring text and breaking it into lines, as Android's StaticLayout does, with the real fonts.

Widths are sums of glyph advances, so a line is as wide as it is drawn. Latin words stay whole where they
fit; Chinese breaks between any two characters but for punctuation that may not start or end a line.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from garabench.virtual.ui import fonts

ASCENT = 1.02
DESCENT = 0.28
"""Of a line, in em; the same for both scripts, so that rows of mixed text share a baseline and a height."""

ELLIPSIS = "…"
NOT_AT_START = frozenset("，。！？、；：）》」』】〉〕’”…％·～,.!?;:)]}%")
NOT_AT_END = frozenset("（《「『【〈〔‘“([{¥￥$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text and its width in pixels."""

    text: str
    width: int
    start: int = 0
    """Where it begins in the whole text."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text broken into lines.

    Attributes:
        size: Pixels per em.
        line_height: From one baseline to the next, in pixels.
        width: Of the widest line.
        ellipsized: Whether text was cut away.
    """

    lines: tuple[Line, ...]
    size: int
    bold: bool
    line_height: int
    width: int
    ellipsized: bool = False

    @property
    def height(self) -> int:
        """Of all lines together, in pixels."""
        return self.line_height * len(self.lines)

    @property
    def baseline(self) -> int:
        """From the top of a line to its baseline, in pixels."""
        natural = round((ASCENT + DESCENT) * self.size)
        return round(ASCENT * self.size) + (self.line_height - natural) // 2


@functools.lru_cache(maxsize=16384)
def advance(char: str, size: int, bold: bool) -> float:
    """How far one character moves the pen, in pixels."""
    if char == "\t":
        return 4 * advance(" ", size, bold)
    if char < " ":
        return 0.0
    if fonts.is_latin(char):
        return fonts.latin(size, bold).getlength(char)
    return fonts.chinese(size).getlength(char)


def width_of(text: str, size: int, bold: bool = False) -> int:
    """Width of a single line in whole pixels, rounded up."""
    return _ceil(sum(advance(char, size, bold) for char in text))


@functools.lru_cache(maxsize=8192)
def lay_out_text(
    text: str, size: int, bold: bool, max_width: int | None, max_lines: int = 0, spacing: float = 1.0
) -> TextLayout:
    """Break a text into lines.

    Args:
        text: Newlines always break.
        size: Pixels per em.
        bold: Heavier weight.
        max_width: Pixels a line may take; None for any.
        max_lines: 0 for any; the last of them ends in an ellipsis when there is more.
        spacing: Factor on the distance of the lines.
    """
    line_height = round((ASCENT + DESCENT) * size * spacing)
    lines: list[Line] = []
    cut = False
    for line in _lines(text, size, bold, max_width):
        if max_lines and len(lines) == max_lines:
            cut = True
            break
        lines.append(line)
    if cut:
        last = lines[-1]
        rest = text[last.start : last.start + len(last.text) + 64].split("\n")[0]
        lines[-1] = ellipsize(rest, size, bold, max_width, start=last.start, force=True)
    elif max_width is not None and lines and lines[-1].width > max_width and max_lines:
        last = lines[-1]
        lines[-1] = ellipsize(last.text, size, bold, max_width, start=last.start)
        cut = True
    width = max((line.width for line in lines), default=0)
    return TextLayout(tuple(lines), size, bold, line_height, width, cut)


def ellipsize(
    text: str, size: int, bold: bool, max_width: int | None, *, start: int = 0, force: bool = False
) -> Line:
    """Cut a line so that it fits with an ellipsis at its end; `force` adds one even where it would fit."""
    whole = width_of(text, size, bold)
    if max_width is None or (not force and whole <= max_width):
        shown = text + ELLIPSIS if force else text
        return Line(shown, width_of(shown, size, bold), start)
    room = max_width - advance(ELLIPSIS, size, bold)
    pen, kept = 0.0, 0
    for char in text:
        pen += advance(char, size, bold)
        if pen > room:
            break
        kept += 1
    shown = text[:kept].rstrip() + ELLIPSIS
    return Line(shown, min(max_width, width_of(shown, size, bold)), start)


def _lines(text: str, size: int, bold: bool, max_width: int | None) -> Iterator[Line]:
    start = 0
    for paragraph in text.split("\n"):
        if max_width is None:
            yield Line(paragraph, width_of(paragraph, size, bold), start)
        else:
            for begin, end in _breaks(paragraph, size, bold, max_width):
                shown = paragraph[begin:end].rstrip(" ")
                yield Line(shown, width_of(shown, size, bold), start + begin)
        start += len(paragraph) + 1


def _breaks(text: str, size: int, bold: bool, max_width: int) -> Iterator[tuple[int, int]]:
    """Greedy line breaking of one paragraph, as (begin, end) places."""
    begin, pen, last_break = 0, 0.0, 0
    index = 0
    while index < len(text):
        char = text[index]
        if index > begin and _may_break(text[index - 1], char):
            last_break = index
        step = advance(char, size, bold)
        if pen + step > max_width and index > begin and char != " ":
            end = last_break if last_break > begin else index
            yield begin, end
            begin = last_break = end
            while begin < len(text) and text[begin] == " ":
                begin += 1
            pen, index = 0.0, begin
            continue
        pen += step
        index += 1
    yield begin, len(text)


def _may_break(before: str, after: str) -> bool:
    if after == " " or after in NOT_AT_START or before in NOT_AT_END:
        return False
    if before == " ":
        return True
    return _is_wide(before) or _is_wide(after) or before == "-"


def _is_wide(char: str) -> bool:
    return char >= "⺀"


def _ceil(value: float) -> int:
    whole = int(value)
    return whole if whole == value else whole + 1

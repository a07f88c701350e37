"""Measuring text and breaking it into lines, as Android's StaticLayout does, with the real fonts.

Widths are sums of glyph advances, so a line is as wide as it is drawn. Latin words stay whole where they
fit; Chinese breaks between any two characters but for punctuation that may not start or end a line. Where
letters join, stack or run from the right, a line is made of runs, which are measured as they are drawn.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from garabench.virtual.ui import bidi, fonts
from garabench.virtual.ui.fonts import Face
from garabench.virtual.ui.runs import Run, Steps, steps, visual_runs

ASCENT = 1.02
DESCENT = 0.28
"""Of a line, in em; the same for most scripts, so that rows of mixed text share a baseline and a height."""
_TALL = {Face.ARABIC: (1.1, 0.48), Face.DEVANAGARI: (1.1, 0.42), Face.THAI: (1.15, 0.4)}
"""Ascent and descent of faces that reach further, for which Android makes lines higher, too (since 9)."""

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
    runs: tuple[Run, ...] = ()
    """Its letters in the order in which they are seen; empty where each simply follows the one before it."""
    rtl: bool = False
    """Whether its paragraph is read from the right."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text broken into lines.

    Attributes:
        size: Pixels per em.
        line_height: From one baseline to the next, in pixels.
        width: Of the widest line.
        ellipsized: Whether text was cut away.
        ascent, descent: Of each line, in em.
    """

    lines: tuple[Line, ...]
    size: int
    bold: bool
    line_height: int
    width: int
    ellipsized: bool = False
    ascent: float = ASCENT
    descent: float = DESCENT

    @property
    def height(self) -> int:
        """Of all lines together, in pixels."""
        return self.line_height * len(self.lines)

    @property
    def baseline(self) -> int:
        """From the top of a line to its baseline, in pixels."""
        natural = round((self.ascent + self.descent) * self.size)
        return round(self.ascent * self.size) + (self.line_height - natural) // 2


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
    return _line(text, size, bold, 0, _base(text)).width


def _base(paragraph: str) -> int:
    return bidi.base_level(paragraph) if fonts.needs_shaping(paragraph) else 0


def _line(text: str, size: int, bold: bool, start: int, base: int) -> Line:
    """A line as wide as it is drawn; `base` is 1 where its paragraph is read from the right."""
    if not base and not fonts.needs_shaping(text):
        return Line(text, _ceil(sum([advance(char, size, bold) for char in text])), start)
    runs = visual_runs(text, size, bold, base, lambda char: advance(char, size, bold))
    width = max((run.x + run.width for run in runs), default=0.0)
    return Line(text, _ceil(width), start, runs, base == 1)


def _steps(text: str, size: int, bold: bool, base: int) -> Steps:
    if not base and not fonts.needs_shaping(text):
        return Steps(tuple([advance(char, size, bold) for char in text]), frozenset())
    return steps(text, size, bold, base, lambda char: advance(char, size, bold))


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
        lines[-1] = ellipsize(rest, size, bold, max_width, start=last.start, force=True, rtl=last.rtl)
    elif max_width is not None and lines and lines[-1].width > max_width and max_lines:
        last = lines[-1]
        lines[-1] = ellipsize(last.text, size, bold, max_width, start=last.start, rtl=last.rtl)
        cut = True
    width = max((line.width for line in lines), default=0)
    ascent, descent = ASCENT, DESCENT
    for face in {run.face for line in lines for run in line.runs}:
        above, below = _TALL.get(face, (ASCENT, DESCENT))
        ascent, descent = max(ascent, above), max(descent, below)
    line_height = round((ascent + descent) * size * spacing)
    return TextLayout(tuple(lines), size, bold, line_height, width, cut, ascent, descent)


def ellipsize(
    text: str,
    size: int,
    bold: bool,
    max_width: int | None,
    *,
    start: int = 0,
    force: bool = False,
    rtl: bool | None = None,
) -> Line:
    """Cut a line so that it fits with an ellipsis at its end; `force` adds one even where it would fit.

    `rtl` says whether its paragraph is read from the right; None for what its own letters say.
    """
    base = _base(text) if rtl is None else int(rtl)
    whole = _line(text, size, bold, start, base)
    if max_width is None or (not force and whole.width <= max_width):
        return _line(text + ELLIPSIS, size, bold, start, base) if force else whole
    room = max_width - advance(ELLIPSIS, size, bold)
    pen, kept = 0.0, 0
    for step in _steps(text, size, bold, base).of:
        pen += step
        if pen > room:
            break
        kept += 1
    line = _line(text[:kept].rstrip() + ELLIPSIS, size, bold, start, base)
    return replace(line, width=min(max_width, line.width))


def _lines(text: str, size: int, bold: bool, max_width: int | None) -> Iterator[Line]:
    start = 0
    for paragraph in text.split("\n"):
        base = _base(paragraph)
        if max_width is None:
            yield _line(paragraph, size, bold, start, base)
        else:
            moves = _steps(paragraph, size, bold, base)
            begin = 0
            while True:
                end = _line_end(paragraph, moves, begin, max_width)
                line = _line(paragraph[begin:end].rstrip(" "), size, bold, start + begin, base)
                for less in range(end - 1, begin, -1) if line.runs and line.width > max_width else ():
                    if less in moves.glued:
                        continue
                    end = less  # a word's letters take other, wider forms where it is broken
                    line = _line(paragraph[begin:end], size, bold, start + begin, base)
                    if line.width <= max_width:
                        break
                yield line
                if end >= len(paragraph):
                    break
                begin = end
                while begin < len(paragraph) and paragraph[begin] == " ":
                    begin += 1
        start += len(paragraph) + 1


def _line_end(text: str, moves: Steps, begin: int, max_width: int) -> int:
    """Where a line of a paragraph ends that begins there: as late as it fits, between words if it can."""
    pen, last_break = 0.0, begin
    for index in range(begin, len(text)):
        char = text[index]
        step = moves.of[index]
        if index > begin and index not in moves.glued:
            if _may_break(text[index - 1], char):
                last_break = index
            if pen + step > max_width and char != " ":
                return last_break if last_break > begin else index
        pen += step
    return len(text)


def _may_break(before: str, after: str) -> bool:
    if after == " " or after in NOT_AT_START or before in NOT_AT_END:
        return False
    if before == " ":
        return True
    return _is_wide(before) or _is_wide(after) or before == "-"


def _is_wide(char: str) -> bool:
    return char >= "⺀" and not "\ufb1d" <= char <= "\ufeff"


def _ceil(value: float) -> int:
    whole = int(value)
    return whole if whole == value else whole + 1

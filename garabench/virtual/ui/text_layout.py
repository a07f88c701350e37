"""Text measurement and line breaking, as in Android's StaticLayout, with the real fonts.

Widths are sums of glyph advances, so a line is as wide as it is drawn. Latin words are not broken if they
fit; Chinese breaks between any two characters except at punctuation that may not start or end a line. Where
text is shaped or right-to-left, a line consists of runs, which are measured as they are drawn.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from garabench.virtual.ui import bidi, fonts
from garabench.virtual.ui.fonts import Typeface
from garabench.virtual.ui.text_runs import CharacterAdvances, TextRun, character_advances, visual_runs

ASCENT = 1.02
DESCENT = 0.28
"""Descent of a line in em, common to most scripts, so that rows of mixed text share baseline and height."""
_TALL = {Typeface.ARABIC: (1.1, 0.48), Typeface.DEVANAGARI: (1.1, 0.42), Typeface.THAI: (1.15, 0.4)}
"""Ascent and descent of taller faces, for which Android (since 9) makes lines higher, too."""

ELLIPSIS = "…"
NOT_AT_START = frozenset("，。！？、；：）》」』】〉〕’”…％·～,.!?;:)]}%")
NOT_AT_END = frozenset("（《「『【〈〔‘“([{¥￥$")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text and its width in pixels."""

    text: str
    width: int
    start: int = 0
    """Its offset in the whole text."""
    runs: tuple[TextRun, ...] = ()
    """Its runs in visual order; empty for plain left-to-right text."""
    rtl: bool = False
    """Whether its paragraph is right-to-left."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text broken into lines.

    Attributes:
        size: Pixels per em.
        line_height: Distance of baselines, in pixels.
        width: Width of the widest line.
        ellipsized: Whether text was cut off.
        ascent, descent: Ascent and descent of each line, in em.
    """

    lines: tuple[TextLine, ...]
    size: int
    bold: bool
    line_height: int
    width: int
    ellipsized: bool = False
    ascent: float = ASCENT
    descent: float = DESCENT

    @property
    def height(self) -> int:
        """Total height, in pixels."""
        return self.line_height * len(self.lines)

    @property
    def baseline(self) -> int:
        """Distance from the top of a line to its baseline, in pixels."""
        natural = round((self.ascent + self.descent) * self.size)
        return round(self.ascent * self.size) + (self.line_height - natural) // 2


@functools.lru_cache(maxsize=16384)
def advance(char: str, size: int, bold: bool) -> float:
    """Return the advance of one character, in pixels."""
    if char == "\t":
        return 4 * advance(" ", size, bold)
    if char < " ":
        return 0.0
    if fonts.is_latin(char):
        return fonts.latin(size, bold).getlength(char)
    return fonts.chinese(size).getlength(char)


def width_of(text: str, size: int, bold: bool = False) -> int:
    """Return the width of a single line in whole pixels, rounded up."""
    return _line(text, size, bold, 0, _base(text)).width


def _base(paragraph: str) -> int:
    return bidi.base_level(paragraph) if fonts.needs_shaping(paragraph) else 0


def _line(text: str, size: int, bold: bool, start: int, base: int) -> TextLine:
    """Measure a line; `base` is 1 in a right-to-left paragraph."""
    if not base and not fonts.needs_shaping(text):
        return TextLine(text, _ceil(sum([advance(char, size, bold) for char in text])), start)
    runs = visual_runs(text, size, bold, base, lambda char: advance(char, size, bold))
    width = max((run.x + run.width for run in runs), default=0.0)
    return TextLine(text, _ceil(width), start, runs, base == 1)


def _advances(text: str, size: int, bold: bool, base: int) -> CharacterAdvances:
    if not base and not fonts.needs_shaping(text):
        return CharacterAdvances(tuple([advance(char, size, bold) for char in text]), frozenset())
    return character_advances(text, size, bold, base, lambda char: advance(char, size, bold))


@functools.lru_cache(maxsize=4096)
def lay_out_text(
    text: str, size: int, bold: bool, max_width: int | None, max_lines: int = 0, spacing: float = 1.0
) -> TextLayout:
    """Break a text into lines.

    Args:
        text: The text; newlines always break.
        size: Pixels per em.
        bold: Heavier weight.
        max_width: Maximum width of a line in pixels; None for unlimited.
        max_lines: Maximum number of lines, 0 for unlimited; the last one is ellipsized if there is more.
        spacing: Line spacing multiplier.
    """
    lines: list[TextLine] = []
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
) -> TextLine:
    """Cut a line so that it fits with an ellipsis; `force` adds one even if it would fit.

    `rtl` is the direction of its paragraph; None derives it from the text.
    """
    base = _base(text) if rtl is None else int(rtl)
    whole = _line(text, size, bold, start, base)
    if max_width is None or (not force and whole.width <= max_width):
        return _line(text + ELLIPSIS, size, bold, start, base) if force else whole
    available = max_width - advance(ELLIPSIS, size, bold)
    pen, count = 0.0, 0
    for step in _advances(text, size, bold, base).of:
        pen += step
        if pen > available:
            break
        count += 1
    line = _line(text[:count].rstrip() + ELLIPSIS, size, bold, start, base)
    return replace(line, width=min(max_width, line.width))


def _lines(text: str, size: int, bold: bool, max_width: int | None) -> Iterator[TextLine]:
    start = 0
    for paragraph in text.split("\n"):
        base = _base(paragraph)
        if max_width is None:
            yield _line(paragraph, size, bold, start, base)
        else:
            moves = _advances(paragraph, size, bold, base)
            begin = 0
            while True:
                end = _line_end(paragraph, moves, begin, max_width)
                line = _line(paragraph[begin:end].rstrip(" "), size, bold, start + begin, base)
                for less in range(end - 1, begin, -1) if line.runs and line.width > max_width else ():
                    if less in moves.glued:
                        continue
                    end = less  # characters take wider forms where a word is broken
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


def _line_end(text: str, moves: CharacterAdvances, begin: int, max_width: int) -> int:
    """Return the end of a line that starts at an offset: as late as it fits, between words if possible."""
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

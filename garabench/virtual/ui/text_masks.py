"""Drawing of laid-out text as masks; see `garabench.virtual.ui.text_layout`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PIL import Image, ImageDraw

from garabench.virtual.ui import bidi, fonts, shaping
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.image_cache import MIB, cache_images
from garabench.virtual.ui.text_layout import TextLayout, TextLine, advance
from garabench.virtual.ui.text_runs import TextRun


@dataclass(frozen=True, slots=True)
class TextMask:
    """Text of one colour: its coverage, and the offset from the line's top left corner."""

    mask: Image.Image
    color: str
    x: int
    y: int


def line_masks(
    line: TextLine, lines: TextLayout, color: str, colors: Mapping[int, str]
) -> Iterator[TextMask]:
    """Draw a line.

    Args:
        line: One of `lines`.
        lines: The layout, with size, weight and baseline.
        color: Default colour.
        colors: Colours of characters by offset in the whole text.
    """
    pad = lines.size // 3 + 1
    top = lines.baseline - lines.size - pad
    if not line.runs:
        for letters, tint, x, width, latin in _simple(line, lines, color, colors):
            if letters.strip():
                mask = _run_mask(letters, lines.size, lines.bold, latin, int(width) + 2 * pad, pad)
                yield TextMask(mask, tint, round(x) - pad, top)
        return
    for run in line.runs:
        if run.face.is_shaped:
            for first, last, tint in _tints(run, line.start, color, colors):
                if run.text[first:last].strip():
                    mask = shaping.text_mask(
                        run.text, run.face, lines.size, lines.bold, run.rtl, (first, last), pad
                    )
                    yield TextMask(mask, tint, round(run.x) - pad, top)
        else:
            yield from _visual_text(run, line, lines, color, colors, pad, top)


def span_colors(widget: w.Text) -> dict[int, str]:
    """Return the colours of the characters in spans."""
    colors: dict[int, str] = {}
    for part, color in widget.spans:
        at = widget.text.find(part) if part else -1
        while at >= 0:
            colors.update(dict.fromkeys(range(at, at + len(part)), color))
            at = widget.text.find(part, at + len(part))
    return colors


def _simple(
    line: TextLine, lines: TextLayout, color: str, colors: Mapping[int, str]
) -> Iterator[tuple[str, str, float, float, bool]]:
    """Yield the runs of a plain line: text, colour, position, width, whether Latin."""
    text, pen, index = line.text, 0.0, 0
    while index < len(text):
        end = index + 1
        latin, tint = fonts.is_latin(text[index]), colors.get(line.start + index, color)
        while (
            end < len(text)
            and fonts.is_latin(text[end]) == latin
            and colors.get(line.start + end, color) == tint
        ):
            end += 1
        run = text[index:end]
        width = sum([advance(char, lines.size, lines.bold) for char in run])
        yield run, tint, pen, width, latin
        pen += width
        index = end


def _tints(run: TextRun, start: int, color: str, colors: Mapping[int, str]) -> Iterator[tuple[int, int, str]]:
    """Yield the parts of a run of one colour, as (begin, end, colour)."""
    begin = 0
    for index in range(1, len(run.text) + 1):
        tint = colors.get(start + run.start + begin, color)
        if index == len(run.text) or colors.get(start + run.start + index, color) != tint:
            yield begin, index, tint
            begin = index


def _visual_text(
    run: TextRun, line: TextLine, lines: TextLayout, color: str, colors: Mapping[int, str], pad: int, top: int
) -> Iterator[TextMask]:
    """Yield the text of an unshaped run, reversed and mirrored if right-to-left."""
    parts = list(_tints(run, line.start, color, colors))
    pen = run.x
    for first, last, tint in reversed(parts) if run.rtl else parts:
        letters = "".join(char for char in run.text[first:last] if fonts.has_width(char))
        if run.rtl:
            letters = "".join(bidi.MIRRORED.get(char, char) for char in reversed(letters))
        width = sum([advance(char, lines.size, lines.bold) for char in letters])
        if letters.strip():
            latin = run.face is fonts.Typeface.LATIN
            mask = _run_mask(letters, lines.size, lines.bold, latin, int(width) + 2 * pad, pad)
            yield TextMask(mask, tint, round(pen) - pad, top)
        pen += width


@cache_images(8 * MIB)
def _run_mask(run: str, size: int, bold: bool, latin: bool, width: int, pad: int) -> Image.Image:
    """Return the coverage of a run of one script; the baseline is `size + pad` below the top."""
    mask = Image.new("L", (max(1, width), round(size * 1.6) + 2 * pad), 0)
    face = fonts.latin(size, bold) if latin else fonts.chinese(size)
    stroke = max(1, round(size * fonts.CJK_BOLD_STROKE)) if bold and not latin else 0
    pen = ImageDraw.Draw(mask)
    if latin:
        pen.text((pad, size + pad), run, fill=255, font=face, anchor="ls")
        return mask
    x = float(pad)
    for char in run:
        pen.text((x, size + pad), char, fill=255, font=face, anchor="ls", stroke_width=stroke)
        x += advance(char, size, bold)
    return mask

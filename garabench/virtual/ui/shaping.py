"""Glyphs that depend on their neighbours: joined, stacked and combined letters, set by HarfBuzz.

HarfBuzz shapes and draws by itself, so that the picture is the same on every machine. (Pillow's own way of
shaping looks for FriBiDi on the system, and sets letters singly where there is none.)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from PIL import Image

from garabench.virtual.ui.fonts import BOLD_WEIGHT, REGULAR_WEIGHT, Face, file_of

_UNIT = 64
"""Parts of a pixel in which HarfBuzz counts."""
_THICKER = 0.03
"""What the outlines of a face without weights gain where they are bold, in em."""
_SHRUNK = {Face.EMOJI: 0.88}
"""Emoji are drawn for squares of 1.27 em; Android's take 1.17."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph of a run: its number in the face, the letter it begins with, and its place in 1/64 pixel."""

    number: int
    cluster: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Shaped:
    """A run's glyphs, from the left.

    Attributes:
        steps: How far each letter of the text moves the pen, in pixels; what is one with the letter before it
            has 0 and is in `glued`.
        width: Of all, in pixels.
    """

    glyphs: tuple[Glyph, ...]
    steps: tuple[float, ...]
    glued: frozenset[int]
    width: float


@functools.lru_cache(maxsize=8)
def _face(face: Face) -> Any:
    import uharfbuzz as hb  # 5 MB of library, loaded when the first such letter is drawn

    return hb.Face(hb.Blob.from_file_path(str(file_of(face))))


@functools.lru_cache(maxsize=64)
def _font(face: Face, size: int, bold: bool) -> Any:
    import uharfbuzz as hb

    source = _face(face)
    font = hb.Font(source)
    scale = round(size * _UNIT * _SHRUNK.get(face, 1.0))
    font.scale = (scale, scale)
    if any(axis.tag == "wght" for axis in source.axis_infos):
        font.set_variations({"wght": BOLD_WEIGHT if bold else REGULAR_WEIGHT})
    elif bold:
        font.synthetic_bold = (_THICKER, _THICKER, True)
    return font


@functools.lru_cache(maxsize=4096)
def shape(text: str, face: Face, size: int, bold: bool, rtl: bool) -> Shaped:
    """Set a run of one face and one direction.

    Args:
        text: In the order in which it is read.
        face: One of those that are shaped.
        size: Pixels per em.
        bold: Heavier weight.
        rtl: Whether it is read from the right.
    """
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.add_codepoints([ord(letter) for letter in text])
    buffer.direction = "rtl" if rtl else "ltr"
    buffer.guess_segment_properties()
    hb.shape(_font(face, size, bold), buffer)
    glyphs: list[Glyph] = []
    steps = [0.0] * len(text)
    starts: set[int] = set()
    pen = 0
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyphs.append(Glyph(info.codepoint, info.cluster, pen + position.x_offset, position.y_offset))
        steps[info.cluster] += position.x_advance / _UNIT
        starts.add(info.cluster)
        pen += position.x_advance
    return Shaped(tuple(glyphs), tuple(steps), frozenset(range(len(text))) - starts - {0}, pen / _UNIT)


@functools.lru_cache(maxsize=1024)
def mask(
    text: str, face: Face, size: int, bold: bool, rtl: bool, letters: tuple[int, int], pad: int
) -> Image.Image:
    """Coverage of a run's letters from `letters[0]` up to `letters[1]`, in mode L.

    Its baseline lies `size + pad` below the top, and the run begins `pad` from the left, whichever are drawn.
    """
    import uharfbuzz as hb

    run = shape(text, face, size, bold, rtl)
    font = _font(face, size, bold)
    height = round(size * 1.6) + 2 * pad
    raster = hb.RasterDraw()
    raster.scale_factor = (_UNIT, _UNIT)
    raster.extents = hb.RasterExtents(
        x_origin=-pad,
        y_origin=size + pad - height,
        width=max(1, int(run.width) + 1 + 2 * pad),
        height=height,
        stride=0,
    )
    for glyph in run.glyphs:
        if letters[0] <= glyph.cluster < letters[1]:
            raster.transform = (1, 0, 0, 1, glyph.x, glyph.y)
            raster.draw_glyph(font, glyph.number)
    drawn = raster.render()
    at = drawn.extents
    return Image.frombytes("L", (at.width, at.height), drawn.buffer, "raw", "L", at.stride, -1)

"""Text shaping by HarfBuzz, for scripts whose glyphs join, stack or combine.

HarfBuzz both shapes and draws, so that the image is the same on every machine. (Pillow's own
shaping depends on FriBiDi on the system, and falls back to unshaped text without it.)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from PIL import Image

from garabench.virtual.ui.fonts import BOLD_WEIGHT, REGULAR_WEIGHT, Typeface, file_of
from garabench.virtual.ui.image_cache import MIB, cache_images

_UNIT = 64
"""HarfBuzz units per pixel."""
_EMBOLDEN = 0.03
"""Emboldening of a face without a weight axis, in em."""
_EMOJI_SCALE = {Typeface.EMOJI: 0.88}
"""Scale of emoji: their glyphs fill 1.27 em, Android's 1.17 em."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph of a run: glyph id, index of its first character, and position in 1/64 pixel."""

    glyph_id: int
    cluster: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class ShapedRun:
    """A run's glyphs, from the left.

    Attributes:
        advances: Advance of each character in pixels; a character that is one with the previous one
            has 0 and is in `glued`.
        width: Total width, in pixels.
    """

    glyphs: tuple[Glyph, ...]
    advances: tuple[float, ...]
    glued: frozenset[int]
    width: float


@functools.lru_cache(maxsize=8)
def _face(face: Typeface) -> Any:
    import uharfbuzz as hb  # a 5 MB library, loaded on first use

    return hb.Face(hb.Blob.from_file_path(str(file_of(face))))


@functools.lru_cache(maxsize=64)
def _font(face: Typeface, size: int, bold: bool) -> Any:
    import uharfbuzz as hb

    source = _face(face)
    font = hb.Font(source)
    scale = round(size * _UNIT * _EMOJI_SCALE.get(face, 1.0))
    font.scale = (scale, scale)
    if any(axis.tag == "wght" for axis in source.axis_infos):
        font.set_variations({"wght": BOLD_WEIGHT if bold else REGULAR_WEIGHT})
    elif bold:
        font.synthetic_bold = (_EMBOLDEN, _EMBOLDEN, True)
    return font


@functools.lru_cache(maxsize=4096)
def shape(text: str, face: Typeface, size: int, bold: bool, rtl: bool) -> ShapedRun:
    """Shape a run of one face and one direction.

    Args:
        text: Text in logical order.
        face: A shaped face.
        size: Pixels per em.
        bold: Heavier weight.
        rtl: Whether it is right-to-left.
    """
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.add_codepoints([ord(char) for char in text])
    buffer.direction = "rtl" if rtl else "ltr"
    buffer.guess_segment_properties()
    hb.shape(_font(face, size, bold), buffer)
    glyphs: list[Glyph] = []
    advances = [0.0] * len(text)
    starts: set[int] = set()
    pen = 0
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyphs.append(Glyph(info.codepoint, info.cluster, pen + position.x_offset, position.y_offset))
        advances[info.cluster] += position.x_advance / _UNIT
        starts.add(info.cluster)
        pen += position.x_advance
    return ShapedRun(tuple(glyphs), tuple(advances), frozenset(range(len(text))) - starts - {0}, pen / _UNIT)


@cache_images(2 * MIB)
def text_mask(
    text: str, face: Typeface, size: int, bold: bool, rtl: bool, letters: tuple[int, int], pad: int
) -> Image.Image:
    """Return the coverage of a run's characters from `letters[0]` up to `letters[1]`, in mode L.

    The baseline is `size + pad` below the top, and the run starts `pad` from the left in any case.
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
            raster.draw_glyph(font, glyph.glyph_id)
    drawn = raster.render()
    at = drawn.extents
    return Image.frombytes("L", (at.width, at.height), drawn.buffer, "raw", "L", at.stride, -1)

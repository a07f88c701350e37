"""The phone's typefaces: Roboto for Latin, Greek and Cyrillic, Noto Sans SC for everything else.

The files come from font packages; they are found without importing them and opened when first needed.
Both have no bold companion that fits: Roboto is a variable font and gets its weight by the axis, Noto Sans SC
is static and is thickened by a thin stroke, as Android itself does for missing weights.
"""

from __future__ import annotations

import functools
import importlib.util
from bisect import bisect_right
from pathlib import Path

from PIL import ImageFont

REGULAR_WEIGHT = 400
BOLD_WEIGHT = 650
WIDTH_AXIS = 100
CJK_BOLD_STROKE = 0.018
"""Width of the stroke that thickens Chinese glyphs, in em."""

_ROBOTO_RANGES = (
    (0x0000, 0x024F), (0x02BC, 0x02BC), (0x02C6, 0x02DD), (0x0300, 0x0303), (0x0370, 0x03FF),
    (0x0400, 0x0527), (0x1E00, 0x1EF9), (0x2000, 0x2027), (0x202F, 0x203A), (0x203C, 0x203C),
    (0x2044, 0x2044), (0x2074, 0x2074), (0x20A0, 0x20BF), (0x2105, 0x2105), (0x2113, 0x2113),
    (0x2122, 0x2122), (0x2126, 0x2126), (0x212E, 0x212E),
)  # fmt: skip
_STARTS = [start for start, _ in _ROBOTO_RANGES]

FreeTypeFont = ImageFont.FreeTypeFont


class FontMissing(RuntimeError):
    """A font package is not installed, though the project depends on it."""


def package_file(package: str, *parts: str) -> Path:
    """Find a data file of an installed package without importing the package.

    Raises:
        FontMissing: The package or the file is not there.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FontMissing(f"the package {package} is not installed")
    path = Path(spec.submodule_search_locations[0]).joinpath(*parts)
    if not path.is_file():
        raise FontMissing(f"{path} is missing")
    return path


def is_latin(char: str) -> bool:
    """Whether the Latin face has this character; the rest is drawn with the Chinese one."""
    code = ord(char)
    if code < 0x250:
        return True
    place = bisect_right(_STARTS, code) - 1
    return _ROBOTO_RANGES[place][0] <= code <= _ROBOTO_RANGES[place][1]


@functools.cache
def _data(package: str, *parts: str) -> Path:
    return package_file(package, *parts)


@functools.lru_cache(maxsize=128)
def latin(size: int, bold: bool = False) -> FreeTypeFont:
    """Roboto at that many pixels per em."""
    face = ImageFont.truetype(
        str(_data("fontpkg_roboto", "files", "Roboto[wdth,wght].ttf")),
        size,
        layout_engine=ImageFont.Layout.BASIC,
    )
    face.set_variation_by_axes([BOLD_WEIGHT if bold else REGULAR_WEIGHT, WIDTH_AXIS])
    return face


@functools.lru_cache(maxsize=64)
def chinese(size: int) -> FreeTypeFont:
    """Noto Sans SC at that many pixels per em."""
    return ImageFont.truetype(
        str(_data("pylopdf_fonts_zh_cn", "NotoSansSC-Regular.otf")),
        size,
        layout_engine=ImageFont.Layout.BASIC,
    )


@functools.lru_cache(maxsize=64)
def symbols(size: int) -> FreeTypeFont:
    """Material Design Icons at that many pixels per em."""
    return ImageFont.truetype(
        str(_data("fonticon_mdi7", "fonts", "materialdesignicons-webfont.ttf")),
        size,
        layout_engine=ImageFont.Layout.BASIC,
    )

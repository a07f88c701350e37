"""The phone's typefaces: Roboto for Latin, Greek and Cyrillic, Noto Sans SC for Chinese and as the fallback.

Complex scripts (Arabic, Hebrew, Thai, Devanagari), Hangul and emoji have separate faces,
which `garabench.virtual.ui.shaping` draws. The files come from font packages, found without importing them,
and from the directory ``faces`` next to this module; each is opened on first use. Variable fonts
get their weight from the axis; static ones are emboldened by a thin stroke, as Android does for
missing weights.
"""

from __future__ import annotations

import enum
import functools
import importlib.util
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from pathlib import Path

from PIL import ImageFont

REGULAR_WEIGHT = 400
BOLD_WEIGHT = 650
WIDTH_AXIS = 100
CJK_BOLD_STROKE = 0.018
"""Width of the stroke that emboldens Chinese glyphs, in em."""

_ROBOTO_RANGES = (
    (0x0000, 0x024F), (0x02BC, 0x02BC), (0x02C6, 0x02DD), (0x0300, 0x0303), (0x0370, 0x03FF),
    (0x0400, 0x0527), (0x1E00, 0x1EF9), (0x2000, 0x2027), (0x202F, 0x203A), (0x203C, 0x203C),
    (0x2044, 0x2044), (0x2074, 0x2074), (0x20A0, 0x20BF), (0x2105, 0x2105), (0x2113, 0x2113),
    (0x2122, 0x2122), (0x2126, 0x2126), (0x212E, 0x212E),
)  # fmt: skip
_STARTS = [start for start, _ in _ROBOTO_RANGES]

FreeTypeFont = ImageFont.FreeTypeFont

_NOT_SHOWN = frozenset({"Cf", "Zl", "Zp"})
_SYMBOLS = (
    "\u2139\u21a9-\u21aa\u231a-\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u25fb-\u25fe\u2604\u2611"
    "\u2614-\u2615\u2618\u2620\u2622-\u2623\u2626\u262a\u262e\u2638-\u263a\u2648-\u2653\u265f"
    "\u267e-\u267f\u2692-\u2697\u2699\u269b-\u269c\u26a1\u26a7\u26aa-\u26ab\u26b0-\u26b1\u26c4-\u26c5"
    "\u26c8\u26ce-\u26cf\u26d1\u26d3-\u26d4\u26e9-\u26ea\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2705"
    "\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728\u2733-\u2734\u2744\u2747\u274c\u274e"
    "\u2753-\u2755\u2757\u2763-\u2764\u2795-\u2797\u27b0\u27bf\u2b1b-\u2b1c\u2b50\u2b55"
)
"""Emoji that are not in the Chinese face."""
_JOINED = re.compile(
    # Hebrew to Arabic Extended, Devanagari, Thai, Jamo, marks of direction and joiners, Hangul, presentation
    # forms, variation selectors, and the supplementary planes.
    "[\u0590-\u08ff\u0900-\u097f\u0e00-\u0e7f\u1100-\u11ff\u1cd0-\u1cff\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u20e3\u3131-\u318e\ua8e0-\ua8ff\uac00-\ud7ff\ufb1d-\ufdff\ufe00-\ufe0f\ufe70-\ufeff"
    f"{_SYMBOLS}\U00010800-\U000e01ef]"
)
_SYMBOL = re.compile(f"[{_SYMBOLS}]")
_PACKAGES: Mapping[str, tuple[str, ...]] = {
    "arabic": ("fontpkg_noto_sans_arabic", "files", "NotoSansArabic[wdth,wght].ttf"),
    "hebrew": ("pylopdf_fonts_he", "NotoSansHebrew-Variable.ttf"),
    "thai": ("fontpkg_noto_sans_thai", "files", "NotoSansThai[wdth,wght].ttf"),
    "devanagari": ("fontpkg_noto_sans_devanagari", "files", "NotoSansDevanagari[wdth,wght].ttf"),
    "hangul": ("garabench", "virtual", "ui", "faces", "NotoSansKR-Hangul.otf"),
    "emoji": ("garabench", "virtual", "ui", "faces", "NotoEmoji-Regular.ttf"),
}
_BLOCKS = (
    (0x0590, 0x05FF, "hebrew"), (0x0600, 0x08FF, "arabic"), (0x0900, 0x097F, "devanagari"),
    (0x0E00, 0x0E7F, "thai"), (0x1CD0, 0x1CFF, "devanagari"), (0x3131, 0x318E, "hangul"),
    (0xA8E0, 0xA8FF, "devanagari"), (0xAC00, 0xD7A3, "hangul"), (0xFB1D, 0xFB4F, "hebrew"),
    (0xFB50, 0xFDFF, "arabic"), (0xFE70, 0xFEFC, "arabic"), (0x1F000, 0x1F0FF, "emoji"),
    (0x1F1E6, 0x1F1FF, "emoji"), (0x1F300, 0x1FAFF, "emoji"),
    (0xE0020, 0xE007F, "emoji"),
)  # fmt: skip


class Typeface(enum.StrEnum):
    """A typeface."""

    LATIN = "latin"
    CHINESE = "chinese"
    ARABIC = "arabic"
    HEBREW = "hebrew"
    THAI = "thai"
    DEVANAGARI = "devanagari"
    HANGUL = "hangul"
    EMOJI = "emoji"

    @property
    def is_shaped(self) -> bool:
        """Whether it needs shaping; other faces are set character by character."""
        return self is not Typeface.LATIN and self is not Typeface.CHINESE


class FontNotFoundError(RuntimeError):
    """A font package is not installed, though the project depends on it."""


def package_file(package: str, *parts: str) -> Path:
    """Find a data file of an installed package without importing the package.

    Raises:
        FontNotFoundError: The package or the file is missing.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FontNotFoundError(f"the package {package} is not installed")
    path = Path(spec.submodule_search_locations[0]).joinpath(*parts)
    if not path.is_file():
        raise FontNotFoundError(f"{path} is missing")
    return path


def is_latin(char: str) -> bool:
    """Return whether the Latin face has this character; others are drawn with the Chinese one."""
    code = ord(char)
    if code < 0x250:
        return True
    index = bisect_right(_STARTS, code) - 1
    return _ROBOTO_RANGES[index][0] <= code <= _ROBOTO_RANGES[index][1]


def needs_shaping(text: str) -> bool:
    """Return whether a text may contain characters that need shaping or reordering."""
    return _JOINED.search(text) is not None


def has_width(char: str) -> bool:
    """Return whether a character has a width: direction marks and joiners do not."""
    return unicodedata.category(char) not in _NOT_SHOWN and not "\ufe00" <= char <= "\ufe0f"


@functools.lru_cache(maxsize=4096)
def face_of(char: str, picture: bool = False) -> Typeface:
    """Choose the face for a character.

    Args:
        char: One character.
        picture: Whether a variation selector requests its emoji form.
    """
    code = ord(char)
    if picture and code in coverage(Typeface.EMOJI):
        return Typeface.EMOJI
    for start, end, name in _BLOCKS:
        if start <= code <= end:
            return Typeface(name)
    if is_latin(char):
        return Typeface.LATIN
    return Typeface.EMOJI if _SYMBOL.match(char) else Typeface.CHINESE


def file_of(face: Typeface) -> Path:
    """Return the font file of a shaped face.

    Raises:
        FontNotFoundError: Its package is not installed.
    """
    return _data(*_PACKAGES[face.value])


@functools.cache
def coverage(face: Typeface) -> frozenset[int]:
    """Return the code points of a shaped face."""
    import uharfbuzz  # a 5 MB library, loaded on first use

    return frozenset(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(file_of(face)))).unicodes)


@functools.cache
def _data(package: str, *parts: str) -> Path:
    return package_file(package, *parts)


@functools.lru_cache(maxsize=32)
def latin(size: int, bold: bool = False) -> FreeTypeFont:
    """Roboto at a size in pixels per em."""
    face = ImageFont.truetype(
        str(_data("fontpkg_roboto", "files", "Roboto[wdth,wght].ttf")),
        size,
        layout_engine=ImageFont.Layout.BASIC,
    )
    face.set_variation_by_axes([BOLD_WEIGHT if bold else REGULAR_WEIGHT, WIDTH_AXIS])
    return face


@functools.lru_cache(maxsize=8)
def chinese(size: int) -> FreeTypeFont:
    """Noto Sans SC at a size in pixels per em.

    Each open size holds 0.6 MB and maps 3 MB of the file; opening takes half a millisecond.
    """
    return ImageFont.truetype(
        str(_data("pylopdf_fonts_zh_cn", "NotoSansSC-Regular.otf")),
        size,
        layout_engine=ImageFont.Layout.BASIC,
    )


@functools.lru_cache(maxsize=12)
def symbols(size: int) -> FreeTypeFont:
    """Material Design Icons at a size in pixels per em."""
    return ImageFont.truetype(
        str(_data("fonticon_mdi7", "fonts", "materialdesignicons-webfont.ttf")),
        size,
        layout_engine=ImageFont.Layout.BASIC,
    )

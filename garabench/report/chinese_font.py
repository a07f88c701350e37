"""The Chinese characters of a report as an embedded font, for machines that have none.

A report opens from disk without any other file, and its tasks, screens and reasons may be Chinese. The font
is a subset with the characters of this report alone: some 200 bytes each.
"""

from __future__ import annotations

import base64
import importlib.resources
from collections.abc import Iterable

FONT_FAMILY = "Report Chinese"
"""Its name in style sheets, where the fonts of the system precede it."""
_RANGES = (
    range(0x2E80, 0x2FE0),  # radicals
    range(0x3000, 0x3100),  # punctuation and kana
    range(0x3400, 0xA000),  # ideographs
    range(0xF900, 0xFB00),  # compatibility ideographs
    range(0xFF00, 0xFFF0),  # full-width forms
)


def font_face(texts: Iterable[str]) -> str:
    """Return a style sheet's rule with the font; empty if no text has a Chinese character.

    Args:
        texts: All texts of the report.
    """
    characters = {ord(letter) for letter in set().union(*texts)}
    chinese = {code for code in characters if any(code in each for each in _RANGES)}
    if not chinese:
        return ""
    encoded = base64.b64encode(_subset(chinese)).decode()
    codes = ", ".join(f"U+{each.start:04X}-{each.stop - 1:04X}" for each in _RANGES)
    return (
        f'@font-face {{ font-family: "{FONT_FAMILY}"; unicode-range: {codes};'
        f' src: url("data:font/otf;base64,{encoded}") format("opentype"); }}'
    )


def _subset(characters: Iterable[int]) -> bytes:
    """Return a font with these characters, as far as the virtual phone's Chinese typeface has them."""
    import uharfbuzz  # a 5 MB library, loaded on first use

    file = importlib.resources.files("pylopdf_fonts_zh_cn") / "NotoSansSC-Regular.otf"
    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(characters)
    subset: bytes = uharfbuzz.subset(uharfbuzz.Face(file.read_bytes()), wanted).blob.data
    return subset

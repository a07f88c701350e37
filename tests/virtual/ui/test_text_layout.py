"""Lines of complex scripts: measured as drawn, and the same on every machine."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from PIL import Image, ImageFont

from garabench.virtual.ui import fonts, shaping, text_layout, text_masks
from garabench.virtual.ui.fonts import Typeface
from garabench.virtual.ui.text_layout import TextLayout, lay_out_text, width_of

SIZE = 40
TEXTS = {
    "arabic": "البطارية منخفضة (10%)، شغّل Battery Saver الآن!",
    "hebrew": "שלום עולם (גרסה 2.5) — version!",
    "thai": "ที่นี่เครื่องของคุณ",
    "devanagari": "नमस्ते क्षत्रिय हिन्दी",
    "korean": "안녕하세요 한국어",
    "kana": "ひらがな カタカナ",
    "cyrillic and greek": "Русский Ελληνικά",
    "emoji": "😀 👨‍👩‍👧 🇨🇳 ❤️ 👍🏽 ☀️ 1️⃣ 🎁",
    "mixed": "电池 10% שלום नमस्ते 안녕 😀 Ελ",
}


def ink_by_color(layout: TextLayout, colors: dict[int, str] | None = None) -> dict[str, Image.Image]:
    """Return the ink of a layout by colour, with a margin of 60 pixels."""
    images: dict[str, Image.Image] = {}
    y = 60
    for line in layout.lines:
        for stroke in text_masks.line_masks(line, layout, "ink", colors or {}):
            blank = Image.new("L", (layout.width + 120, layout.height + 120), 0)
            blank.paste(stroke.mask, (60 + stroke.x, y + stroke.y))
            image = images.setdefault(stroke.color, Image.new("L", blank.size, 0))
            image.paste(255, (0, 0), blank)
        y += layout.line_height
    return images


def laid(text: str, max_width: int | None = None, bold: bool = False, max_lines: int = 0) -> TextLayout:
    return lay_out_text(text, SIZE, bold, max_width, max_lines)


def forget() -> None:
    """Clear the caches of faces and letters."""
    for cached in (
        fonts.latin, fonts.chinese, text_layout.advance, text_layout.lay_out_text,
        shaping.shape, shaping.text_mask, shaping._font, text_masks._run_mask,
    ):  # fmt: skip
        cached.cache_clear()


@pytest.fixture
def restored_caches() -> Iterator[None]:
    yield
    forget()


@pytest.mark.usefixtures("restored_caches")
def test_rendering_does_not_depend_on_fribidi(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    for has in (True, False):
        monkeypatch.setattr(ImageFont.core, "HAVE_RAQM", has)
        forget()
        drawn.append([ink_by_color(laid(text))["ink"].tobytes() for text in TEXTS.values()])
        assert fonts.latin(SIZE).layout_engine is fonts.chinese(SIZE).layout_engine is ImageFont.Layout.BASIC
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_line_is_as_wide_and_as_high_as_it_is_drawn(text: str, bold: bool) -> None:
    layout = laid(text, bold=bold)
    box = ink_by_color(layout)["ink"].getbbox()
    assert box is not None
    assert 60 - 4 <= box[0] <= 60 + 12
    assert layout.width - 14 <= box[2] - 60 <= layout.width + 4
    assert 60 <= box[1] <= box[3] <= 60 + layout.line_height


@pytest.mark.parametrize("max_width", [1, 60, 120, 200, 333])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_line_breaks_fit_and_lose_no_text(text: str, max_width: int) -> None:
    layout = laid(text, max_width)
    assert layout.width <= max_width or max_width < 120
    assert "".join(line.text for line in layout.lines).replace(" ", "") == text.replace(" ", "")
    cut = laid(text, max_width, max_lines=1)
    assert cut.width <= max_width or max_width < 120
    assert cut.ellipsized == (len(layout.lines) > 1)


def test_arabic_letters_join_and_marks_have_no_width() -> None:
    assert width_of("سلام", SIZE) < sum(width_of(char, SIZE) for char in "سلام") - 10
    assert width_of("لا", SIZE) < width_of("ل ا", SIZE) - width_of(" ", SIZE)
    assert width_of("شغل", SIZE) == width_of("شغّل", SIZE)
    assert width_of("ที", SIZE) == width_of("ที่", SIZE)


def test_clusters_are_not_broken() -> None:
    for text in ("👨‍👩‍👧" * 5, "क्षत्रिय" * 3, "ที่" * 9):
        lines = [line.text for line in laid(text, 130).lines]
        assert len(lines) > 1
        assert all(fonts.has_width(line[0]) for line in lines)
        assert not any(unicodedata.category(line[0]).startswith("M") for line in lines)


def test_arabic_is_right_aligned() -> None:
    line = laid("اب cd").lines[0]
    assert line.rtl
    assert [(run.text, run.rtl) for run in line.runs] == [("cd", False), ("اب ", True)]
    signs = laid("א (b)").lines[0]
    assert [run.text for run in signs.runs] == ["b", "(", " ", "א"] or signs.rtl


def test_spans_have_their_colour_within_joined_letters() -> None:
    text = "سلام abc"
    plain = ink_by_color(laid(text))["ink"]
    parts = ink_by_color(laid(text), {0: "red", 1: "red", 5: "blue"})
    assert set(parts) == {"ink", "red", "blue"}
    together = Image.new("L", plain.size, 0)
    for part in parts.values():
        together.paste(255, (0, 0), part)
    lit = [sum(1 for value in image.tobytes() if value > 200) for image in (plain, together)]
    assert abs(lit[0] - lit[1]) < 0.05 * lit[0]


def test_lines_are_higher_for_tall_scripts() -> None:
    assert laid("สวัสดี").line_height > laid("Hello").line_height == laid("电池").line_height
    assert laid("안녕 😀 שלום").line_height == laid("Hello").line_height


@pytest.mark.parametrize("text", ["a\u200fb", "a\u200bb", "\u2068ab\u2069", "ab\ufe0f"])
def test_direction_marks_are_invisible(text: str) -> None:
    layout = laid(text)
    assert layout.width == width_of("ab", SIZE)
    assert ink_by_color(layout)["ink"].tobytes() == ink_by_color(laid("ab"))["ink"].tobytes()


def test_an_emoji_sequence_is_one_glyph() -> None:
    one = width_of("😀", SIZE)
    for text in ("👨‍👩‍👧", "🇨🇳", "👍🏽", "❤️", "1️⃣"):
        assert width_of(text, SIZE) == one, text
    assert fonts.face_of("★") is Typeface.CHINESE
    assert fonts.face_of("☀", picture=True) is Typeface.EMOJI

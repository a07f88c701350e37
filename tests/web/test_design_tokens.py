"""The colours of all pages: their contrast in both themes, as WCAG 2.2 computes it."""

from __future__ import annotations

import re

import pytest

from garabench.web.templating import static_text

_TOKEN = re.compile(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);")
TOKENS = {
    name: (light, dark) for name, light, dark in _TOKEN.findall(static_text("garabench.web", "base.css"))
}
TEXT_PAIRS = [
    *((name, ground) for name in ("text", "quiet", "accent") for ground in ("bg", "panel")),
    *((name, f"{name}-bg") for name in ("good", "bad", "warn")),
    ("text", "accent-bg"),
    ("on-accent", "accent"),
]


def luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_texts_and_series_meet_wcag_aa(theme: int) -> None:
    low = {
        pair: round(contrast(TOKENS[pair[0]][theme], TOKENS[pair[1]][theme]), 2)
        for pair in TEXT_PAIRS
        if contrast(TOKENS[pair[0]][theme], TOKENS[pair[1]][theme]) < 4.5
    }
    assert low == {}
    series = [name for name in TOKENS if name.startswith("series-")]
    assert len(series) == 8
    assert [name for name in series if contrast(TOKENS[name][theme], TOKENS["bg"][theme]) < 3] == []


def test_black_on_white_has_the_highest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)

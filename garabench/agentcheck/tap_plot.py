"""Plot the targets and the taps of a check."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from garabench.agentcheck.coordinate_diagnosis import TapPair
from garabench.core.geometry import Size

_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
_MARGIN = 0.12
"""Margin around the screen, as a fraction of its size: taps may miss the screen."""
_PAPER, _SCREEN, _EDGE, _INK = "#F1F3F4", "#FFFFFF", "#5F6368", "#202124"
_HIT, _MISS, _TARGET = "#188038", "#D93025", "#1A73E8"
_MAX_SIDE = 1400


def draw_taps(pairs: Sequence[TapPair], screen: Size, verdict: str) -> bytes:
    """Plot the taps: a ring at each target, a dot where the tap landed, and a line between them.

    Args:
        pairs: The taps.
        screen: Size of the screen.
        verdict: Text below the plot.

    Returns:
        The plot as a PNG.
    """
    scale = min(1.0, _MAX_SIDE / (max(screen.width, screen.height) * (1 + 2 * _MARGIN)))
    left, top = _MARGIN * screen.width, _MARGIN * screen.height
    size = (round(screen.width * (1 + 2 * _MARGIN) * scale), round(screen.height * (1 + 2 * _MARGIN) * scale))
    image = Image.new("RGB", size, _PAPER)
    pen = ImageDraw.Draw(image)
    letters = max(10, round(15 * size[0] / 700))
    font = ImageFont.load_default(size=letters)

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            min(size[0] - 6.0, max(6.0, (x + left) * scale)),
            min(size[1] - 6.0, max(6.0, (y + top) * scale)),
        )

    pen.rectangle((*at(0, 0), *at(screen.width, screen.height)), fill=_SCREEN, outline=_EDGE, width=2)
    for pair in pairs:
        colour = _HIT if pair.hit else _MISS
        target, landed = at(pair.target.x, pair.target.y), at(pair.landed.x, pair.landed.y)
        pen.line((target, landed), fill=colour, width=2)
        pen.ellipse(_box(target, 9), outline=_TARGET, width=2)
        pen.ellipse(_box(landed, 4), fill=colour)
        pen.text((target[0] + 11, target[1] - 9), f"{pair.number}: {pair.error:.0f} px", fill=_INK, font=font)
    pen.text((10, 8), "ring: target   dot: tap   green: hit", fill=_INK, font=font)
    lines = _wrapped(verdict, pen, font, size[0] - 20)
    for number, line in enumerate(reversed(lines), 1):
        pen.text((10, size[1] - number * (letters + 6) - 6), line, fill=_INK, font=font)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _box(at: tuple[float, float], radius: float) -> tuple[float, float, float, float]:
    return at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius


def _wrapped(text: str, pen: ImageDraw.ImageDraw, font: _Font, width: float) -> list[str]:
    lines: list[str] = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and pen.textlength(longer, font=font) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines

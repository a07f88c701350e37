"""Generated images: covers, avatars, products, logos and banners, deterministic by seed."""

from __future__ import annotations

import colorsys
import random

from PIL import Image, ImageDraw, ImageFilter

from garabench.core.seeds import generator
from garabench.virtual.ui import fonts
from garabench.virtual.ui.image_cache import MIB, cache_images
from garabench.virtual.ui.widgets import Canvas, ImageView

_HUES = (0.56, 0.93, 0.08, 0.75, 0.47, 0.03, 0.62, 0.34, 0.88, 0.13)
Rgb = tuple[int, int, int]


def _color(hue: float, saturation: float, value: float) -> Rgb:
    r, g, b = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return round(r * 255), round(g * 255), round(b * 255)


@cache_images(8 * MIB)
def paint(seed: str, kind: str, label: str, width: int, height: int) -> Image.Image:
    """Paint an image.

    Args:
        seed: Determines colours and composition.
        kind: ``cover``, ``avatar``, ``product``, ``logo`` or ``banner``.
        label: Text drawn into it.
        width: Pixels.
        height: Pixels.

    Returns:
        The image, in mode RGB.
    """
    draw = generator(0, "picture", kind, seed)
    hue = draw.choice(_HUES) + draw.uniform(-0.03, 0.03)
    match kind:
        case "avatar":
            image = _avatar(draw, hue, width, height)
        case "product":
            image = _product(draw, hue, width, height)
        case "logo":
            image = _vertical(_color(hue, 0.75, 0.98), _color(hue + 0.03, 0.85, 0.82), width, height)
        case _:
            image = _scene(draw, hue, width, height)
    if label:
        _write(image, label, kind)
    return image


def image_of(widget: ImageView, width: int, height: int) -> Image.Image:
    """Return the image of a widget at a size."""
    if isinstance(widget, Canvas):
        return widget.paint(max(1, width), max(1, height))
    return paint(widget.seed, widget.kind, widget.label, max(1, width), max(1, height))


def _vertical(top: Rgb, bottom: Rgb, width: int, height: int) -> Image.Image:
    strip = Image.new("RGB", (1, 2))
    strip.putpixel((0, 0), top)
    strip.putpixel((0, 1), bottom)
    return strip.resize((width, height), Image.Resampling.BILINEAR)


def _scene(draw: random.Random, hue: float, width: int, height: int) -> Image.Image:
    """Paint a landscape: sky, sun or moon, and rows of hills."""
    night = draw.random() < 0.35
    top = _color(hue, 0.6, 0.35 if night else 0.85)
    image = _vertical(top, _color(hue + 0.08, 0.35, 0.6 if night else 0.98), width, height)
    pen = ImageDraw.Draw(image)
    radius = int(min(width, height) * draw.uniform(0.1, 0.18))
    x, y = int(width * draw.uniform(0.2, 0.8)), int(height * draw.uniform(0.18, 0.4))
    light = (255, 250, 225) if night else _color(0.12, 0.35, 1.0)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=light)
    for layer in range(3):
        base = height * (0.55 + 0.15 * layer)
        points: list[tuple[float, float]] = [(0, height)]
        steps = 6
        for step in range(steps + 1):
            points.append((width * step / steps, base + height * draw.uniform(-0.12, 0.08)))
        points.append((width, height))
        pen.polygon(points, fill=_color(hue + 0.04 * layer, 0.55, (0.55 if night else 0.75) - 0.16 * layer))
    return image


def _avatar(draw: random.Random, hue: float, width: int, height: int) -> Image.Image:
    image = _vertical(_color(hue, 0.35, 0.98), _color(hue + 0.05, 0.5, 0.85), width, height)
    pen = ImageDraw.Draw(image)
    skin, hair = _color(0.07, draw.uniform(0.25, 0.5), 0.95), _color(draw.random(), 0.5, 0.3)
    cx, cy, r = width / 2, height * 0.46, min(width, height) * 0.22
    pen.ellipse((cx - r * 2, height * 0.72, cx + r * 2, height * 1.4), fill=_color(hue + 0.5, 0.6, 0.75))
    pen.ellipse((cx - r * 1.15, cy - r * 1.3, cx + r * 1.15, cy + r), fill=hair)
    pen.ellipse((cx - r, cy - r * 0.85, cx + r, cy + r * 1.15), fill=skin)
    return image


def _product(draw: random.Random, hue: float, width: int, height: int) -> Image.Image:
    """Paint an object on a plain background with a soft shadow."""
    image = Image.new("RGB", (width, height), (247, 247, 248))
    shadow = Image.new("L", (width, height), 0)
    cx, cy, w, h = width / 2, height / 2, width * draw.uniform(0.22, 0.36), height * draw.uniform(0.24, 0.36)
    ImageDraw.Draw(shadow).ellipse((cx - w, cy + h * 0.8, cx + w, cy + h * 1.25), fill=90)
    shadow = shadow.filter(ImageFilter.GaussianBlur(max(1, width // 40)))
    image.paste((120, 120, 130), mask=shadow)
    pen = ImageDraw.Draw(image)
    body, accent = _color(hue, 0.55, 0.85), _color(hue + 0.45, 0.5, 0.95)
    corner = int(min(w, h) * draw.choice((0.12, 0.3, 0.95)))
    pen.rounded_rectangle((cx - w, cy - h, cx + w, cy + h), corner, fill=body)
    inset = min(w, h) * 0.2
    pen.rounded_rectangle(
        (cx - w + inset, cy - h + inset, cx + w - inset, cy + h * draw.uniform(-0.1, 0.6)),
        max(1, corner // 2),
        fill=accent,
    )
    return image


def _write(image: Image.Image, label: str, kind: str) -> None:
    width, height = image.size
    limit = 0.5 if kind == "logo" else 0.2
    size = max(6, int(min(width / max(1, len(label)) * 0.9, height * limit)))
    face = fonts.latin(size, True) if all(map(fonts.is_latin, label)) else fonts.chinese(size)
    position = (width / 2, height * (0.5 if kind in ("logo", "avatar") else 0.82))
    outline = (255, 255, 255) if kind == "logo" else (40, 40, 48)
    ImageDraw.Draw(image).text(
        position,
        label,
        fill=(255, 255, 255),
        font=face,
        anchor="mm",
        stroke_width=size // 16,
        stroke_fill=outline,
    )

"""Rendering of a scene with Pillow: the screenshot that matches the tree.

Each node is drawn only within its visible bounds, so that the screenshot shows a node where the
tree says it is.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from garabench.core.geometry import Rect
from garabench.virtual.ui import artwork, icons, text_masks
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.controls import paint_control
from garabench.virtual.ui.image_cache import MIB, cache_images
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene, px
from garabench.virtual.ui.text_layout import TextLayout, TextLine, lay_out_text

Rgba = tuple[int, int, int, int]
_BLACK = (0, 0, 0)
_SHADOW = 60
_NO_COLORS: Mapping[int, str] = MappingProxyType({})


@functools.lru_cache(maxsize=512)
def parse_color(text: str) -> Rgba:
    """Parse ``#RRGGBB`` or ``#AARRGGBB`` into red, green, blue, alpha.

    Raises:
        ValueError: The colour is malformed.
    """
    digits = text.removeprefix("#")
    if len(digits) not in (6, 8):
        raise ValueError(f"not a colour: {text!r}")
    values = bytes.fromhex(digits)
    if len(values) == 3:
        return values[0], values[1], values[2], 255
    return values[1], values[2], values[3], values[0]


def draw_screen(scene: Scene) -> Image.Image:
    """Render a screen.

    Args:
        scene: The scene; a screen without windows is black.

    Returns:
        The image in mode RGB, of the scene's size.
    """
    image = Image.new("RGB", (scene.size.width, scene.size.height), _BLACK)
    for window in scene.windows:
        if window.dim:
            image = _dim(image, window.split_bounds, _dim_table(round(window.dim * 255)))
        if window.secure:
            ImageDraw.Draw(image).rectangle(_pillow_box(window.bounds), fill=_BLACK)
            continue
        _draw_window(image, window)
    return image


def _dim(image: Image.Image, area: Rect | None, tones: list[int]) -> Image.Image:
    if area is None:
        return image.point(tones)
    box = (area.left, area.top, area.right, area.bottom)
    image.paste(image.crop(box).point(tones), box)
    return image


@functools.lru_cache(maxsize=16)
def _dim_table(mask: int) -> list[int]:
    """Lookup table of black blended over each value, as Pillow does it, for the three channels."""
    tones = []
    for value in range(256):
        blend = value * (255 - mask) + 128
        tones.append((blend + (blend >> 8)) >> 8)
    return tones * 3


def _draw_window(image: Image.Image, window: PlacedWindow) -> None:
    Painter(image).node(window.root, 1.0)


def _pillow_box(rect: Rect) -> tuple[int, int, int, int]:
    """Return a rectangle in Pillow's convention, which includes the last pixels."""
    return rect.left, rect.top, max(rect.left, rect.right - 1), max(rect.top, rect.bottom - 1)


@cache_images(4 * MIB)
def rounded_mask(width: int, height: int, radius: int) -> Image.Image:
    """Return the anti-aliased coverage of a rounded rectangle."""
    scale = 3
    radius = min(radius, width // 2, height // 2)
    mask = Image.new("L", (max(0, width), max(0, height)), 255)
    if radius <= 0:
        return mask
    corner = Image.new("L", (radius * 2 * scale, radius * 2 * scale), 0)
    ImageDraw.Draw(corner).ellipse((0, 0, radius * 2 * scale - 1, radius * 2 * scale - 1), fill=255)
    corner = corner.resize((radius * 2, radius * 2), Image.Resampling.BOX)
    for left, top in ((0, 0), (1, 0), (0, 1), (1, 1)):
        part = corner.crop((left * radius, top * radius, (left + 1) * radius, (top + 1) * radius))
        mask.paste(part, (left * (width - radius), top * (height - radius)))
    return mask


class Painter:
    """Paints nodes onto an image."""

    def __init__(self, image: Image.Image) -> None:
        self._image = image

    def node(self, node: PlacedNode, opacity: float) -> None:
        """Paint a node and its descendants."""
        widget = node.widget
        opacity *= widget.opacity
        if node.visible.is_empty or opacity <= 0:
            return
        if widget.elevation:
            self._shadow(node, opacity)
        if widget.background is not None:
            self._background(node, opacity)
        self._content(node, opacity)
        for child in node.children:
            self.node(child, opacity)
        if widget.border is not None:
            self._border(node, opacity)

    def _paste(
        self, node: PlacedNode, picture: Image.Image | Rgba, mask: Image.Image, at: Rect, opacity: float
    ) -> None:
        """Paste an image (or a colour) through a mask, clipped to the node's visible bounds."""
        seen = at.intersect(node.visible)
        if seen.is_empty:
            return
        box = (seen.left - at.left, seen.top - at.top, seen.right - at.left, seen.bottom - at.top)
        part = mask.crop(box)
        alpha = opacity
        fill: Image.Image | tuple[int, int, int]
        if isinstance(picture, Image.Image):
            fill = picture.crop(box)
        else:
            fill = picture[:3]
            alpha *= picture[3] / 255
        if alpha < 1:
            part = part.point([round(value * alpha) for value in range(256)])
        if isinstance(fill, Image.Image):
            self._image.paste(fill, (seen.left, seen.top), part)
        else:
            self._image.paste(fill, (seen.left, seen.top, seen.right, seen.bottom), part)

    def _rounded(
        self, node: PlacedNode, picture: Image.Image | Rgba, radius: int, rect: Rect, opacity: float
    ) -> None:
        """Paint a rounded rectangle; only its corners need the slow path through a mask."""
        mask = rounded_mask(rect.width, rect.height, radius)
        radius = min(radius, rect.width // 2, rect.height // 2)
        if opacity < 1 or (not isinstance(picture, Image.Image) and picture[3] < 255):
            self._paste(node, picture, mask, rect, opacity)
            return
        left, top, right, bottom = rect.left, rect.top, rect.right, rect.bottom
        for part in (
            Rect(left, top + radius, right, bottom - radius),
            Rect(left + radius, top, right - radius, top + radius),
            Rect(left + radius, bottom - radius, right - radius, bottom),
        ):
            seen = part.intersect(node.visible)
            if seen.is_empty:
                continue
            if isinstance(picture, Image.Image):
                box = (seen.left - left, seen.top - top, seen.right - left, seen.bottom - top)
                self._image.paste(picture.crop(box), (seen.left, seen.top))
            else:
                self._image.paste(picture[:3], _box(seen))
        for x in (left, right - radius):
            for y in (top, bottom - radius):
                seen = Rect(x, y, x + radius, y + radius).intersect(node.visible)
                if seen.is_empty:
                    continue
                box = (seen.left - left, seen.top - top, seen.right - left, seen.bottom - top)
                fill = picture.crop(box) if isinstance(picture, Image.Image) else picture[:3]
                self._image.paste(fill, _box(seen), mask.crop(box))

    def _background(self, node: PlacedNode, opacity: float) -> None:
        widget, rect = node.widget, node.bounds
        background = widget.background
        radius = px(widget.radius, node.density) if widget.radius else 0
        if isinstance(background, str):
            color = parse_color(background)
            if color[3] == 0:
                return
            if not radius and color[3] == 255 and opacity >= 1:
                self._image.paste(color[:3], _box(node.visible))
                return
            self._rounded(node, color, radius, rect, opacity)
        elif background is not None:
            start, end = parse_color(background.start), parse_color(background.end)
            strip = Image.new("RGB", (2, 1) if background.horizontal else (1, 2))
            strip.putpixel((0, 0), start[:3])
            strip.putpixel((1, 0) if background.horizontal else (0, 1), end[:3])
            picture = strip.resize((max(1, rect.width), max(1, rect.height)), Image.Resampling.BILINEAR)
            if start[3] == 255 and end[3] == 255:
                self._rounded(node, picture, radius, rect, opacity)
                return
            mask = rounded_mask(rect.width, rect.height, radius)
            mask = ImageChops.multiply(mask, _fade(start[3], end[3], rect, background.horizontal))
            self._paste(node, picture, mask, rect, opacity)

    def _shadow(self, node: PlacedNode, opacity: float) -> None:
        depth = px(node.widget.elevation, node.density)
        rect = node.bounds
        radius = px(node.widget.radius, node.density) if node.widget.radius else 0
        mask = Image.new("L", (rect.width + 4 * depth, rect.height + 4 * depth), 0)
        mask.paste(_SHADOW, (2 * depth, 2 * depth), rounded_mask(rect.width, rect.height, radius))
        mask = mask.filter(ImageFilter.GaussianBlur(depth))
        left, top = rect.left - 2 * depth, rect.top - 2 * depth + depth // 2
        mask = mask.point([round(value * opacity) for value in range(256)])
        seen = node.visible  # a side clipped by a scrollable casts no shadow beyond the clip
        cut = (
            seen.left - left if seen.left > rect.left else 0,
            seen.top - top if seen.top > rect.top else 0,
            seen.right - left if seen.right < rect.right else mask.width,
            seen.bottom - top if seen.bottom < rect.bottom else mask.height,
        )
        self._image.paste(_BLACK, (left + cut[0], top + cut[1]), mask.crop(cut))

    def _border(self, node: PlacedNode, opacity: float) -> None:
        widget, rect = node.widget, node.bounds
        width = px(widget.border_width, node.density)
        radius = px(widget.radius, node.density) if widget.radius else 0
        outer = rounded_mask(rect.width, rect.height, radius).copy()
        inner_w, inner_h = rect.width - 2 * width, rect.height - 2 * width
        if inner_w > 0 and inner_h > 0:
            outer.paste(0, (width, width), rounded_mask(inner_w, inner_h, max(0, radius - width)))
        self._paste(node, parse_color(widget.border or "#000000"), outer, rect, opacity)

    def _content(self, node: PlacedNode, opacity: float) -> None:
        widget = node.widget
        match widget:
            case w.Text() if node.text_layout is not None:
                self._text(node, node.text_layout, widget, opacity)
            case w.TextField():
                self._field(node, widget, opacity)
            case w.Icon():
                side = max(1, min(node.bounds.width, node.bounds.height, px(widget.size, node.density)))
                center = node.bounds.center
                at = Rect(center.x - side // 2, center.y - side // 2, 0, 0)
                at = Rect(at.left, at.top, at.left + side, at.top + side)
                self._paste(node, parse_color(widget.color), icons.icon_mask(widget.name, side), at, opacity)
            case w.ImageView():
                rect = node.bounds
                if rect.width > 0 and rect.height > 0:
                    radius = px(widget.radius, node.density) if widget.radius else 0
                    picture = artwork.image_of(widget, rect.width, rect.height)
                    self._rounded(node, picture, radius, rect, opacity)
            case w.Toggle() | w.CheckBox() | w.RadioButton() | w.ProgressBar() | w.Slider():
                self._control(node, opacity)

    def _text(self, node: PlacedNode, lines: TextLayout, widget: w.Text, opacity: float) -> None:
        left, top, right, bottom = (
            px(edge, node.density) if edge else 0
            for edge in (widget.padding.left, widget.padding.top, widget.padding.right, widget.padding.bottom)
        )
        rect = node.bounds
        available = rect.width - left - right
        y = rect.top + top
        if isinstance(widget, w.Button):
            y += max(0, (rect.height - top - bottom - lines.height) // 2)
        colors = text_masks.span_colors(widget)
        for line in lines.lines:
            x = rect.left + left + _indent(widget.align, available, line)
            color = widget.color if widget.enabled else "#9E9E9E"
            self._line(node, line, (x, y), lines, color, opacity, colors)
            if widget.strike:
                middle = y + lines.line_height // 2
                bar = Rect(x, middle, x + line.width, middle + max(1, lines.size // 14))
                mask = Image.new("L", (max(1, bar.width), bar.height), 255)
                self._paste(node, parse_color(color), mask, bar, opacity)
            y += lines.line_height

    def _line(
        self,
        node: PlacedNode,
        line: TextLine,
        at: tuple[int, int],
        lines: TextLayout,
        color: str,
        opacity: float,
        colors: Mapping[int, str] = _NO_COLORS,
    ) -> None:
        for stroke in text_masks.line_masks(line, lines, color, colors):
            left, top = at[0] + stroke.x, at[1] + stroke.y
            position = Rect(left, top, left + stroke.mask.width, top + stroke.mask.height)
            self._paste(node, parse_color(stroke.color), stroke.mask, position, opacity)

    def _field(self, node: PlacedNode, widget: w.TextField, opacity: float) -> None:
        left = px(widget.padding.left, node.density) if widget.padding.left else 0
        right = px(widget.padding.right, node.density) if widget.padding.right else 0
        size = px(widget.size * node.font_scale, node.density)
        available = max(1, node.bounds.width - left - right)
        multiline = widget.input_type == "multiline"
        shown = node.text
        lines = lay_out_text(shown, size, False, available, 0 if multiline else 1)
        rect = node.bounds
        top = px(widget.padding.top, node.density) if widget.padding.top else 0
        y = rect.top + top if multiline else rect.top + (rect.height - lines.line_height) // 2
        color = widget.color if widget.text else widget.hint_color
        for line in lines.lines:
            x = rect.left + left + _indent(w.Align.START, available, line)
            self._line(node, line, (x, y), lines, color, opacity)
            y += lines.line_height
        if node.focused:
            x, high = (
                rect.left + left + _cursor(lines.lines[-1], available, bool(widget.text)),
                round(size * 1.2),
            )
            middle = y - lines.line_height // 2
            bar = Rect(x, middle - high // 2, x + max(2, size // 12), middle + high // 2)
            mask = Image.new("L", (bar.width, bar.height), 255)
            self._paste(node, parse_color("#1A73E8"), mask, bar, opacity)

    def _control(self, node: PlacedNode, opacity: float) -> None:
        for mask, color, at in paint_control(node):
            self._paste(node, parse_color(color), mask, at, opacity)
        widget = node.widget
        if isinstance(widget, w.CheckBox | w.RadioButton) and widget.text:
            size = px(widget.size * node.font_scale, node.density)
            lines = lay_out_text(widget.text, size, False, None, 1)
            x = node.bounds.left + px(30, node.density)
            y = node.bounds.top + (node.bounds.height - lines.line_height) // 2
            self._line(node, lines.lines[0], (x, y), lines, "#212121", opacity)


def _box(rect: Rect) -> tuple[int, int, int, int]:
    return rect.left, rect.top, rect.right, rect.bottom


def _indent(align: w.Align, available: int, line: TextLine) -> int:
    """Return the left offset of a line; a right-to-left line starts at the right."""
    if align is w.Align.CENTER:
        return (available - line.width) // 2
    return available - line.width if (align is w.Align.END) != line.rtl else 0


def _cursor(line: TextLine, available: int, typed: bool) -> int:
    """Return the left offset of a field's cursor, after its last character."""
    if line.rtl:
        return available - (line.width if typed else 0) - 4
    return (line.width if typed else 0) + 2


@functools.lru_cache(maxsize=32)
def _fade_strip(start: int, end: int, horizontal: bool) -> Image.Image:
    strip = Image.new("L", (2, 1) if horizontal else (1, 2))
    strip.putpixel((0, 0), start)
    strip.putpixel((1, 0) if horizontal else (0, 1), end)
    return strip


def _fade(start: int, end: int, rect: Rect, horizontal: bool) -> Image.Image:
    strip = _fade_strip(start, end, horizontal)
    return strip.resize((max(1, rect.width), max(1, rect.height)), Image.Resampling.BILINEAR)

"""Map overlays: route lines, pins and the current location."""

from __future__ import annotations

import functools
import itertools
import math

from PIL import Image, ImageDraw

from garabench.virtual.kit.maps.base_map import paint_base_map
from garabench.virtual.kit.maps.geo import LatLon
from garabench.virtual.kit.maps.map_scene import FLOW_COLORS, PALETTES, MapScene, Pin, PinKind, Rgb, Stroke
from garabench.virtual.kit.maps.traffic import Flow
from garabench.virtual.ui import fonts

_PIN_COLORS: dict[PinKind, Rgb] = {
    PinKind.START: (38, 166, 91),
    PinKind.END: (232, 66, 56),
    PinKind.VIA: (46, 120, 240),
    PinKind.PLACE: (232, 66, 56),
    PinKind.CHOSEN: (232, 66, 56),
    PinKind.STAR: (250, 172, 40),
    PinKind.ARROW: (46, 120, 240),
}
_LETTERS = {PinKind.START: "起", PinKind.END: "终", PinKind.VIA: "经", PinKind.STAR: "★"}
_SMOOTH = 2


@functools.lru_cache(maxsize=1)
def paint_map(scene: MapScene, width: int, height: int, scale: float) -> Image.Image:
    """Draw a map.

    Args:
        scene: The content.
        width: Width in pixels.
        height: Height in pixels.
        scale: Pixels per dp.

    Returns:
        The picture, in mode RGB; it must not be modified.
    """
    hour = scene.hour if scene.traffic else -1.0
    unnamed = frozenset(pin.text for pin in scene.pins if pin.text and pin.kind is not PinKind.PLACE)
    ground = paint_base_map(
        scene.atlas,
        scene.camera,
        scene.style,
        (width, height),
        scale,
        scene.lift,
        hour,
        unnamed if scene.places else None,
    )
    overlay = _Overlay(ground.copy(), scene, scale)
    for stroke in scene.strokes:
        overlay.stroke(stroke)
    if scene.me is not None:
        overlay.me(scene.me)
    for pin in scene.pins:
        overlay.pin(pin)
    return overlay.image


class _Overlay:
    """The canvas for overlays on the map."""

    def __init__(self, image: Image.Image, scene: MapScene, scale: float) -> None:
        self.image, self._scene, self._scale = image, scene, scale
        self._middle = (image.width / 2, image.height * (0.5 - scene.lift))

    def _position(self, point: LatLon) -> tuple[float, float]:
        x, y = self._scene.camera.place(point)
        return self._middle[0] + x * self._scale, self._middle[1] + y * self._scale

    def _color(self, color: Rgb, mask: Image.Image) -> None:
        self.image.paste(color, (0, 0), mask.reduce(_SMOOTH))

    def _mask(self) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        mask = Image.new("L", (self.image.width * _SMOOTH, self.image.height * _SMOOTH), 0)
        return mask, ImageDraw.Draw(mask)

    def stroke(self, stroke: Stroke) -> None:
        """Draw a line: first its outline, then its segments by colour."""
        positions = [tuple(v * _SMOOTH for v in self._position(point)) for point in stroke.points]
        if len(positions) < 2:
            return
        wide = stroke.width * self._scale * _SMOOTH
        if stroke.dotted:
            self._dots(positions, stroke.color, wide)
            return
        edge, pen = self._mask()
        _thick(pen, positions, wide + 2.4 * self._scale * _SMOOTH)
        self._color((255, 255, 255), edge)
        flows = stroke.flows or (Flow.FREE,) * (len(positions) - 1)
        for flow in dict.fromkeys(flows):
            mask, pen = self._mask()
            for number, own in enumerate(flows[: len(positions) - 1]):
                if own is flow:
                    _thick(pen, positions[number : number + 2], wide)
            self._color(FLOW_COLORS[flow] if stroke.flows else stroke.color, mask)

    def _dots(self, positions: list[tuple[float, ...]], color: Rgb, wide: float) -> None:
        mask, pen = self._mask()
        gap, left = wide * 1.9, 0.0
        for (ax, ay), (bx, by) in itertools.pairwise(positions):
            length = math.hypot(bx - ax, by - ay)
            if not length or length > 40_000:
                continue
            while left <= length:
                x, y = ax + (bx - ax) * left / length, ay + (by - ay) * left / length
                pen.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=255)
                left += gap
            left -= length
        self._color(color, mask)

    def me(self, at: LatLon) -> None:
        """Draw the blue dot of the current location."""
        x, y = self._position(at)
        pen = ImageDraw.Draw(self.image, "RGBA")
        for radius, fill in (
            (20, (46, 120, 240, 46)),
            (8.5, (255, 255, 255, 255)),
            (6.2, (46, 120, 240, 255)),
        ):
            r = radius * self._scale
            pen.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def pin(self, pin: Pin) -> None:
        """Draw a drop-shaped pin with a letter or number, its tip at the place and the name next to it."""
        x, y = self._position(pin.at)
        if not (-99 < x < self.image.width + 99 and -99 < y < self.image.height + 99):
            return
        s = self._scale
        pen = ImageDraw.Draw(self.image)
        color = _PIN_COLORS[pin.kind]
        if pin.kind is PinKind.ARROW:
            r = 17 * s
            pen.ellipse((x - r, y - r, x + r, y + r), fill=(255, 255, 255), outline=(210, 216, 226))
            pen.polygon(
                (
                    (x, y - 0.68 * r),
                    (x + 0.5 * r, y + 0.55 * r),
                    (x, y + 0.28 * r),
                    (x - 0.5 * r, y + 0.55 * r),
                ),
                fill=color,
            )
            return
        r = (14 if pin.kind is not PinKind.PLACE else 10.5) * s
        mid = y - 1.55 * r
        pen.polygon(((x - 0.72 * r, mid + 0.62 * r), (x + 0.72 * r, mid + 0.62 * r), (x, y)), fill=color)
        pen.ellipse(
            (x - r, mid - r, x + r, mid + r), fill=color, outline=(255, 255, 255), width=max(1, round(s))
        )
        letter = _LETTERS.get(pin.kind, pin.text if pin.kind is PinKind.PLACE else "")
        if letter:
            pen.text((x, mid), letter, fill=(255, 255, 255), font=fonts.chinese(round(r * 1.05)), anchor="mm")
        else:
            dot = 0.38 * r
            pen.ellipse((x - dot, mid - dot, x + dot, mid + dot), fill=(255, 255, 255))
        if pin.text and pin.kind is not PinKind.PLACE:
            palette = PALETTES[self._scene.style]
            pen.text(
                (x, y + 10 * s),
                pin.text,
                fill=(200, 50, 44) if pin.kind is PinKind.CHOSEN else palette.ink,
                font=fonts.chinese(round(12.5 * s)),
                anchor="mm",
                stroke_width=max(1, round(1.4 * s)),
                stroke_fill=palette.halo,
            )


def _thick(pen: ImageDraw.ImageDraw, positions: list[tuple[float, ...]], wide: float) -> None:
    """Draw a line with round ends and joints."""
    pen.line([(x, y) for x, y in positions], fill=255, width=max(1, round(wide)), joint="curve")
    for x, y in positions:
        pen.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=255)

"""Placement of map labels (cities, roads, stations, places) without overlap."""

from __future__ import annotations

import itertools
import math
import textwrap

from PIL import Image, ImageDraw

from garabench.virtual.kit.maps.atlas import MapCity, MapPlace, Road, RoadKind
from garabench.virtual.kit.maps.geo import Camera, LatLon
from garabench.virtual.kit.maps.map_scene import MapPalette, Rgb
from garabench.virtual.ui import fonts, icons

_ROAD_NAMES_FROM = {
    RoadKind.HIGHWAY: 9.5,
    RoadKind.EXPRESS: 11.0,
    RoadKind.AVENUE: 12.8,
    RoadKind.STREET: 14.4,
}
_PLACES_FROM = {
    "学校": 12.5,
    "景点": 12.3,
    "交通": 11.0,
    "商圈": 12.3,
    "医院": 13.6,
    "地铁站": 12.9,
    "商场": 13.8,
}
_SHOPS_FROM = 15.2
_MARKS: dict[str, tuple[str, Rgb]] = {
    "学校": ("school", (120, 134, 160)),
    "景点": ("tree", (70, 160, 90)),
    "交通": ("train", (80, 120, 220)),
    "商圈": ("shopping", (232, 120, 60)),
    "商场": ("shopping", (232, 120, 60)),
    "医院": ("hospital_box", (226, 84, 84)),
    "地铁站": ("subway_variant", (52, 120, 220)),
    "美食": ("silverware_fork_knife", (240, 130, 50)),
    "咖啡": ("coffee", (170, 110, 70)),
    "酒店": ("bed", (120, 100, 210)),
    "加油站": ("gas_station", (60, 140, 210)),
    "停车场": ("parking", (60, 120, 230)),
    "充电站": ("ev_station", (40, 170, 110)),
    "电影院": ("movie", (200, 80, 140)),
}
_OTHER: tuple[str, Rgb] = ("map_marker", (140, 146, 158))
_LINE_LETTERS = 9
_LATIN_LINE = 16
_LATIN_WIDTH = 0.56
Box = tuple[float, float, float, float]


def _squares(text: str) -> float:
    """Return the width of a text in widths of a Chinese character."""
    return len(text) * (_LATIN_WIDTH if text.isascii() else 1)


def _lines(words: str) -> list[str]:
    """Split a name into at most two lines: Chinese by characters, Latin by words."""
    if words.isascii():
        return textwrap.wrap(words, _LATIN_LINE)[:2] or [""]
    return [words[at : at + _LINE_LETTERS] for at in range(0, len(words), _LINE_LETTERS)][:2]


class Labels:
    """Draws names onto a base map."""

    def __init__(
        self,
        image: Image.Image,
        camera: Camera,
        scale: float,
        middle: tuple[float, float],
        palette: MapPalette,
    ) -> None:
        self._image, self._camera, self._scale = image, camera, scale
        self._middle, self._palette = middle, palette
        self._pen = ImageDraw.Draw(image)
        self._taken: list[Box] = []

    def _position(self, point: LatLon) -> tuple[float, float]:
        x, y = self._camera.place(point)
        return self._middle[0] + x * self._scale, self._middle[1] + y * self._scale

    def _take(self, box: Box) -> bool:
        """Reserve an area; return False if it is occupied or outside the picture."""
        left, top, right, bottom = box
        if right < 0 or bottom < 0 or left > self._image.width or top > self._image.height:
            return False
        gap = 3 * self._scale
        for a, b, c, d in self._taken:
            if left < c + gap and right > a - gap and top < d + gap and bottom > b - gap:
                return False
        self._taken.append(box)
        return True

    def city(self, city: MapCity) -> None:
        """Draw a dot with the city's name, for maps of a country."""
        x, y = self._position(city.center)
        size = round(13 * self._scale)
        wide = len(city.short) * size
        if not self._take((x - 4, y - size, x + wide + size, y + size)):
            return
        dot = 3.4 * self._scale
        self._pen.ellipse(
            (x - dot, y - dot, x + dot, y + dot), fill=(226, 70, 60), outline=self._palette.halo
        )
        self._write(city.short, (x + 2 * dot, y), size, self._palette.ink, "lm")

    def city_names(self, city: MapCity, unnamed: frozenset[str] = frozenset()) -> None:
        """Draw the names of a city's places, except the given ones, and then of its roads."""
        zoom = self._camera.zoom
        for place in sorted(city.places, key=lambda each: -each.rating):
            main = "-" not in place.name and place.name not in unnamed
            if main and zoom >= _PLACES_FROM.get(place.category, _SHOPS_FROM):
                self._place(place)
        for water in city.water:
            if zoom > 11 and len(water.points) > 2:
                for point in water.points[1::3]:
                    self._plain(water.name, point, 10.5, (70, 120, 190))
        for road in city.roads:
            if road.name and zoom >= _ROAD_NAMES_FROM[road.kind]:
                self._road(road)

    def _plain(self, text: str, at: LatLon, size_dp: float, color: Rgb) -> None:
        x, y = self._position(at)
        size = round(size_dp * self._scale)
        half = len(text) * size / 2
        if self._take((x - half, y - size / 2, x + half, y + size / 2)):
            self._write(text, (x, y), size, color, "mm")

    def _place(self, place: MapPlace) -> None:
        x, y = self._position(place.at)
        if not (0 <= x <= self._image.width and 0 <= y <= self._image.height):
            return
        size = round(10.5 * self._scale)
        words = place.name.removesuffix("(地铁站)")
        lines = _lines(words)
        wide, mark = max(map(_squares, lines)) * size, round(15 * self._scale)
        if not self._take(
            (x - mark / 2, y - mark / 2, x + mark / 2 + wide, y + mark / 2 + (len(lines) - 1) * size)
        ):
            return
        icon, color = _MARKS.get(place.category, _OTHER)
        self._pen.ellipse((x - mark / 2, y - mark / 2, x + mark / 2, y + mark / 2), fill=color)
        glyph = round(mark * 0.7)
        self._image.paste(
            (255, 255, 255), (round(x - glyph / 2), round(y - glyph / 2)), icons.icon_mask(icon, glyph)
        )
        for number, line in enumerate(lines):
            at = (x + mark * 0.62, y + number * size * 1.1)
            self._write(line, at, size, self._palette.ink, "lm")

    def _road(self, road: Road) -> None:
        """Draw the road's name along its longest visible piece, rotated with it."""
        size = round(10 * self._scale)
        positions = [self._position(point) for point in road.points]
        done = 0
        for (ax, ay), (bx, by) in itertools.pairwise(positions):
            x, y = (ax + bx) / 2, (ay + by) / 2
            if not (0 <= x <= self._image.width and 0 <= y <= self._image.height) or done >= 2:
                continue
            need = _squares(road.name) * size
            if math.hypot(bx - ax, by - ay) < need * 0.8:
                continue
            angle = -math.degrees(math.atan2(by - ay, bx - ax))
            angle = angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle
            turn = math.radians(angle)
            half_w = (abs(math.cos(turn)) * need + abs(math.sin(turn)) * size) / 2
            half_h = (abs(math.sin(turn)) * need + abs(math.cos(turn)) * size) / 2
            if not self._take((x - half_w, y - half_h, x + half_w, y + half_h)):
                continue
            self._turned(road.name, (x, y), size, angle)
            done += 1

    def _turned(self, text: str, at: tuple[float, float], size: int, angle: float) -> None:
        face = fonts.chinese(size)
        wide, high = round(_squares(text) * size) + size, size * 2
        stroke = max(1, round(self._scale))
        for fill, width in ((self._palette.halo, stroke), (self._palette.ink, 0)):
            mask = Image.new("L", (wide, high), 0)
            ImageDraw.Draw(mask).text(
                (wide / 2, high / 2), text, fill=255, font=face, anchor="mm", stroke_width=width
            )
            mask = mask.rotate(angle, expand=True, resample=Image.Resampling.BILINEAR)
            self._image.paste(fill, (round(at[0] - mask.width / 2), round(at[1] - mask.height / 2)), mask)

    def _write(self, text: str, at: tuple[float, float], size: int, color: Rgb, anchor: str) -> None:
        self._pen.text(
            at,
            text,
            fill=color,
            font=fonts.chinese(size),
            anchor=anchor,
            stroke_width=max(1, round(self._scale)),
            stroke_fill=self._palette.halo,
        )

"""Draw the base map: water, parks, buildings, roads with traffic, and labels."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from PIL import Image, ImageDraw

from garabench.core.seeds import derive
from garabench.virtual.kit.maps.atlas import Area, Atlas, MapCity, Road, RoadKind
from garabench.virtual.kit.maps.geo import Camera, LatLon, offset
from garabench.virtual.kit.maps.labels import Labels
from garabench.virtual.kit.maps.map_scene import FLOW_COLORS, PALETTES, MapPalette, MapStyle, Rgb
from garabench.virtual.kit.maps.road_graph import graph_of
from garabench.virtual.kit.maps.traffic import flow_of

_SMOOTH_BELOW = 1100
"""Pictures up to this width are drawn at twice the size and scaled down, for smooth edges."""
_BLOCK_METRES = 74.0
_BLOCKS_FROM, _STREETS_FROM, _AVENUES_FROM, _ROADS_FROM, _CITY_FROM = 14.6, 12.2, 9.6, 7.5, 8.6
_WIDTHS = {RoadKind.HIGHWAY: 4.2, RoadKind.EXPRESS: 3.8, RoadKind.AVENUE: 3.0, RoadKind.STREET: 1.9}
_CULL_SCREENS = 4.0
"""Objects this many screens away are not drawn."""
Spot = tuple[float, float]


class BaseMap:
    """The canvas of a base map.

    Attributes:
        scale: Pixels per dp, as drawn.
    """

    def __init__(self, camera: Camera, size: tuple[int, int], scale: float, middle: Spot) -> None:
        self.camera, self.size, self.scale, self.middle = camera, size, scale, middle
        self.image = Image.new("RGB", size)
        self.pen = ImageDraw.Draw(self.image)

    def position(self, point: LatLon) -> Spot:
        """Return the position of a point in pixels."""
        x, y = self.camera.place(point)
        return self.middle[0] + x * self.scale, self.middle[1] + y * self.scale

    def pixels(self, metres: float) -> float:
        """Return a length in metres as pixels."""
        return metres / self.camera.metres_per_dp * self.scale

    def is_visible(self, positions: Iterable[Spot]) -> bool:
        """Return whether any of the points can be visible, judged by their bounding box."""
        pairs = list(positions)
        return (
            max(x for x, _ in pairs) >= 0
            and min(x for x, _ in pairs) <= self.size[0]
            and max(y for _, y in pairs) >= 0
            and min(y for _, y in pairs) <= self.size[1]
        )

    def pieces(self, points: Sequence[LatLon]) -> Iterator[tuple[Spot, Spot]]:
        """Return the pieces of a line that can be visible."""
        positions = [self.position(point) for point in points]
        for a, b in itertools.pairwise(positions):
            if self.is_visible((a, b)):
                yield a, b

    def line(self, points: Sequence[LatLon], color: Rgb, width: float) -> None:
        """Draw a line with round joints, `width` pixels wide."""
        wide = max(1, round(width))
        for a, b in self.pieces(points):
            self.pen.line((a, b), fill=color, width=wide)
            if wide > 3:
                for x, y in (a, b):
                    self.pen.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=color)


def _zoom_width(kind: RoadKind, zoom: float) -> float:
    """Return the width of a road in dp."""
    return float(_WIDTHS[kind] * min(3.6, max(0.45, 1.42 ** (zoom - 13.6))))


def _shown(road: Road, zoom: float) -> bool:
    match road.kind:
        case RoadKind.STREET:
            return zoom >= _STREETS_FROM
        case RoadKind.AVENUE:
            return zoom >= _AVENUES_FROM
        case _:
            return zoom >= _ROADS_FROM


def _blob(area: Area) -> list[LatLon]:
    """Return a soft outline: a slightly irregular rounded rectangle."""
    points = []
    for number in range(20):
        turn = 2 * math.pi * number / 20
        own = 0.92 + (derive(0, "area", area.name, number) % 100) / 900
        x, y = math.cos(turn), math.sin(turn)
        square = 1 / max(abs(x), abs(y)) ** 0.62
        points.append(offset(area.at, y * square * own * area.height / 2, x * square * own * area.width / 2))
    return points


def _blocks(ground: BaseMap, palette: MapPalette) -> None:
    """Return the outlines of houses: rectangles on a fixed grid, the same in every picture."""
    side = ground.pixels(_BLOCK_METRES)
    step_lat = _BLOCK_METRES / 111_320.0
    corner = ground.camera.point(-ground.middle[0] / ground.scale, -ground.middle[1] / ground.scale)
    step_lon = step_lat / math.cos(math.radians(round(corner.lat)))
    rows, columns = int(ground.size[1] / side) + 2, int(ground.size[0] / side) + 2
    first_row, first_column = math.floor(corner.lat / step_lat), math.floor(corner.lon / step_lon)
    for row in range(first_row - rows, first_row + 2):
        for column in range(first_column, first_column + columns):
            luck = derive(0, "block", row, column)
            if luck % 5 == 0:
                continue
            x, y = ground.position(LatLon(row * step_lat, column * step_lon))
            inset_x, inset_y = 0.12 + luck % 7 / 30, 0.12 + luck // 7 % 7 / 30
            box = (x + side * inset_x, y + side * inset_y, x + side * (1 - inset_y), y + side * (1 - inset_x))
            shade = luck // 49 % 9
            tone = palette.block
            ground.pen.rectangle(box, fill=(tone[0] - shade, tone[1] - shade, tone[2] - shade))


def _city(ground: BaseMap, city: MapCity, palette: MapPalette, style: MapStyle) -> None:
    zoom = ground.camera.zoom
    for area in city.areas:
        outline = [ground.position(point) for point in _blob(area)]
        if ground.is_visible(outline):
            ground.pen.polygon(outline, fill=palette.park if area.kind == "park" else palette.campus)
    for water in city.water:
        ground.line(water.points, palette.water, max(ground.scale * 1.5, ground.pixels(water.width)))
    roads = sorted(
        (road for road in city.roads if _shown(road, zoom)), key=lambda r: -list(_WIDTHS).index(r.kind)
    )
    for edge in (1, 0):
        for road in roads:
            wide = _zoom_width(road.kind, zoom) * ground.scale
            ground.line(
                road.points, palette.road[road.kind][edge], wide + 2 * ground.scale * edge * (zoom > 11)
            )
    if zoom >= 10.8:
        for line in city.lines:
            if line.kind == "metro":
                color = tuple(int(line.color[at : at + 2], 16) for at in (1, 3, 5))
                own = palette.ground if style is not MapStyle.SATELLITE else palette.block
                r, g, b = (
                    round(c * palette.metro + o * (1 - palette.metro))
                    for c, o in zip(color, own, strict=True)
                )
                ground.line([stop.at for stop in line.stops], (r, g, b), 1.7 * ground.scale)


def _traffic(ground: BaseMap, city: MapCity, hour: float) -> None:
    graph = graph_of(city)
    for edge in graph.edges:
        if edge.road.kind is RoadKind.STREET or not _shown(edge.road, ground.camera.zoom):
            continue
        color = FLOW_COLORS[flow_of(graph, edge, hour)]
        wide = max(1.6, _zoom_width(edge.road.kind, ground.camera.zoom) * 0.5) * ground.scale
        ground.line([graph.nodes[end] for end in edge.ends], color, wide)


@functools.lru_cache(maxsize=1)
def paint_base_map(
    atlas: Atlas,
    camera: Camera,
    style: MapStyle,
    size: tuple[int, int],
    scale: float,
    lift: float,
    traffic: float,
    unnamed: frozenset[str] | None = frozenset(),
) -> Image.Image:
    """Return the map without pins and lines.

    Args:
        atlas: The map data.
        camera: The map section.
        style: The style.
        size: Width and height in pixels.
        scale: Pixels per dp.
        lift: See `garabench.virtual.kit.maps.map_scene.MapScene`.
        traffic: The hour for which traffic is drawn; negative for none.
        unnamed: Places without names, since pins show them; None omits all names.
    """
    palette = PALETTES[style]
    more = 2 if size[0] <= _SMOOTH_BELOW else 1
    wide, high = size[0] * more, size[1] * more
    ground = BaseMap(camera, (wide, high), scale * more, (wide / 2, high * (0.5 - lift)))
    ground.pen.rectangle((0, 0, wide, high), fill=palette.ground)
    if camera.zoom >= _BLOCKS_FROM or (style is MapStyle.SATELLITE and camera.zoom >= 13):
        _blocks(ground, palette)
    near = [city for city in atlas.cities if _is_near(ground, city)] if camera.zoom >= _ROADS_FROM else []
    for city in near:
        _city(ground, city, palette, style)
        if traffic >= 0:
            _traffic(ground, city, traffic)
    image = ground.image.reduce(more) if more > 1 else ground.image
    labels = Labels(image, camera, scale, (size[0] / 2, size[1] * (0.5 - lift)), palette)
    for city in atlas.cities if camera.zoom < _CITY_FROM + 1.5 else ():
        labels.city(city)
    if unnamed is not None and camera.zoom >= _CITY_FROM:
        for city in near:
            labels.city_names(city, unnamed)
    return image


def _is_near(ground: BaseMap, city: MapCity) -> bool:
    x, y = ground.position(city.center)
    reach = max(ground.size[1] * _CULL_SCREENS, ground.pixels(70_000))
    return abs(x - ground.middle[0]) < reach and abs(y - ground.middle[1]) < reach

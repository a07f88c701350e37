"""Geographic points, and the map camera."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

METRES_PER_DEGREE = 111_320.0
_WORLD_DP = 256.0
_MIN_ZOOM, _MAX_ZOOM = 4.0, 19.0


@dataclass(frozen=True, slots=True)
class LatLon:
    """A point in degrees."""

    lat: float
    lon: float


def metres_between(a: LatLon, b: LatLon) -> float:
    """Return the distance as the crow flies in metres; accurate enough within a country."""
    middle = math.radians((a.lat + b.lat) / 2)
    return METRES_PER_DEGREE * math.hypot(a.lat - b.lat, (a.lon - b.lon) * math.cos(middle))


def offset(point: LatLon, north: float, east: float) -> LatLon:
    """Return the point that is that many metres to the north and to the east."""
    lat = point.lat + north / METRES_PER_DEGREE
    return LatLon(lat, point.lon + east / METRES_PER_DEGREE / math.cos(math.radians(point.lat)))


def _mercator(point: LatLon) -> tuple[float, float]:
    """Project a point to the unit square of Web Mercator; y grows to the south."""
    sine = math.sin(math.radians(max(-85.0, min(85.0, point.lat))))
    return point.lon / 360 + 0.5, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


@dataclass(frozen=True, slots=True)
class Camera:
    """A map camera: Web Mercator, with north up.

    Attributes:
        center: The point in the middle.
        zoom: Zoom level as in map services; each level doubles the scale.
    """

    center: LatLon
    zoom: float

    @property
    def world(self) -> float:
        """Width of the whole world in dp."""
        return float(_WORLD_DP * 2.0**self.zoom)

    @property
    def metres_per_dp(self) -> float:
        """Metres per dp in the middle."""
        around = METRES_PER_DEGREE * 360 * math.cos(math.radians(self.center.lat))
        return around / self.world

    def place(self, point: LatLon) -> tuple[float, float]:
        """Return the position of a point, in dp to the right of and below the middle."""
        x, y = _mercator(point)
        mid_x, mid_y = _mercator(self.center)
        return (x - mid_x) * self.world, (y - mid_y) * self.world

    def point(self, x: float, y: float) -> LatLon:
        """Return the point at a position, in dp to the right of and below the middle."""
        mid_x, mid_y = _mercator(self.center)
        lon = (mid_x + x / self.world - 0.5) * 360
        power = math.exp((0.5 - mid_y - y / self.world) * 4 * math.pi)
        sine = (power - 1) / (power + 1)
        return LatLon(math.degrees(math.asin(max(-1.0, min(1.0, sine)))), lon)

    def dragged(self, x: float, y: float) -> Camera:
        """Return the camera after the map was dragged by that many dp."""
        return Camera(self.point(-x, -y), self.zoom)

    def zoomed(self, by: float) -> Camera:
        """Return the camera zoomed in by that many levels, within the supported range."""
        return Camera(self.center, min(_MAX_ZOOM, max(_MIN_ZOOM, self.zoom + by)))


def camera_for(points: Iterable[LatLon], width: float, height: float, *, closest: float = 16.0) -> Camera:
    """Return the camera that shows all points in an area of that many dp.

    Args:
        points: At least one.
        width: Width of the area in dp.
        height: Height of the area in dp.
        closest: Zoom for a single point.
    """
    seen = list(points)
    squares = [_mercator(point) for point in seen]
    left, right = min(x for x, _ in squares), max(x for x, _ in squares)
    top, bottom = min(y for _, y in squares), max(y for _, y in squares)
    share = max((right - left) / max(1.0, width), (bottom - top) / max(1.0, height), 1e-12)
    zoom = min(closest, max(_MIN_ZOOM, math.log2(1 / share / _WORLD_DP)))
    lats, lons = [point.lat for point in seen], [point.lon for point in seen]
    return Camera(LatLon((min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2), zoom)

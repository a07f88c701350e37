"""The description of a map picture: camera, style, pins and lines."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from garabench.virtual.kit.maps.atlas import Atlas, RoadKind
from garabench.virtual.kit.maps.geo import Camera, LatLon
from garabench.virtual.kit.maps.traffic import Flow

Rgb = tuple[int, int, int]


class MapStyle(enum.Enum):
    """Map styles."""

    DAY = "day"
    NIGHT = "night"
    SATELLITE = "satellite"


class PinKind(enum.Enum):
    """Kinds of pins."""

    START = "start"
    END = "end"
    VIA = "via"
    PLACE = "place"
    CHOSEN = "chosen"
    STAR = "star"
    ARROW = "arrow"


@dataclass(frozen=True, slots=True)
class Pin:
    """A marker on the map; `text` is drawn in it or next to it."""

    at: LatLon
    kind: PinKind = PinKind.PLACE
    text: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line on the map.

    Attributes:
        points: The points; fewer than two draw nothing.
        color: The line's colour if `flows` is empty.
        width: Width in dp.
        flows: The traffic of each segment, shown by colour.
        dotted: Whether to draw dots, as for walks.
    """

    points: tuple[LatLon, ...]
    color: Rgb = (45, 165, 90)
    width: float = 7
    flows: tuple[Flow, ...] = ()
    dotted: bool = False


@dataclass(frozen=True, slots=True)
class MapScene:
    """The content of a map picture.

    Attributes:
        lift: Fraction of the height by which the camera's centre is above the middle, if something
            covers the lower part.
        traffic: Whether roads show their traffic at `hour` by colour.
        me: The current location, drawn as a dot; None for no dot.
        places: Whether to draw the names of roads and places.
    """

    atlas: Atlas
    camera: Camera
    style: MapStyle = MapStyle.DAY
    lift: float = 0
    traffic: bool = False
    hour: float = 10
    me: LatLon | None = None
    pins: tuple[Pin, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    places: bool = True


@dataclass(frozen=True, slots=True)
class MapPalette:
    """The colours of a style."""

    ground: Rgb
    block: Rgb
    water: Rgb
    park: Rgb
    campus: Rgb
    road: dict[RoadKind, tuple[Rgb, Rgb]]
    ink: Rgb
    halo: Rgb
    metro: float


PALETTES = {
    MapStyle.DAY: MapPalette(
        ground=(245, 243, 238),
        block=(236, 233, 227),
        water=(163, 205, 246),
        park=(200, 230, 190),
        campus=(232, 232, 214),
        road={
            RoadKind.HIGHWAY: ((252, 200, 96), (222, 160, 60)),
            RoadKind.EXPRESS: ((255, 222, 130), (226, 184, 92)),
            RoadKind.AVENUE: ((255, 255, 255), (214, 210, 202)),
            RoadKind.STREET: ((255, 255, 255), (224, 221, 214)),
        },
        ink=(74, 78, 88),
        halo=(255, 255, 255),
        metro=0.75,
    ),
    MapStyle.NIGHT: MapPalette(
        ground=(30, 36, 48),
        block=(36, 43, 57),
        water=(20, 44, 78),
        park=(30, 56, 52),
        campus=(40, 47, 58),
        road={
            RoadKind.HIGHWAY: ((104, 92, 62), (60, 54, 40)),
            RoadKind.EXPRESS: ((92, 86, 66), (56, 52, 42)),
            RoadKind.AVENUE: ((66, 76, 94), (46, 54, 68)),
            RoadKind.STREET: ((56, 64, 80), (44, 51, 64)),
        },
        ink=(176, 186, 202),
        halo=(24, 29, 39),
        metro=0.55,
    ),
    MapStyle.SATELLITE: MapPalette(
        ground=(74, 84, 72),
        block=(112, 112, 106),
        water=(38, 62, 82),
        park=(48, 82, 48),
        campus=(92, 104, 82),
        road={
            RoadKind.HIGHWAY: ((206, 178, 112), (90, 84, 66)),
            RoadKind.EXPRESS: ((190, 176, 132), (86, 84, 74)),
            RoadKind.AVENUE: ((150, 150, 146), (84, 86, 80)),
            RoadKind.STREET: ((132, 134, 130), (80, 84, 76)),
        },
        ink=(255, 255, 255),
        halo=(40, 46, 42),
        metro=0.5,
    ),
}
FLOW_COLORS: dict[Flow, Rgb] = {Flow.FREE: (52, 176, 98), Flow.SLOW: (255, 178, 40), Flow.JAM: (226, 58, 48)}

"""One conversion for each way in which models count: grid, pixels of the image, pixels of the screen.

Confusing them is the most frequent fault of wrapped agents: a tap lands near the top left corner, or off
the screen. Each dialect names its rule once, and parsing and rendering both go through it.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.agents.dialects.reply import Flaw, Malformed, shown
from garabench.core.geometry import Point, Rect, Size


class Unit(enum.Enum):
    """What a coordinate counts."""

    GRID = "grid"
    IMAGE = "image"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True)
class Coordinates:
    """A dialect's rule for coordinates.

    Attributes:
        unit: What is counted.
        span: Of a grid: the number at the right and the lower edge, 1000 or 999.
        y_first: Whether y stands before x.
    """

    unit: Unit
    span: int = 1000
    y_first: bool = False

    def __post_init__(self) -> None:
        if self.span < 1:
            raise ValueError(f"a grid has at least one step, not {self.span}")


GRID_1000 = Coordinates(Unit.GRID)
GRID_999 = Coordinates(Unit.GRID, span=999)
IMAGE_PIXELS = Coordinates(Unit.IMAGE)
SCREEN_PIXELS = Coordinates(Unit.SCREEN)


@dataclass(frozen=True, slots=True)
class View:
    """What a reply speaks about: the screen, the picture of it that was sent, and the names that were given.

    Attributes:
        screen: Size of the screen in pixels.
        image: Size of the picture that the model was sent.
        elements: Places of the numbered elements, in the order of their numbers; empty when none were.
        apps: Package of each app by its label; labels are matched without regard to case.
    """

    screen: Size
    image: Size
    elements: tuple[Rect, ...] = ()
    apps: Mapping[str, str] = field(default_factory=dict)

    def package(self, name: str) -> str:
        """The package of an app that a model named by its label or its package.

        Raises:
            Malformed: No such app was named to it.
        """
        wanted = name.strip().casefold()
        for label, package in self.apps.items():
            if wanted in (label.strip().casefold(), package.casefold()):
                return package
        raise Malformed(Flaw.UNKNOWN_APP, f"no app is called {shown(name)}")

    def label(self, package: str) -> str:
        """The label of an app, or its package where it has none."""
        return next((label for label, known in self.apps.items() if known == package), package)

    def element(self, number: int) -> Point:
        """The middle of a numbered element, counted from 0.

        Raises:
            Malformed: There is none of that number.
        """
        if not 0 <= number < len(self.elements):
            raise Malformed(Flaw.UNKNOWN_ELEMENT, f"there is no element {number}")
        return self.elements[number].center

    def element_at(self, point: Point) -> int | None:
        """The smallest numbered element whose middle is that point, or None."""
        fitting = [number for number, rect in enumerate(self.elements) if rect.center == point]
        return min(fitting, key=lambda number: _area(self.elements[number]), default=None)


def _area(rect: Rect) -> int:
    return rect.width * rect.height


def to_screen(first: float, second: float, rule: Coordinates, view: View) -> Point:
    """Turn a model's pair of numbers into a pixel of the screen.

    A number at the far edge (1000 of 1000) is the last pixel.

    Raises:
        Malformed: It is no number, is written in shares of the picture, or lies outside of the picture.
    """
    x, y = (second, first) if rule.y_first else (first, second)
    width, height = _sides(rule, view)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise Malformed(Flaw.BAD_ARGUMENT, f"({x}, {y}) is no place")
    if 0 <= x < 1 and 0 <= y < 1 and (x, y) != (0, 0):
        raise Malformed(
            Flaw.BAD_ARGUMENT, f"({x:g}, {y:g}) are shares; write numbers up to {width:g} and {height:g}"
        )
    if not (0 <= x <= width and 0 <= y <= height):
        raise Malformed(Flaw.OFF_SCREEN, f"({x:g}, {y:g}) lies outside of {width:g} x {height:g}")
    return Point(
        _pixel(x * view.screen.width / width, view.screen.width),
        _pixel(y * view.screen.height / height, view.screen.height),
    )


def from_screen(point: Point, rule: Coordinates, view: View) -> tuple[int, int]:
    """Write a pixel of the screen as the nearest pair of numbers that a model could write."""
    width, height = _sides(rule, view)
    x = int(point.x * width / view.screen.width + 0.5)
    y = int(point.y * height / view.screen.height + 0.5)
    return (y, x) if rule.y_first else (x, y)


def _pixel(place: float, side: int) -> int:
    return min(int(place + 0.5), side - 1)


def _sides(rule: Coordinates, view: View) -> tuple[int, int]:
    match rule.unit:
        case Unit.GRID:
            return rule.span, rule.span
        case Unit.IMAGE:
            return view.image.width, view.image.height
        case Unit.SCREEN:
            return view.screen.width, view.screen.height

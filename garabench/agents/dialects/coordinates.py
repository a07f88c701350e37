"""Coordinate systems of models: a grid, pixels of the image, pixels of the screen.

Confusing them is the most frequent wiring error of agents: a tap lands near the top left corner, or off the
screen. Each dialect states its rule once, and parsing and rendering both use it.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.core.geometry import Point, Rect, Size


class Unit(enum.Enum):
    """The unit of a coordinate."""

    GRID = "grid"
    IMAGE = "image"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True)
class Coordinates:
    """A dialect's rule for coordinates.

    Attributes:
        unit: The unit.
        span: For a grid, the coordinate of the right and the bottom edge: 1000 or 999.
        y_first: Whether y comes before x.
    """

    unit: Unit
    span: int = 1000
    y_first: bool = False

    def __post_init__(self) -> None:
        if self.span < 1:
            raise ValueError(f"the span of a grid must be at least 1, not {self.span}")


GRID_1000 = Coordinates(Unit.GRID)
GRID_999 = Coordinates(Unit.GRID, span=999)
IMAGE_PIXELS = Coordinates(Unit.IMAGE)
SCREEN_PIXELS = Coordinates(Unit.SCREEN)


@dataclass(frozen=True, slots=True)
class ScreenView:
    """What a reply refers to: the screen, the image that was sent, element numbers and app labels.

    Attributes:
        screen: Size of the screen in pixels.
        image: Size of the image that was sent to the model.
        elements: Bounds of the numbered elements, in order; empty if elements are not numbered.
        apps: Package of each app by label; labels are matched case-insensitively.
    """

    screen: Size
    image: Size
    elements: tuple[Rect, ...] = ()
    apps: Mapping[str, str] = field(default_factory=dict)

    def package(self, name: str) -> str:
        """Find an app's package by its label or package name.

        Raises:
            MalformedReplyError: The app is unknown.
        """
        wanted = name.strip().casefold()
        for label, package in self.apps.items():
            if wanted in (label.strip().casefold(), package.casefold()):
                return package
        raise MalformedReplyError(ReplyFlaw.UNKNOWN_APP, f"unknown app {short_repr(name)}")

    def label(self, package: str) -> str:
        """Return the label of an app, or its package if it has no label."""
        return next((label for label, known in self.apps.items() if known == package), package)

    def element(self, number: int) -> Point:
        """Return the center of a numbered element, counted from 0.

        Raises:
            MalformedReplyError: There is no element with that number.
        """
        if not 0 <= number < len(self.elements):
            raise MalformedReplyError(ReplyFlaw.UNKNOWN_ELEMENT, f"there is no element {number}")
        return self.elements[number].center

    def element_at(self, point: Point) -> int | None:
        """Find the smallest numbered element with that center, if any."""
        fitting = [number for number, rect in enumerate(self.elements) if rect.center == point]
        return min(fitting, key=lambda number: _area(self.elements[number]), default=None)


def _area(rect: Rect) -> int:
    return rect.width * rect.height


def to_screen(first: float, second: float, rule: Coordinates, view: ScreenView) -> Point:
    """Convert a model's pair of numbers to a screen pixel.

    A coordinate at the far edge (1000 of 1000) is the last pixel.

    Raises:
        MalformedReplyError: A number is not finite, is a fraction of the image, or is out of range.
    """
    x, y = (second, first) if rule.y_first else (first, second)
    width, height = _sides(rule, view)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"({x}, {y}) is not a point")
    if 0 <= x < 1 and 0 <= y < 1 and (x, y) != (0, 0):
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT,
            f"({x:g}, {y:g}) are fractions; use numbers up to {width:g} and {height:g}",
        )
    if not (0 <= x <= width and 0 <= y <= height):
        raise MalformedReplyError(ReplyFlaw.OFF_SCREEN, f"({x:g}, {y:g}) is outside {width:g} x {height:g}")
    return Point(
        _pixel(x * view.screen.width / width, view.screen.width),
        _pixel(y * view.screen.height / height, view.screen.height),
    )


def from_screen(point: Point, rule: Coordinates, view: ScreenView) -> tuple[int, int]:
    """Convert a screen pixel to the nearest pair of numbers that a model can write."""
    width, height = _sides(rule, view)
    x = int(point.x * width / view.screen.width + 0.5)
    y = int(point.y * height / view.screen.height + 0.5)
    return (y, x) if rule.y_first else (x, y)


def _pixel(position: float, side: int) -> int:
    return min(int(position + 0.5), side - 1)


def _sides(rule: Coordinates, view: ScreenView) -> tuple[int, int]:
    match rule.unit:
        case Unit.GRID:
            return rule.span, rule.span
        case Unit.IMAGE:
            return view.image.width, view.image.height
        case Unit.SCREEN:
            return view.screen.width, view.screen.height

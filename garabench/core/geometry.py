"""Points, sizes and rectangles in device pixels; the origin is the top left corner of the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["up", "down", "left", "right"]
"""A direction on the screen."""


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the screen, in device pixels."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Size:
    """A width and a height in pixels, neither of them negative."""

    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 0 or self.height < 0:
            raise ValueError(f"negative size {self.width}x{self.height}")

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"

    @property
    def rotated(self) -> Size:
        """The size with width and height swapped."""
        return Size(self.height, self.width)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in device pixels; right and bottom are exclusive, as in Android's ``Rect``."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Width in pixels; 0 or less if the rectangle is empty."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Height in pixels; 0 or less if the rectangle is empty."""
        return self.bottom - self.top

    @property
    def is_empty(self) -> bool:
        """Whether it contains no pixels."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def center(self) -> Point:
        """The center, rounded down like Android's ``centerX`` and ``centerY``."""
        return Point((self.left + self.right) // 2, (self.top + self.bottom) // 2)

    @property
    def size(self) -> Size:
        """Width and height, at least 0."""
        return Size(max(0, self.width), max(0, self.height))

    def contains(self, point: Point) -> bool:
        """Return whether a point lies inside."""
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    def encloses(self, other: Rect) -> bool:
        """Return whether another rectangle lies entirely inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def intersect(self, other: Rect) -> Rect:
        """Return the intersection; all zero if the rectangles do not overlap."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        if other.left <= left < right <= other.right and other.top <= top < bottom <= other.bottom:
            return self
        left, top = max(left, other.left), max(top, other.top)
        right, bottom = min(right, other.right), min(bottom, other.bottom)
        return Rect(left, top, right, bottom) if left < right and top < bottom else Rect(0, 0, 0, 0)

    def moved(self, dx: int, dy: int) -> Rect:
        """Return the rectangle shifted by a number of pixels."""
        return Rect(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def __str__(self) -> str:
        """Return Android's notation, ``[left,top][right,bottom]``."""
        return f"[{self.left},{self.top}][{self.right},{self.bottom}]"

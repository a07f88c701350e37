"""The size of the image that a model is sent, to which its coordinates may refer."""

from __future__ import annotations

import math
from dataclasses import dataclass

from garabench.core.geometry import Size


@dataclass(frozen=True, slots=True)
class NativeSize:
    """The screenshot at its native size."""

    def size(self, screen: Size) -> Size:
        """Return the size of the image for a screen."""
        return screen


@dataclass(frozen=True, slots=True)
class LongSide:
    """Scale the longer side down to a limit; smaller screens keep their size.

    Some vendors downscale larger images on the server, and their models then count pixels of an image
    that the client never sees. The other limits stay below the vendors' own.

    Attributes:
        limit: Limit of the longer side in pixels.
        short: Limit of the shorter side in pixels; None for no limit.
        area: Limit of width times height in pixels; None for no limit.
    """

    limit: int
    short: int | None = None
    area: int | None = None

    def __post_init__(self) -> None:
        if any(limit is not None and limit < 1 for limit in (self.limit, self.short, self.area)):
            raise ValueError(f"limits must be at least 1: {self}")

    def size(self, screen: Size) -> Size:
        """Return the size of the image for a screen."""
        sides = sorted((screen.width, screen.height))
        share = min(
            self.limit / sides[1],
            1.0 if self.short is None else self.short / sides[0],
            1.0 if self.area is None else math.sqrt(self.area / (sides[0] * sides[1])),
        )
        if share >= 1:
            return screen
        return Size(max(1, round(screen.width * share)), max(1, round(screen.height * share)))


LARGEST_AS_SENT = LongSide(1568, short=768, area=1_150_000)
"""The largest images that neither OpenAI nor Anthropic resizes.

According to their documentation of images, OpenAI limits the shorter side to 768 pixels, Anthropic the longer
side to 1568 pixels and the area to 1.15 million.
"""


@dataclass(frozen=True, slots=True)
class SmartResize:
    """Sides that are multiples of a factor, within limits of area: the rule of Qwen's image processors.

    Attributes:
        factor: 28 for Qwen2-VL, Qwen2.5-VL and UI-TARS 1.5; 32 for Qwen3-VL.
        min_pixels, max_pixels: Limits of the area.
    """

    factor: int
    min_pixels: int
    max_pixels: int

    def __post_init__(self) -> None:
        if not 1 <= self.factor**2 <= self.max_pixels or self.min_pixels > self.max_pixels:
            raise ValueError(f"no size satisfies {self}")

    def size(self, screen: Size) -> Size:
        """Return the size of the image for a screen, by the same arithmetic as the image processor."""
        height = max(self.factor, round(screen.height / self.factor) * self.factor)
        width = max(self.factor, round(screen.width / self.factor) * self.factor)
        if height * width > self.max_pixels:
            share = math.sqrt(screen.height * screen.width / self.max_pixels)
            height = max(self.factor, math.floor(screen.height / share / self.factor) * self.factor)
            width = max(self.factor, math.floor(screen.width / share / self.factor) * self.factor)
        elif height * width < self.min_pixels:
            share = math.sqrt(self.min_pixels / (screen.height * screen.width))
            height = math.ceil(screen.height * share / self.factor) * self.factor
            width = math.ceil(screen.width * share / self.factor) * self.factor
        return Size(width, height)


ImageRule = NativeSize | LongSide | SmartResize

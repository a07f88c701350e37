"""How large the picture is that a model is sent, and the picture itself."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from PIL import Image

from garabench.core.geometry import Size


@dataclass(frozen=True, slots=True)
class Native:
    """The screenshot as it is."""

    def size(self, screen: Size) -> Size:
        """The size of the picture for a screen."""
        return screen


@dataclass(frozen=True, slots=True)
class LongSide:
    """The longer side is brought down to a limit; smaller screens stay as they are.

    Attributes:
        limit: In pixels.
    """

    limit: int

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise ValueError(f"a side has at least one pixel, not {self.limit}")

    def size(self, screen: Size) -> Size:
        """The size of the picture for a screen."""
        longest = max(screen.width, screen.height)
        if longest <= self.limit:
            return screen
        share = self.limit / longest
        return Size(max(1, round(screen.width * share)), max(1, round(screen.height * share)))


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
            raise ValueError(f"no picture can have these sides: {self}")

    def size(self, screen: Size) -> Size:
        """The size of the picture for a screen, by the same arithmetic as the image processor."""
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


ImageRule = Native | LongSide | SmartResize


def prepare(png: bytes, rule: ImageRule) -> tuple[bytes, Size]:
    """Bring a screenshot to the size of a rule.

    Args:
        png: The screenshot.
        rule: The rule.

    Returns:
        The picture as PNG, and its size, which the reply's coordinates may refer to.

    Raises:
        OSError: The bytes are no picture. A black one in its place would be a lie.
    """
    with Image.open(io.BytesIO(png)) as image:
        size = rule.size(Size(image.width, image.height))
        if (image.width, image.height) == (size.width, size.height):
            return png, size
        smaller = image.convert("RGB").resize((size.width, size.height), Image.Resampling.BICUBIC)
    out = io.BytesIO()
    smaller.save(out, "PNG")
    return out.getvalue(), size

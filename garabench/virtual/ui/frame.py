"""A rendered screen and its cached encodings."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from PIL import Image, ImageChops

from garabench.core import png
from garabench.core.geometry import Size


@dataclass(slots=True)
class Frame:
    """A rendered screen.

    Attributes:
        image: Image in mode RGB.
    """

    image: Image.Image
    _png: bytes = b""
    _jpeg: dict[int, bytes] = field(default_factory=dict)

    @property
    def size(self) -> Size:
        """Its size in pixels."""
        return Size(*self.image.size)

    def png(self) -> bytes:
        """As PNG."""
        if not self._png:
            self._png = png.encode_png(self.image)
        return self._png

    def jpeg(self, quality: int = 80) -> bytes:
        """As JPEG."""
        if quality not in self._jpeg:
            buffer = io.BytesIO()
            self.image.save(buffer, "JPEG", quality=quality)
            self._jpeg[quality] = buffer.getvalue()
        return self._jpeg[quality]

    def rgb565(self) -> bytes:
        """As RGB_565, two bytes per pixel with the low one first, row by row."""
        red, green, blue = self.image.convert("RGB").split()
        low = ImageChops.add(
            green.point(lambda value: (value & 0x1C) << 3), blue.point(lambda value: value >> 3)
        )
        high = ImageChops.add(red.point(lambda value: value & 0xF8), green.point(lambda value: value >> 5))
        return Image.merge("LA", (low, high)).tobytes()

    def rgba(self) -> bytes:
        """As RGBA, four bytes per pixel, row by row."""
        return self.image.convert("RGBA").tobytes()

"""A rendered screen and its cached encodings."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from PIL import Image

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
            self._png = png.encode(self.image)
        return self._png

    def jpeg(self, quality: int = 80) -> bytes:
        """As JPEG."""
        if quality not in self._jpeg:
            buffer = io.BytesIO()
            self.image.save(buffer, "JPEG", quality=quality)
            self._jpeg[quality] = buffer.getvalue()
        return self._jpeg[quality]

    def rgba(self) -> bytes:
        """As RGBA, four bytes per pixel, row by row."""
        return self.image.convert("RGBA").tobytes()

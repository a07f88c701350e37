"""Small copies of pictures, as bytes and as ``data:`` URLs."""

from __future__ import annotations

import base64
import enum
import io

from PIL import Image

_MOST_PIXELS = 64_000_000
"""A small file can claim to be a huge picture."""
_TALLEST = 4
"""Maximum height of a copy, in widths."""


class ThumbnailFormat(enum.StrEnum):
    """The format of a copy."""

    WEBP = "WEBP"
    """The smallest, for copies inside a page."""
    JPEG = "JPEG"
    """The fastest, for copies made on demand."""


def thumbnail(
    picture: bytes, width: int, quality: int, form: ThumbnailFormat = ThumbnailFormat.WEBP
) -> bytes | None:
    """Return a small copy of a picture; None if the picture is damaged or too large.

    A picture that is smaller is not enlarged.

    Args:
        picture: The picture, PNG or JPEG.
        width: Maximum width of the copy in pixels.
        quality: Quality of the copy, 0 to 100.
        form: Format of the copy.
    """
    try:
        with Image.open(io.BytesIO(picture), formats=("PNG", "JPEG")) as image:
            if image.width * image.height > _MOST_PIXELS:
                return None
            full = image if image.mode in ("RGB", "RGBA", "L") else image.convert("RGB")
            # First by a whole number, which is fast, then to the exact size.
            small = full.reduce(max(1, image.width // (2 * width))).convert("RGB")
            scale = min(1, width / image.width, width * _TALLEST / image.height)
            size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
            if small.size != size:
                small = small.resize(size, Image.Resampling.BILINEAR)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    out = io.BytesIO()
    small.save(out, form.value, quality=quality, method=2)
    return out.getvalue()


def webp_url(data: bytes) -> str:
    """Return a WebP picture as a ``data:`` URL."""
    return f"data:image/webp;base64,{base64.b64encode(data).decode()}"

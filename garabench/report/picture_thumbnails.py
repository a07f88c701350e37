"""Small copies of pictures of a run, to stand inside a page."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable

from PIL import Image

from garabench.core.sections import Picture
from garabench.records.content_store import ContentKind, ContentStore, is_hash

WIDTH = 240
"""Width in pixels; pages show them at up to 160."""
_QUALITY = 62
_MAX_PIXELS = 50_000_000
"""A small file can claim to be a huge picture."""


class Thumbnails:
    """Makes thumbnails from the content stores of runs; the same picture is scaled once."""

    def __init__(self, stores: Iterable[ContentStore]) -> None:
        """Take the stores in which pictures are looked up.

        Args:
            stores: The stores of the runs.
        """
        self._stores = tuple(stores)
        self._made: dict[str, str | None] = {}

    def address(self, picture: Picture) -> str | None:
        """Return a picture as a ``data:`` URL; None if it is missing or damaged."""
        if picture.sha256 not in self._made:
            self._made[picture.sha256] = self._make(picture.sha256)
        return self._made[picture.sha256]

    def _make(self, sha256: str) -> str | None:
        if not is_hash(sha256):
            return None  # log version 2 and before names files of the episode instead
        for store in self._stores:
            for kind in (ContentKind.PNG, ContentKind.JPEG):
                path = store.path(sha256, kind)
                if path.is_file():
                    try:
                        return (
                            f"data:image/webp;base64,{base64.b64encode(_scaled(path.read_bytes())).decode()}"
                        )
                    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
                        return None
        return None


def _scaled(data: bytes) -> bytes:
    """Return a picture in thumbnail size as WebP.

    Raises:
        OSError, ValueError, SyntaxError: It is damaged.
    """
    with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
        if image.width * image.height > _MAX_PIXELS:
            raise ValueError("the picture is too large")
        full = image.convert("RGB") if image.mode == "P" else image  # palettes cannot be averaged
        scaled = full.reduce(max(1, image.width // (2 * WIDTH))).convert("RGB")  # most of the pixels go first
        scaled.thumbnail((WIDTH, WIDTH * 4))
        out = io.BytesIO()
        scaled.save(out, "WEBP", quality=_QUALITY, method=2)
        return out.getvalue()

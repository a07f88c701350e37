"""Small copies of pictures of a run, to stand inside a page."""

from __future__ import annotations

from collections.abc import Iterable

from garabench.core.sections import Picture
from garabench.core.thumbnail import thumbnail, webp_url
from garabench.records.content_store import ContentStore

WIDTH = 240
"""Width in pixels; pages show them at up to 160."""
_QUALITY = 62


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
        for store in self._stores:
            picture = store.read_picture(sha256)
            if picture is not None:
                small = thumbnail(picture, WIDTH, _QUALITY)
                return None if small is None else webp_url(small)
        return None

"""Small copies of screenshots for film strips, made on demand and cached."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from garabench.core.thumbnail import ThumbnailFormat, thumbnail

_MAX_BYTES = 64 * 1024 * 1024
_QUALITY = 82
_THREADS = 2
"""Threads that shrink pictures, each in the memory of a whole picture; browsers request six at a time."""


class ThumbnailCache:
    """Small JPEG copies of pictures. Its methods may be called from several threads."""

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        """Create an empty cache.

        Args:
            max_bytes: Limit of its size; the least recently used copies are discarded first.
        """
        self._max = max_bytes
        self._lock = threading.Lock()
        self._size = 0
        self._copies: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._shrinking = ThreadPoolExecutor(_THREADS, "thumbnail")

    def small(self, path: Path, width: int) -> bytes | None:
        """Return a copy of a picture as JPEG; None if the picture cannot be read.

        Args:
            path: The picture's file, whose content never changes.
            width: Width of the copy in pixels.
        """
        key = (str(path), width)
        with self._lock:
            if key in self._copies:
                self._copies.move_to_end(key)
                return self._copies[key]
        data = self._shrinking.submit(_shrink, path, width).result()
        if data is not None:
            with self._lock:
                if key not in self._copies:
                    self._copies[key] = data
                    self._size += len(data)
                while self._size > self._max and len(self._copies) > 1:
                    self._size -= len(self._copies.popitem(last=False)[1])
        return data


def _shrink(path: Path, width: int) -> bytes | None:
    try:
        return thumbnail(path.read_bytes(), width, _QUALITY, ThumbnailFormat.JPEG)
    except OSError:
        return None

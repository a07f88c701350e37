"""Caches of drawn images, bounded by the memory that the images use rather than by their number."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, ParamSpec

from PIL import Image

MIB = 1024 * 1024
_P = ParamSpec("_P")
_ONE_BYTE_MODES = frozenset({"1", "L", "P"})
_KEYWORDS = object()


def image_bytes(image: Image.Image) -> int:
    """Return the memory of an image's pixels; Pillow stores RGB in four bytes."""
    return image.width * image.height * (1 if image.mode in _ONE_BYTE_MODES else 4)


class CachedImages(Generic[_P]):
    """A pure function that draws images, with a cache of the recently used ones."""

    def __init__(self, draw: Callable[_P, Image.Image], max_bytes: int) -> None:
        """Create an empty cache; see `cache_images`."""
        functools.update_wrapper(self, draw)
        self._draw = draw
        self._max_bytes = max_bytes
        self._images: OrderedDict[object, Image.Image] = OrderedDict()
        self._used = 0
        self._lock = threading.Lock()

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> Image.Image:
        """Return the image, drawn unless it is cached."""
        key = (*args, _KEYWORDS, *kwargs.items()) if kwargs else args
        with self._lock:
            found = self._images.get(key)
            if found is not None:
                self._images.move_to_end(key)
                return found
        drawn = self._draw(*args, **kwargs)
        with self._lock:
            if key not in self._images:
                self._images[key] = drawn
                self._used += image_bytes(drawn)
            while self._used > self._max_bytes and len(self._images) > 1:
                self._used -= image_bytes(self._images.popitem(last=False)[1])
        return drawn

    def cache_clear(self) -> None:
        """Discard all images."""
        with self._lock:
            self._images.clear()
            self._used = 0


def cache_images(max_bytes: int) -> Callable[[Callable[_P, Image.Image]], CachedImages[_P]]:
    """Cache the images of a pure function, and discard the least recently used ones above a limit.

    The newest image is always cached, even one larger than the limit.

    Args:
        max_bytes: Limit of all cached images together.
    """
    return lambda draw: CachedImages(draw, max_bytes)

"""Caches of drawn images, bounded by the memory that the images use rather than by their number."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import ParamSpec

from PIL import Image

MIB = 1024 * 1024
_P = ParamSpec("_P")
_ONE_BYTE_MODES = frozenset({"1", "L", "P"})
_KEYWORDS = object()


def image_bytes(image: Image.Image) -> int:
    """Return the memory of an image's pixels; Pillow stores RGB in four bytes."""
    return image.width * image.height * (1 if image.mode in _ONE_BYTE_MODES else 4)


def cache_images(max_bytes: int) -> Callable[[Callable[_P, Image.Image]], Callable[_P, Image.Image]]:
    """Cache the images of a pure function, and discard the least recently used ones above a limit.

    The newest image is always cached, even one larger than the limit.

    Args:
        max_bytes: Limit of all cached images together.
    """

    def decorate(draw: Callable[_P, Image.Image]) -> Callable[_P, Image.Image]:
        images: OrderedDict[object, Image.Image] = OrderedDict()
        lock = threading.Lock()
        used = 0

        @functools.wraps(draw)
        def cached(*args: _P.args, **kwargs: _P.kwargs) -> Image.Image:
            nonlocal used
            key = (*args, _KEYWORDS, *kwargs.items()) if kwargs else args
            with lock:
                found = images.get(key)
                if found is not None:
                    images.move_to_end(key)
                    return found
            drawn = draw(*args, **kwargs)
            with lock:
                if key not in images:
                    images[key] = drawn
                    used += image_bytes(drawn)
                while used > max_bytes and len(images) > 1:
                    used -= image_bytes(images.popitem(last=False)[1])
            return drawn

        return cached

    return decorate

"""Give the memory of pictures back when they are no longer needed."""

from __future__ import annotations

import contextlib
import ctypes

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_LARGE_BYTES = 16 * 1024 * 1024
"""More than a screen's picture, which is freed and made anew all the time, and less than a map's."""
_SPARE_BYTES = 12 * 1024 * 1024


def return_freed_pictures() -> None:
    """Have glibc map each very large picture by itself, and keep little spare, so that freeing gives back.

    Without it glibc raises that limit with each picture that is freed, and a phone that has shown many apps
    keeps a quarter more than it uses. Other C libraries have no such call, which is as well.
    """
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        libc.mallopt(_M_TRIM_THRESHOLD, _SPARE_BYTES)
        libc.mallopt(_M_ARENA_MAX, 1)

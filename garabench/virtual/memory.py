"""Give the memory of pictures back when they are no longer needed."""

from __future__ import annotations

import contextlib
import ctypes

_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_PICTURE_BYTES = 128 * 1024


def return_freed_pictures() -> None:
    """Have glibc map each picture by itself, so that freeing it gives its memory back to the system.

    Without it glibc raises that limit with each picture that is freed, and a phone that has shown many apps
    keeps a quarter more than it uses. Other C libraries have no such call, which is as well.
    """
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_MMAP_THRESHOLD, _PICTURE_BYTES)
        libc.mallopt(_M_ARENA_MAX, 1)

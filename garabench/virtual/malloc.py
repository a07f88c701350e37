"""Have glibc's malloc return the memory of freed images to the system."""

from __future__ import annotations

import contextlib
import ctypes

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_LARGE_BYTES = 16 * 1024 * 1024
"""More than a screenshot, which is freed and allocated all the time, and less than a map image."""
_SPARE_BYTES = 12 * 1024 * 1024


def return_freed_images() -> None:
    """Have glibc mmap very large images and keep little spare memory, so that freeing returns it.

    Without it glibc raises that threshold with each freed image, and a phone that has shown many apps
    holds a quarter more memory than it uses. Other C libraries have no such call and are left alone.
    """
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        libc.mallopt(_M_TRIM_THRESHOLD, _SPARE_BYTES)
        libc.mallopt(_M_ARENA_MAX, 1)


def trim() -> None:
    """Return the freed memory between used blocks to the system, which takes about a millisecond.

    Pictures of many sizes come and go between small long-lived blocks. Without this call a phone after
    hundreds of episodes holds 60 MB more than it uses.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)

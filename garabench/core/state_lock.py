"""The lock of the apps' states: what opens it, and what the next one is."""

from __future__ import annotations

import hashlib

KEYS = 4096
"""Number of keys of a chain; a lock is compared with as many hashes of a key."""


def next_lock(key: str) -> str:
    """Return the lock that a key opens: its SHA-256 in hexadecimal digits."""
    return hashlib.sha256(key.encode()).hexdigest()


def opens(key: str, lock: str) -> bool:
    """Return whether a lock is a hash of a key, or a hash of such a hash, and so on.

    Answers may be lost, so not only the first hash counts.
    """
    for _ in range(KEYS):
        key = next_lock(key)
        if key == lock:
            return True
    return False

"""Identity hashes of the system's objects, as Android 4.4's dumps print them."""

from __future__ import annotations

import zlib

_HEAP, _MASK = 0x41000000, 0xFFFFFF


def identity_hash(*parts: object) -> str:
    """Return the eight hexadecimal digits of an object, which is identified by these parts."""
    seed = "/".join(str(part) for part in parts)
    return f"{_HEAP | zlib.crc32(seed.encode()) & _MASK:08x}"

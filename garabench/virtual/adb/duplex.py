"""Byte streams between the ADB server and the services on the phone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol


class Duplex(Protocol):
    """A stream of bytes in both directions."""

    async def read(self) -> bytes:
        """Read some bytes; empty at the end."""
        ...

    async def write(self, data: bytes) -> None:
        """Send bytes; return once the peer has acknowledged them."""
        ...

    async def close(self) -> None:
        """End the stream."""
        ...


LocalService = Callable[[Duplex], Awaitable[None]]
"""A service on the phone: serves a stream until it ends."""

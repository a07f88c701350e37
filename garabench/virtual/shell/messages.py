"""What the shell itself prints."""

from __future__ import annotations

from garabench.virtual.shell.call import Streams


async def say(streams: Streams, text: str) -> None:
    """Print text."""
    await streams.write(1)(text.encode("utf-8", errors="surrogateescape"))


async def complain(streams: Streams, text: str) -> None:
    """Print what is wrong, after the shell's name."""
    await streams.write(2)(f"/system/bin/sh: {text}\n".encode("utf-8", errors="surrogateescape"))

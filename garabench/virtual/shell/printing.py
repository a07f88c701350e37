"""Output of the shell itself."""

from __future__ import annotations

from garabench.virtual.shell.call import Streams


async def print_text(streams: Streams, text: str) -> None:
    """Write text to standard output."""
    await streams.write(1)(text.encode("utf-8", errors="surrogateescape"))


async def print_error(streams: Streams, text: str) -> None:
    """Write an error to standard error, prefixed by the shell's name."""
    await streams.write(2)(f"/system/bin/sh: {text}\n".encode("utf-8", errors="surrogateescape"))

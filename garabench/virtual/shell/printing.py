"""Output of the shell itself."""

from __future__ import annotations

from garabench.virtual.shell.call import Streams


async def print_text(streams: Streams, text: str) -> None:
    """Write text to standard output."""
    await streams.write(1)(text.encode("utf-8", errors="surrogateescape"))


def quote(text: str) -> str:
    """Return a text as the shell reads it back: in quotes if it is not plain (``${name@Q}``)."""
    plain = text and all(char.isalnum() or char in "_-./:@%+=," for char in text)
    return text if plain else "'" + text.replace("'", "'\\''") + "'"


async def print_error(streams: Streams, text: str) -> None:
    """Write an error to standard error, prefixed by the shell's name."""
    await streams.write(2)(f"/system/bin/sh: {text}\n".encode("utf-8", errors="surrogateescape"))

"""A log of a program's output, of bounded size."""

from __future__ import annotations

import contextlib
from pathlib import Path

from garabench.core.redaction import redact_keys

_HEAD, _TAIL = 256 * 1024, 64 * 1024
_MAX_EXCERPT = 300
_MAX_READ = 2 * _MAX_EXCERPT


class BoundedLog:
    """The beginning and the end of a program's output; the bytes between are omitted and counted.

    Errors of writing are ignored: a log must not end an episode.
    """

    def __init__(self, path: Path) -> None:
        """Prepare.

        Args:
            path: The file, created with the first byte.
        """
        self._path = path
        self._room = _HEAD
        self._tail = bytearray()
        self._omitted = 0
        self._latest = bytearray()

    def write(self, data: bytes) -> None:
        """Add output."""
        self._latest = (self._latest + data)[-_TAIL:]
        head, rest = data[: self._room], data[self._room :]
        self._room -= len(head)
        self._append(head)
        self._tail += rest
        if (over := len(self._tail) - _TAIL) > 0:
            self._omitted += over
            del self._tail[:over]

    def close(self) -> None:
        """Write the end of the output."""
        if self._omitted:
            self._append(f"\n[… {self._omitted} bytes omitted …]\n".encode())
        self._append(bytes(self._tail))
        self._tail.clear()
        self._omitted = 0

    @property
    def last_line(self) -> str:
        """The last line that is not blank, as an excerpt; empty if there is none."""
        lines = self._latest.decode("utf-8", errors="replace").split("\n")
        return next((redacted_excerpt(line) for line in reversed(lines) if line.strip()), "")

    def _append(self, data: bytes) -> None:
        if not data:
            return
        with contextlib.suppress(OSError), self._path.open("ab") as file:
            file.write(data)


def redacted_excerpt(text: str) -> str:
    """Return another program's text for a message: one short line, without control characters and keys."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text).strip()
    plain = redact_keys(plain[:_MAX_READ])
    return plain if len(plain) <= _MAX_EXCERPT else f"{plain[:_MAX_EXCERPT]}…"

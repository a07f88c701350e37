"""A log of what a program says, which stays small however much it says."""

from __future__ import annotations

import contextlib
from pathlib import Path

from garabench.agents.keytexts import without_keys

AGENT_LOG = "agent.log"
"""Its name within an episode's folder."""
_HEAD, _TAIL = 256 * 1024, 64 * 1024
_MOST_TOLD = 300
_MOST_READ = 2 * _MOST_TOLD


class BoundedLog:
    """The beginning and the end of what a program said; what lies between is left out and counted.

    What cannot be written is not kept: a log is no reason to end an episode.
    """

    def __init__(self, path: Path) -> None:
        """Begin.

        Args:
            path: The file, made with the first byte.
        """
        self._path = path
        self._room = _HEAD
        self._tail = bytearray()
        self._left_out = 0
        self._said = bytearray()

    def write(self, data: bytes) -> None:
        """Take in what was said."""
        self._said = (self._said + data)[-_TAIL:]
        head, rest = data[: self._room], data[self._room :]
        self._room -= len(head)
        self._append(head)
        self._tail += rest
        if (over := len(self._tail) - _TAIL) > 0:
            self._left_out += over
            del self._tail[:over]

    def close(self) -> None:
        """Write the end of what was said."""
        if self._left_out:
            self._append(f"\n[… {self._left_out} bytes are left out …]\n".encode())
        self._append(bytes(self._tail))
        self._tail.clear()
        self._left_out = 0

    @property
    def last_line(self) -> str:
        """The last line that is not blank, for a message to a person; empty when nothing was said."""
        lines = self._said.decode("utf-8", errors="replace").split("\n")
        return next((told(line) for line in reversed(lines) if line.strip()), "")

    def _append(self, data: bytes) -> None:
        if not data:
            return
        with contextlib.suppress(OSError), self._path.open("ab") as file:
            file.write(data)


def told(text: str) -> str:
    """A text of another program within a message: one line, no control letters, no keys, not too long."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text).strip()
    plain = without_keys(plain[:_MOST_READ])
    return plain if len(plain) <= _MOST_TOLD else f"{plain[:_MOST_TOLD]}…"

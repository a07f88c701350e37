"""Find the processes that a program has left behind, also those that have left its session."""

from __future__ import annotations

from pathlib import Path

MARK = "GARABENCH_PROCESS"
"""Environment variable that every process of a program inherits."""
_PROC = Path("/proc")


def marked(mark: str) -> tuple[int, ...]:
    """The processes of this user whose environment has the mark; none where the system does not tell.

    The adb server is left out: whoever calls ``adb`` first starts it, and all others need it from then on.

    Args:
        mark: The value of `MARK`.
    """
    wanted = f"{MARK}={mark}".encode()
    found: list[int] = []
    for folder in _PROC.glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if b"fork-server" not in words:
                    found.append(int(folder.name))
        except OSError:  # another user's, or gone
            continue
    return tuple(found)

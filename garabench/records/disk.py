"""Write files of a run so that a kill never leaves half of one, and read files that are appended to."""

from __future__ import annotations

import contextlib
import errno
import threading
from pathlib import Path

from garabench.errors import InputError, RecordError


def disk_error(error: OSError, path: Path) -> RecordError:
    """The error to raise for a write that failed."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return RecordError(
            f"the disk is full: {path} could not be written; free some room and resume the run"
        )
    return RecordError(f"{path} could not be written: {error.strerror or error}")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically through a temporary file; a missing folder is created.

    Threads may write the same file at once: the last one wins, and readers only ever meet a whole file.

    Raises:
        RecordError: It cannot be written.
    """
    part = path.with_name(f"{path.name}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise disk_error(error, path) from error


def whole_lines(path: Path) -> tuple[str, ...]:
    """The lines of a file that is appended to, without a last one that a kill has cut off.

    Raises:
        InputError: It is not UTF-8 text.
    """
    # Before decoding: a cut may lie within a character.
    *whole, _ = path.read_bytes().split(b"\n")
    lines: list[str] = []
    for number, line in enumerate(whole, start=1):
        try:
            lines.append(line.decode("utf-8") + "\n")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}:{error.start + 1}: not UTF-8 text") from error
    return tuple(lines)

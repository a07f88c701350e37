"""Write files of a run atomically, and read append-only files whose last line may be truncated."""

from __future__ import annotations

import contextlib
import errno
import threading
from pathlib import Path

from garabench.errors import InputError, RecordError


def disk_error(error: OSError, path: Path) -> RecordError:
    """Return the error for a failed write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return RecordError(
            f"the disk is full: {path} could not be written; free some space and resume the run"
        )
    return RecordError(f"{path} could not be written: {error.strerror or error}")


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file atomically through a temporary file; a missing folder is created.

    Several threads may write the same file: the last one wins, and readers always see a whole file.

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


def complete_lines(path: Path) -> tuple[str, ...]:
    """Return the lines of an append-only file, without a truncated last one.

    Raises:
        InputError: It is not UTF-8 text.
    """
    # Before decoding: the truncated line may end within a character.
    *whole, _ = path.read_bytes().split(b"\n")
    lines: list[str] = []
    for number, line in enumerate(whole, start=1):
        try:
            lines.append(line.decode("utf-8") + "\n")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}:{error.start + 1}: not UTF-8 text") from error
    return tuple(lines)

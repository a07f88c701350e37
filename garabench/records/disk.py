"""Write files of a run atomically, and read append-only files whose last line may be truncated."""

from __future__ import annotations

import contextlib
import errno
import os
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


def force_to_disk(path: Path) -> None:
    """Force the content of a file, or the names in a folder, to the disk.

    Raises:
        OSError: It cannot be read or forced.
    """
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def make_durable_folder(folder: Path) -> None:
    """Create a folder and its missing parents, and force the names of those created to the disk.

    Raises:
        OSError: It cannot be created.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        force_to_disk(each.parent)


def write_atomic(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file atomically through a temporary file; a missing folder is created.

    Several threads may write the same file: the last one wins, and readers always see a whole file.

    Args:
        path: The file.
        data: Its content.
        durable: Whether the file survives a power failure once this has returned. It takes a few `fsync`.

    Raises:
        RecordError: It cannot be written.
    """
    part = path.with_name(f"{path.name}.{threading.get_ident()}.part")
    try:
        if durable:
            make_durable_folder(path.parent)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        if durable:
            force_to_disk(part)
        part.replace(path)
        if durable:
            force_to_disk(path.parent)
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

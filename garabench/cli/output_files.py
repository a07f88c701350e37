"""Write output files named on the command line."""

from __future__ import annotations

import errno
from pathlib import Path

from garabench.errors import InputError
from garabench.records.disk import disk_error


def write_file(path: Path, data: bytes) -> None:
    """Write a file and create its folder.

    Raises:
        InputError: The path is not writable.
        RecordError: The disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_error(error, path) from error
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error

"""Write the files that a person asked for."""

from __future__ import annotations

import errno
from pathlib import Path

from garabench.episode.recorder import disk_error
from garabench.errors import InputError


def write(path: Path, data: bytes) -> None:
    """Write a file where a person said, making its folder.

    Raises:
        InputError: It cannot be written there.
        RecordError: The disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_error(error, path) from error
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error

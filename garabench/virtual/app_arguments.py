"""The app files that a phone's process is started with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from garabench.core.file_errors import unreadable


def checked_apps(paths: Sequence[Path | str]) -> tuple[Path, ...]:
    """Check the app files of a phone before its process starts.

    Args:
        paths: App files and their folders.

    Returns:
        The paths, absolute.

    Raises:
        InputError: An app file is wrong.
    """
    found = tuple(Path(path).absolute() for path in paths)
    if found:
        from garabench.virtual.app_files.app_loader import phone_apps  # slow: loads all apps

        phone_apps([Path(path) for path in paths])
    return found


def app_files_hash(paths: Sequence[Path | str]) -> str:
    """Return the SHA-256 of app files, regardless of their order and folder; empty without any.

    Args:
        paths: App files and their folders.

    Raises:
        InputError: A folder contains no app file, or a file cannot be read.
    """
    if not paths:
        return ""
    from garabench.virtual.app_files.app_loader import app_files  # slow: loads all apps

    try:
        contents = [file.read_bytes() for path in paths for file in app_files(Path(path))]
    except OSError as error:
        raise unreadable(error.filename or "an app file", error) from error
    hashes = sorted(hashlib.sha256(content).hexdigest() for content in contents)
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()

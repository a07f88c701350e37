"""The app files that a phone's process is started with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


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

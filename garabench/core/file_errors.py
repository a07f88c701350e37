"""What a person reads if a file or folder cannot be read: one wording for every reader of a user's path."""

from __future__ import annotations

from pathlib import Path

from garabench.errors import InputError


def missing_path(path: Path | str, kind: str = "file or folder", *, hint: str = "") -> InputError:
    """Return the error for a path at which there is nothing.

    Args:
        path: The path, as the user named it.
        kind: What is expected there: ``file``, ``folder`` or either.
        hint: What to do; empty if the path says it all.
    """
    return InputError(f"no such {kind}: {path}", hint=hint)


def unreadable(path: Path | str, error: Exception) -> InputError:
    """Return the error for a file that cannot be read.

    Args:
        path: The file, as the user named it.
        error: Why: an OSError, a UnicodeError, or an error of the file's format.
    """
    if isinstance(error, FileNotFoundError):
        return missing_path(path, "file")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path} is a folder, not a file")
    if isinstance(error, UnicodeError):
        return InputError(f"{path} cannot be read: it is not UTF-8 text")
    reason = error.strerror or error if isinstance(error, OSError) else error
    return InputError(f"{path} cannot be read: {reason}")

"""Read what a frame names: its tree and its picture."""

from __future__ import annotations

from garabench.core.file_errors import unreadable
from garabench.core.tree import UiTree
from garabench.records.tree_files import read_tree
from garabench.verifier.trajectory import TrajectoryFrame


def frame_tree(frame: TrajectoryFrame) -> UiTree | None:
    """Return the frame's UI tree; None if it has none, or if its file is missing.

    Raises:
        InputError: The file is broken.
    """
    return read_tree(frame.tree) if frame.tree is not None and frame.tree.is_file() else None


def frame_picture(frame: TrajectoryFrame) -> bytes | None:
    """Return the frame's picture; None if it has none, or if its file is missing.

    Raises:
        InputError: It cannot be read.
    """
    if frame.picture is None or not frame.picture.is_file():
        return None
    try:
        return frame.picture.read_bytes()
    except OSError as error:
        raise unreadable(frame.picture, error) from error

"""Scroll a node of a window, within what there is to scroll."""

from __future__ import annotations

from garabench.virtual.ui.scene import LaidNode, ViewState


def scroll_by(state: ViewState, node: LaidNode, dx: int, dy: int) -> bool:
    """Move a scrollable's content.

    Args:
        state: The view state of its window.
        node: The scrollable.
        dx: Pixels by which the content moves to the left (what is further right comes into view).
        dy: Pixels by which it moves up.

    Returns:
        Whether it moved at all.
    """
    info = node.scroll
    if info is None:
        return False
    wanted = info.offset + (dx if info.horizontal else dy)
    offset = min(max(0, wanted), info.maximum)
    state.offsets[node.key_path] = offset
    return offset != info.offset


def reached_end(state: ViewState, node: LaidNode) -> bool:
    """Whether a scrollable's end has come into view since it was last asked; once for each end."""
    info = node.scroll
    if info is None or not info.at_end:
        return False
    if state.ends.get(node.key_path) == info.maximum:
        return False
    state.ends[node.key_path] = info.maximum
    return True

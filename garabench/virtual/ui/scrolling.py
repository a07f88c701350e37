"""Scrolling of a window's nodes."""

from __future__ import annotations

from garabench.virtual.ui.scene import PlacedNode, ViewState


def scroll_by(state: ViewState, node: PlacedNode, dx: int, dy: int) -> bool:
    """Scroll a node, within its content.

    Args:
        state: The view state of its window.
        node: The scrollable.
        dx: Pixels by which the content moves left.
        dy: Pixels by which the content moves up.

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


def reached_end(state: ViewState, node: PlacedNode) -> bool:
    """Return whether a scrollable's end has come into view since the last check; true once per end."""
    info = node.scroll
    if info is None or not info.at_end:
        return False
    if state.ends.get(node.key_path) == info.maximum:
        return False
    state.ends[node.key_path] = info.maximum
    return True

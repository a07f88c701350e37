"""Virtualized lists: only the visible rows are built and placed, as in a RecyclerView.

Heights of rows that were once visible are cached; those further down are estimated by the mean, so that
a list of ten thousand rows costs no more than its visible rows. A list whose width changes, as on a rotation,
stays at its first visible row, with the same part of that row above its edge: RecyclerView's
`LinearLayoutManager` saves that anchor. Scroll views keep their offset in pixels, as on Android.
"""

from __future__ import annotations

from typing import Any, Protocol

from garabench.core.geometry import Rect
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.measure import Measurer
from garabench.virtual.ui.scene import KeyPath, ListCache, PlacedNode, ScrollInfo, ViewState

_MEASURED_AHEAD = 2
_DEFAULT_ROW_DP = 72


class RowPlacer(Protocol):
    """Places the cells of rows: the window's placer."""

    @property
    def measure(self) -> Measurer:
        """The measurer."""
        ...

    @property
    def state(self) -> ViewState:
        """The window's view state."""
        ...

    def place(self, view: w.Widget, rect: Rect, clip: Rect, parent: KeyPath, index: int) -> PlacedNode:
        """Place a widget and its descendants."""
        ...

    def without_margin(self, view: w.Widget, outer: Rect) -> Rect:
        """Return a widget's bounds without its margins."""
        ...

    def scroll_info(self, path: KeyPath, content: int, inner: Rect, horizontal: bool) -> ScrollInfo:
        """Return the scroll position of a scrollable, clamped to its content."""
        ...


def place_list(
    placer: RowPlacer, view: w.ListView, inner: Rect, clip: Rect, path: KeyPath
) -> tuple[tuple[PlacedNode, ...], ScrollInfo]:
    """Place a list's header and visible rows.

    Args:
        placer: The window's placer.
        view: The list.
        inner: Its bounds inside its padding.
        clip: The clip of its ancestors.
        path: Its key path.

    Returns:
        The visible nodes, and the scroll position.
    """
    rows = _Rows(placer, view, inner, path)
    if rows.anchor is not None:
        placer.state.offsets[path] = rows.offset_at(*rows.anchor)
    wanted = placer.state.offsets.get(path, 0)
    rows.measure_until(wanted + inner.height * (1 + _MEASURED_AHEAD))
    info = placer.scroll_info(path, rows.content, inner, False)
    rows.measure_until(info.offset + inner.height)
    nodes: list[PlacedNode] = []
    at = inner.top - info.offset
    for number, height in enumerate(rows.heights):
        if at >= inner.bottom:
            break
        if at + height > inner.top:
            nodes += rows.place(number, at, height, clip, path)
        at += height + rows.gap
    return tuple(nodes), info


class _Rows:
    """The rows of one list at one width: the header's widgets first, then the items.

    Attributes:
        heights: The measured heights of the first rows.
        count: Number of rows.
        gap: Pixels between two rows.
        anchor: The first visible row at the previous width, and how many pixels of it are above the list's
            edge; None if the width is the same or the list was at its top.
    """

    def __init__(self, placer: RowPlacer, view: w.ListView, inner: Rect, path: KeyPath) -> None:
        self._placer = placer
        self._view = view
        self._inner = inner
        self.gap = placer.measure.px(view.gap)
        self._columns = max(1, view.columns)
        self._header = [widget for widget in view.header if widget.visible]
        self._built: dict[int, list[w.Widget]] = {}
        self.count = len(self._header) + -(-len(view.items) // self._columns)
        cache = placer.state.lists.setdefault(path, ListCache())
        offset = placer.state.offsets.get(path, 0)
        moved = cache.width != inner.width and offset > 0
        self.anchor = _row_at(offset, cache.heights, self.gap) if moved else None
        signature: list[Any] = [*self._header, *view.items]
        reused = 0
        if cache.width == inner.width:
            while reused < min(len(cache.items), len(signature)) and cache.items[reused] is signature[reused]:
                reused += 1
        # A row is measured again if it, or a row before it, has changed.
        head = len(self._header)
        rows_reused = reused if reused < head else head + (reused - head) // self._columns
        cache.width, cache.items = inner.width, signature
        del cache.heights[rows_reused:]
        self.heights = cache.heights

    @property
    def content(self) -> int:
        """Height of the whole list, partly estimated."""
        known = sum(self.heights)
        unknown = self.count - len(self.heights)
        mean = known / len(self.heights) if self.heights else self._placer.measure.px(_DEFAULT_ROW_DP)
        return round(known + unknown * mean) + self.gap * max(0, self.count - 1)

    def offset_at(self, number: int, above: int) -> int:
        """Return the offset at which some pixels of a row are above the list's edge."""
        while len(self.heights) < min(number, self.count):
            self.measure_until(sum(self.heights) + self.gap * len(self.heights) + 1)
        return sum(self.heights[:number]) + self.gap * number + above

    def measure_until(self, bottom: int) -> None:
        """Measure rows up to an offset, or to the last one."""
        reached = sum(self.heights) + self.gap * len(self.heights)
        fixed = self._placer.measure.px(self._view.item_height) if self._view.item_height else 0
        while len(self.heights) < self.count and reached < bottom:
            number = len(self.heights)
            if fixed and number >= len(self._header):
                height = fixed
            else:
                width = self._cell_width(number)
                sizes = [self._placer.measure.outer(cell, width, None) for cell in self.cells(number)]
                height = max((size[1] for size in sizes), default=0)
            self.heights.append(height)
            reached += height + self.gap

    def _cell_width(self, number: int) -> int:
        if number < len(self._header) or self._columns == 1:
            return max(0, self._inner.width)
        return max(0, (self._inner.width - self.gap * (self._columns - 1)) // self._columns)

    def cells(self, number: int) -> list[w.Widget]:
        """Return the widgets of a row."""
        if number not in self._built:
            if number < len(self._header):
                self._built[number] = [self._header[number]]
            else:
                first = (number - len(self._header)) * self._columns
                last = min(first + self._columns, len(self._view.items))
                items = self._view.items
                self._built[number] = [self._view.build(items[at], at) for at in range(first, last)]
        return self._built[number]

    def place(self, number: int, top: int, height: int, clip: Rect, path: KeyPath) -> list[PlacedNode]:
        """Place a row's cells."""
        width = self._cell_width(number)
        nodes = []
        for column, cell in enumerate(self.cells(number)):
            left = self._inner.left + column * (width + self.gap)
            outer = Rect(left, top, left + width, top + height)
            index = number if number < len(self._header) else self._index(number, column)
            rect = self._placer.without_margin(cell, outer)
            nodes.append(self._placer.place(cell, rect, clip, path, index))
        return nodes

    def _index(self, number: int, column: int) -> int:
        return len(self._header) + (number - len(self._header)) * self._columns + column


def _row_at(offset: int, heights: list[int], gap: int) -> tuple[int, int] | None:
    """Return the row at an offset and the offset within it; None if that row was not measured."""
    top = 0
    for number, height in enumerate(heights):
        if offset < top + height + gap:
            return number, offset - top
        top += height + gap
    return None

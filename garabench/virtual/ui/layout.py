"""Android's layout pass: from widgets to `PlacedNode`s."""

from __future__ import annotations

from collections.abc import Iterable

from garabench.core.geometry import Rect
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.list_rows import place_list
from garabench.virtual.ui.measure import Measurer
from garabench.virtual.ui.scene import NOWHERE, KeyPath, PlacedNode, ScrollInfo, ViewState
from garabench.virtual.ui.text_layout import TextLayout

_BULLET = "•"
_WITH_TEXT = (w.Text, w.CheckBox, w.RadioButton)
_CENTER, _END, _STRETCH = w.Align.CENTER, w.Align.END, w.Align.STRETCH


def lay_out(
    view: w.Widget, *, bounds: Rect, density: int, package: str, state: ViewState, font_scale: float = 1.0
) -> PlacedNode:
    """Lay out a window's view.

    Args:
        view: The root widget; it fills the bounds where it is MATCH.
        bounds: Bounds of the window.
        density: Dots per inch.
        package: Owner of the window, and package of bare ids.
        state: Scroll positions and focus; positions beyond the content are clamped.
        font_scale: The user's font scale.

    Returns:
        The root node.
    """
    placer = Placer(Measurer(density, font_scale), package, state)
    left, top, right, bottom = placer.measure.edges(view.margin)
    width, height = placer.measure.size(
        view, max(0, bounds.width - left - right), max(0, bounds.height - top - bottom)
    )
    rect = Rect(bounds.left + left, bounds.top + top, bounds.left + left + width, bounds.top + top + height)
    return placer.place(view, rect, bounds, (), 0)


class Placer:
    """Places the widgets of one window.

    Attributes:
        measure: The measurer.
        state: The window's view state.
    """

    def __init__(self, measure: Measurer, package: str, state: ViewState) -> None:
        self.measure = measure
        self.state = state
        self._package = package

    def place(self, view: w.Widget, rect: Rect, clip: Rect, parent: KeyPath, index: int) -> PlacedNode:
        """Place a widget and its descendants.

        Args:
            view: The widget.
            rect: Its bounds, without margins.
            clip: The clip of its ancestors.
            parent: Its parent's key path.
            index: Index among its siblings.
        """
        path = (*parent, view.key or f"{view.id or type(view).__name__}:{index}")
        visible = rect.intersect(clip)
        scroll: ScrollInfo | None = None
        children: tuple[PlacedNode, ...] = ()
        text_layout: TextLayout | None = None
        inner = self.inner(view, rect)
        if isinstance(view, w.Text):
            text_layout = self.measure.text(view, max(0, inner.width))
        elif isinstance(view, w.ScrollView):
            children, scroll = self._scroll(view, inner, visible, path)
        elif isinstance(view, w.Container):
            children = tuple(self._children(view, inner, visible, path))
        elif isinstance(view, w.ListView):
            children, scroll = place_list(self, view, inner, visible, path)
        return self._node(view, rect, visible, path, index, scroll, text_layout, children)

    def inner(self, view: w.Widget, rect: Rect) -> Rect:
        """Return the bounds inside a widget's padding."""
        if view.padding is w.NO_INSETS:
            return rect
        left, top, right, bottom = self.measure.edges(view.padding)
        return Rect(rect.left + left, rect.top + top, rect.right - right, rect.bottom - bottom)

    def _children(self, view: w.Container, inner: Rect, clip: Rect, path: KeyPath) -> Iterable[PlacedNode]:
        shown = [(index, child) for index, child in enumerate(view.children) if child.visible]
        children = [child for _, child in shown]
        if isinstance(view, w.Row) and view.wrap:
            places, _ = self.measure.flow(view, children, max(0, inner.width))
            rects = [
                Rect(inner.left + x, inner.top + y, inner.left + x + width, inner.top + y + height)
                for x, y, width, height in places
            ]
        elif isinstance(view, w.Row):
            rects = self._line(view, children, inner, view.gap, view.align, view.justify, True)
        elif isinstance(view, w.Column):
            rects = self._line(view, children, inner, view.gap, view.align, view.justify, False)
        else:
            rects = [self._in_box(child, inner) for child in children]
        for (index, child), outer in zip(shown, rects, strict=True):
            yield self.place(child, self.without_margin(child, outer), clip, path, index)

    def without_margin(self, view: w.Widget, outer: Rect) -> Rect:
        """Return a widget's bounds without its margins."""
        if view.margin is w.NO_INSETS:
            return outer
        left, top, right, bottom = self.measure.edges(view.margin)
        return Rect(outer.left + left, outer.top + top, outer.right - right, outer.bottom - bottom)

    def _in_box(self, child: w.Widget, inner: Rect) -> Rect:
        available_width, available_height = max(0, inner.width), max(0, inner.height)
        width, height = self.measure.outer(child, available_width, available_height)
        x, width = _align(child.align_self, inner.left, available_width, width)
        y, height = _align(child.align_vertical, inner.top, available_height, height)
        return Rect(x, y, x + width, y + height)

    def _line(
        self,
        view: w.Container,
        children: list[w.Widget],
        inner: Rect,
        gap_dp: float,
        align: w.Align,
        justify: w.Align,
        horizontal: bool,
    ) -> list[Rect]:
        gap = self.measure.px(gap_dp)
        available_width, available_height = max(0, inner.width), max(0, inner.height)
        main, cross = (
            (available_width, available_height) if horizontal else (available_height, available_width)
        )
        sizes = self.measure.along(children, main, cross, gap, horizontal=horizontal)
        used = sum(size[0 if horizontal else 1] for size in sizes) + gap * max(0, len(sizes) - 1)
        at, between = _justify(justify, max(0, main - used), len(sizes))
        rects = []
        for child, (width, height) in zip(children, sizes, strict=True):
            alignment = child.align_self or align
            if horizontal:
                y, aligned_height = _align(alignment, inner.top, available_height, height)
                rects.append(Rect(inner.left + at, y, inner.left + at + width, y + aligned_height))
                at += width + gap + between
            else:
                x, aligned_width = _align(alignment, inner.left, available_width, width)
                rects.append(Rect(x, inner.top + at, x + aligned_width, inner.top + at + height))
                at += height + gap + between
        return rects

    def _scroll(
        self, view: w.ScrollView, inner: Rect, clip: Rect, path: KeyPath
    ) -> tuple[tuple[PlacedNode, ...], ScrollInfo]:
        shown = [(index, child) for index, child in enumerate(view.children) if child.visible]
        children = [child for _, child in shown]
        gap = self.measure.px(view.gap)
        horizontal = view.horizontal
        cross = max(0, inner.height if horizontal else inner.width)
        sizes = self.measure.along(children, None, cross, gap, horizontal=horizontal)
        content = sum(size[0 if horizontal else 1] for size in sizes) + gap * max(0, len(sizes) - 1)
        info = self.scroll_info(path, content, inner, horizontal)
        at = -info.offset
        nodes = []
        for (index, child), (width, height) in zip(shown, sizes, strict=True):
            if horizontal:
                y, aligned_height = _align(child.align_self or w.Align.CENTER, inner.top, cross, height)
                outer = Rect(inner.left + at, y, inner.left + at + width, y + aligned_height)
                at += width + gap
            else:
                x, aligned_width = _align(child.align_self or w.Align.STRETCH, inner.left, cross, width)
                outer = Rect(x, inner.top + at, x + aligned_width, inner.top + at + height)
                at += height + gap
            nodes.append(self.place(child, self.without_margin(child, outer), clip, path, index))
        if not horizontal and self._scroll_to_reveal(path, nodes, inner, info):
            return self._scroll(view, inner, clip, path)
        return tuple(nodes), info

    def _scroll_to_reveal(
        self, path: KeyPath, nodes: Iterable[PlacedNode], inner: Rect, info: ScrollInfo
    ) -> bool:
        """Scroll to the node to reveal; return whether that moves anything."""
        wanted = self.state.reveal
        if wanted is None or wanted[: len(path)] != path:
            return False
        self.state.reveal = None
        node = next((node for top in nodes for node in top.walk() if node.key_path == wanted), None)
        if node is None:
            return False
        below, above = node.bounds.bottom - inner.bottom, inner.top - node.bounds.top
        offset = info.offset + below if below > 0 else info.offset - max(0, above)
        self.state.offsets[path] = offset
        return offset != info.offset

    def scroll_info(self, path: KeyPath, content: int, inner: Rect, horizontal: bool) -> ScrollInfo:
        """Return the scroll position of a scrollable, clamped to its content."""
        viewport = max(0, inner.width if horizontal else inner.height)
        maximum = max(0, content - viewport)
        offset = min(max(0, self.state.offsets.get(path, 0)), maximum)
        self.state.offsets[path] = offset
        return ScrollInfo(horizontal, offset, maximum, viewport)

    def _node(
        self,
        view: w.Widget,
        rect: Rect,
        visible: Rect,
        path: KeyPath,
        index: int,
        scroll: ScrollInfo | None,
        text_layout: TextLayout | None,
        children: tuple[PlacedNode, ...],
    ) -> PlacedNode:
        text, hint = _texts(view)
        field = isinstance(view, w.TextField)
        active = view.on_click is not None or field
        active = active or (isinstance(view, w.Canvas) and view.on_tap_at is not None)
        clickable = view.clickable if view.clickable is not None else active
        long = view.long_clickable if view.long_clickable is not None else view.on_long_click is not None
        # Android's SeekBar handles touches itself: its style makes it focusable, but not clickable.
        acts = clickable or isinstance(view, w.Slider)
        focusable = view.focusable if view.focusable is not None else acts
        identity = view.id if not view.id or ":" in view.id else f"{self._package}:id/{view.id}"
        return PlacedNode(
            widget=view,
            cls=view.cls,
            resource_id=identity,
            text=text,
            desc=view.desc,
            hint=hint,
            package=self._package,
            bounds=rect,
            visible=NOWHERE if visible.is_empty else visible,
            key_path=path,
            index=index,
            clickable=clickable,
            long_clickable=long or field,
            focusable=focusable,
            focused=self.state.focused == path,
            density=self.measure.density,
            font_scale=self.measure.font_scale,
            scroll=scroll,
            text_layout=text_layout,
            children=children,
        )


def _texts(view: w.Widget) -> tuple[str, str]:
    """Return a widget's accessibility text and hint."""
    if isinstance(view, _WITH_TEXT):
        return view.text, ""
    if isinstance(view, w.TextField):
        shown = _BULLET * len(view.text) if view.password else view.text
        return shown or view.hint, view.hint
    return "", ""


def _align(alignment: w.Align | None, start: int, available: int, size: int) -> tuple[int, int]:
    """Align an extent within the available space: offset and size."""
    if alignment is _STRETCH:
        return start, max(available, 0)
    if alignment is _CENTER:
        return start + (available - size) // 2, size
    if alignment is _END:
        return start + available - size, size
    return start, size


def _justify(alignment: w.Align, free: int, count: int) -> tuple[int, int]:
    """Return the offset of the first child, and the extra gap between children."""
    match alignment:
        case w.Align.CENTER:
            return free // 2, 0
        case w.Align.END:
            return free, 0
        case w.Align.SPACE_BETWEEN if count > 1:
            return 0, free // (count - 1)
        case w.Align.SPACE_AROUND if count:
            return free // (2 * count), free // count
        case _:
            return 0, 0

"""Android's measure pass: the size of a widget in pixels.

A size is measured within the available space; None means unlimited (along a scrolling axis).
Sizes include padding but not margins, which the parent adds.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import px
from garabench.virtual.ui.text_layout import TextLayout, lay_out_text, width_of

_MARK_DP = 22
_TOGGLE_DP = (52, 32)
_SPINNER_DP = 40
_BAR_DP = 4
_SLIDER_DP = 32
_LABEL_GAP_DP = 8
_FIELD_LINES = 4
_LINE_EM = 1.3
_NOTHING = (0, 0, 0, 0)


@functools.lru_cache(maxsize=2048)
def _edges(insets: w.Insets, density: int) -> tuple[int, int, int, int]:
    left, top, right, bottom = insets.left, insets.top, insets.right, insets.bottom
    return px(left, density), px(top, density), px(right, density), px(bottom, density)


@dataclass(slots=True)
class Measurer:
    """Measures the widgets of one layout, with a cache by available space.

    Attributes:
        density: Dots per inch.
        font_scale: The user's font scale.
    """

    density: int
    font_scale: float = 1.0
    _sizes: dict[tuple[int, int | None, int | None], tuple[int, int]] = field(default_factory=dict)
    _pixels: dict[float, int] = field(default_factory=dict)

    def px(self, dp: float) -> int:
        """Convert a length in dp to pixels."""
        known = self._pixels.get(dp)
        if known is None:
            known = self._pixels[dp] = px(dp, self.density)
        return known

    def sp(self, size: float) -> int:
        """Convert a text size in sp to pixels."""
        return self.px(size * self.font_scale)

    def edges(self, insets: w.Insets) -> tuple[int, int, int, int]:
        """Return insets in pixels: left, top, right, bottom."""
        if insets is w.NO_INSETS:
            return _NOTHING
        return _edges(insets, self.density)

    def outer(self, view: w.Widget, width: int | None, height: int | None) -> tuple[int, int]:
        """Return the size with margins, within a space that includes them."""
        if view.margin is w.NO_INSETS:
            return self.size(view, width, height)
        left, top, right, bottom = self.edges(view.margin)
        inner = self.size(
            view,
            None if width is None else max(0, width - left - right),
            None if height is None else max(0, height - top - bottom),
        )
        return inner[0] + left + right, inner[1] + top + bottom

    def size(self, view: w.Widget, width: int | None, height: int | None) -> tuple[int, int]:
        """Return the size without margins.

        Args:
            view: The widget.
            width: Available pixels, or None for unlimited.
            height: Available pixels, or None for unlimited.
        """
        key = (id(view), width, height)
        known = self._sizes.get(key)
        if known is None:
            known = self._sizes[key] = self._size(view, width, height)
        return known

    def _size(self, view: w.Widget, width: int | None, height: int | None) -> tuple[int, int]:
        fixed_w, fixed_h = self._fixed(view.width, width), self._fixed(view.height, height)
        if fixed_w is not None and fixed_h is not None:
            return fixed_w, fixed_h
        left, top, right, bottom = self.edges(view.padding)
        inner_w = width if fixed_w is None else fixed_w
        inner_h = height if fixed_h is None else fixed_h
        if inner_w is not None:
            inner_w = max(0, inner_w - left - right)
        if inner_h is not None:
            inner_h = max(0, inner_h - top - bottom)
        content_w, content_h = self.content(view, inner_w, inner_h)
        final_w = fixed_w if fixed_w is not None else content_w + left + right
        final_h = fixed_h if fixed_h is not None else content_h + top + bottom
        if isinstance(view, w.ImageView) and view.aspect:
            if fixed_w is not None and fixed_h is None:
                final_h = round(final_w / view.aspect)
            elif fixed_h is not None and fixed_w is None:
                final_w = round(final_h * view.aspect)
        if width is not None and fixed_w is None:
            final_w = min(final_w, width)
        if height is not None and fixed_h is None:
            final_h = min(final_h, height)
        return final_w, final_h

    def _fixed(self, length: w.Length, available: int | None) -> int | None:
        if length is w.WRAP:
            return None
        return available if isinstance(length, w.Dimension) else self.px(length)

    def text(self, view: w.Text, width: int | None) -> TextLayout:
        """Return the lines of a text within a width."""
        return lay_out_text(
            view.text, self.sp(view.size), view.bold, width, view.max_lines, view.line_spacing
        )

    def content(self, view: w.Widget, width: int | None, height: int | None) -> tuple[int, int]:
        """Return the size inside the padding."""
        if isinstance(view, w.Container):  # most widgets are containers and texts
            return self._container(view, width, height)
        if isinstance(view, w.Text):
            lines = self.text(view, width)
            return lines.width, lines.height
        match view:
            case w.TextField():
                count = _FIELD_LINES if view.input_type == "multiline" else 1
                line = round(self.sp(view.size) * _LINE_EM)
                natural = width_of(view.text or view.hint, self.sp(view.size))
                return (natural if width is None else width), line * count
            case w.Icon():
                return self.px(view.size), self.px(view.size)
            case w.ImageView():
                side = width if width is not None else self.px(96)
                return side, round(side / view.aspect) if view.aspect else side
            case w.Toggle():
                return self.px(_TOGGLE_DP[0]), self.px(_TOGGLE_DP[1])
            case w.CheckBox() | w.RadioButton():
                mark = self.px(_MARK_DP)
                label = width_of(view.text, self.sp(view.size)) + self.px(_LABEL_GAP_DP) if view.text else 0
                return mark + label, max(mark, round(self.sp(view.size) * _LINE_EM) if view.text else 0)
            case w.ProgressBar():
                if view.circular or view.value is None:
                    return self.px(_SPINNER_DP), self.px(_SPINNER_DP)
                return width or self.px(_SPINNER_DP), self.px(_BAR_DP)
            case w.Slider():
                return width or self.px(120), self.px(_SLIDER_DP)
            case w.ListView():
                return width or 0, height or 0
            case _:
                return 0, 0

    def _container(self, view: w.Container, width: int | None, height: int | None) -> tuple[int, int]:
        shown = [child for child in view.children if child.visible]
        if isinstance(view, w.Row):
            if view.wrap:
                return self.flow(view, shown, width)[1]
            gap = self.px(view.gap)
            return _sum(self.along(shown, width, height, gap, horizontal=True), gap, horizontal=True)
        if isinstance(view, w.Column):
            gap = self.px(view.gap)
            return _sum(self.along(shown, height, width, gap, horizontal=False), gap, horizontal=False)
        if isinstance(view, w.ScrollView):
            gap, horizontal = self.px(view.gap), view.horizontal
            sizes = self.along(shown, None, height if horizontal else width, gap, horizontal=horizontal)
            return _sum(sizes, gap, horizontal=horizontal)
        wide = high = 0
        for child in shown:
            size = self.outer(child, width, height)
            wide, high = max(wide, size[0]), max(high, size[1])
        return wide, high

    def along(
        self,
        children: list[w.Widget],
        main: int | None,
        cross: int | None,
        gap: int,
        *,
        horizontal: bool,
    ) -> list[tuple[int, int]]:
        """Measure the children of a row or column, with margins.

        Children without weight are measured first; the remaining space is shared by weight
        (LinearLayout's rule with ``0dp`` children).

        Args:
            children: The visible children.
            main: Space along the axis, or None for unlimited.
            cross: Space across it.
            gap: Pixels between two children.
            horizontal: Whether it is a row.

        Returns:
            (width, height) of each.
        """
        sizes: dict[int, tuple[int, int]] = {}
        left = None if main is None else main - gap * max(0, len(children) - 1)
        weighted = [index for index, child in enumerate(children) if child.weight > 0]
        shares = left is not None and bool(weighted)
        for index, child in enumerate(children):
            if shares and child.weight > 0:
                continue
            available = None if left is None else max(0, left)
            sizes[index] = (
                self.outer(child, available, cross) if horizontal else self.outer(child, cross, available)
            )
            if left is not None:
                left -= sizes[index][0 if horizontal else 1]
        if shares and left is not None:
            total = sum(children[index].weight for index in weighted)
            for number, index in enumerate(weighted):
                child = children[index]
                share = (
                    max(0, left) if number == len(weighted) - 1 else int(max(0, left) * child.weight / total)
                )
                left -= share
                total -= child.weight
                if horizontal:
                    sizes[index] = (share, self.outer(child, share, cross)[1])
                else:
                    sizes[index] = (self.outer(child, cross, share)[0], share)
        return [sizes[index] for index in range(len(children))]

    def flow(
        self, view: w.Row, children: list[w.Widget], width: int | None
    ) -> tuple[list[tuple[int, int, int, int]], tuple[int, int]]:
        """Return (x, y, width, height with margins) of a wrapping row's children, and the row's size."""
        gap = self.px(view.gap)
        places: list[tuple[int, int, int, int]] = []
        x = y = line = widest = 0
        for child in children:
            wide, high = self.outer(child, width, None)
            if x and width is not None and x + wide > width:
                x, y, line = 0, y + line + gap, 0
            places.append((x, y, wide, high))
            x += wide + gap
            line = max(line, high)
            widest = max(widest, x - gap)
        return places, (widest, y + line)


def _sum(sizes: list[tuple[int, int]], gap: int, *, horizontal: bool) -> tuple[int, int]:
    main, cross = (0, 1) if horizontal else (1, 0)
    along = sum(size[main] for size in sizes) + gap * max(0, len(sizes) - 1)
    across = max((size[cross] for size in sizes), default=0)
    return (along, across) if horizontal else (across, along)

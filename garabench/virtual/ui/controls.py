"""Drawing of switches, check boxes, progress bars and sliders, as coloured masks."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image, ImageDraw

from garabench.core.geometry import Rect
from garabench.virtual.ui import icons
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import PlacedNode, px

Shape = tuple[Image.Image, str, Rect]
_OFF, _TRACK, _WHITE = "#BDC1C6", "#E0E2E6", "#FFFFFF"
_SCALE = 3
_MARK_DP = 20


def _pill(rect: Rect, color: str, radius: int | None = None) -> Shape:
    width, height = max(1, rect.width), max(1, rect.height)
    mask = Image.new("L", (width * _SCALE, height * _SCALE), 0)
    corner = (min(width, height) // 2 if radius is None else radius) * _SCALE
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * _SCALE - 1, height * _SCALE - 1), corner, fill=255)
    return mask.resize((width, height), Image.Resampling.BOX), color, rect


def _circle(x: int, y: int, radius: int) -> Rect:
    return Rect(x - radius, y - radius, x + radius, y + radius)


def paint_control(node: PlacedNode) -> Iterator[Shape]:
    """Yield the shapes of a control, from the bottom: (coverage, colour, position)."""
    widget, rect = node.widget, node.bounds
    middle = rect.center.y
    match widget:
        case w.Toggle():
            height = min(rect.height, px(28, node.density))
            width = min(rect.width, px(48, node.density))
            left = rect.center.x - width // 2
            track = Rect(left, middle - height // 2, left + width, middle + height // 2)
            yield _pill(track, widget.color if widget.checked else _OFF)
            radius = height // 2 - px(3, node.density)
            x = track.right - height // 2 if widget.checked else track.left + height // 2
            yield _pill(_circle(x, middle, radius), _WHITE)
        case w.CheckBox():
            side = px(_MARK_DP, node.density)
            box = Rect(rect.left, middle - side // 2, rect.left + side, middle - side // 2 + side)
            corner = None if widget.round else px(3, node.density)
            yield _pill(box, widget.color if widget.checked else _OFF, corner)
            inset = px(2, node.density)
            if widget.checked:
                yield icons.icon_mask("check", side - inset), _WHITE, box.moved(inset // 2, inset // 2)
            else:
                inner = Rect(box.left + inset, box.top + inset, box.right - inset, box.bottom - inset)
                yield _pill(inner, _WHITE, None if widget.round else px(2, node.density))
        case w.RadioButton():
            radius = px(_MARK_DP / 2, node.density)
            x = rect.left + radius
            yield _pill(_circle(x, middle, radius), widget.color if widget.checked else "#5F6368")
            yield _pill(_circle(x, middle, radius - px(2, node.density)), _WHITE)
            if widget.checked:
                yield _pill(_circle(x, middle, radius - px(5, node.density)), widget.color)
        case w.Slider():
            line = px(4, node.density)
            track = Rect(rect.left, middle - line // 2, rect.right, middle - line // 2 + line)
            x = rect.left + round(rect.width * min(1.0, max(0.0, widget.value)))
            yield _pill(track, _TRACK)
            yield _pill(Rect(track.left, track.top, max(track.left + 1, x), track.bottom), widget.color)
            yield _pill(_circle(x, middle, px(9, node.density)), widget.color)
        case w.ProgressBar():
            yield from _progress(node, widget)


def _progress(node: PlacedNode, widget: w.ProgressBar) -> Iterator[Shape]:
    rect = node.bounds
    if not widget.circular and widget.value is not None:
        yield _pill(rect, _TRACK)
        done = round(rect.width * min(1.0, max(0.0, widget.value)))
        if done:
            left = rect.right - done if widget.turned else rect.left
            yield _pill(Rect(left, rect.top, left + done, rect.bottom), widget.color)
        return
    side = max(1, min(rect.width, rect.height))
    mask = Image.new("L", (side * _SCALE, side * _SCALE), 0)
    sweep = 270 if widget.value is None else round(360 * widget.value)
    edge = max(1, side * _SCALE // 10)
    ImageDraw.Draw(mask).arc(
        (edge, edge, side * _SCALE - edge, side * _SCALE - edge), -90, sweep - 90, fill=255, width=edge
    )
    center = rect.center
    position = Rect(center.x - side // 2, center.y - side // 2, 0, 0)
    position = Rect(position.left, position.top, position.left + side, position.top + side)
    yield mask.resize((side, side), Image.Resampling.BOX), widget.color, position

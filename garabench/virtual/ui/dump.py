"""Android's UI tree as XML, in the formats of ``uiautomator dump`` and of uiautomator2's server.

Source: AOSP ``AccessibilityNodeInfoDumper``: attributes and their order, NAF, bounds clipped to the visible
area, invalid XML characters replaced by dots. The server's format has all windows and a few
more attributes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from garabench.core.geometry import Rect
from garabench.core.xml_text import replace_invalid
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene, WindowKind

_NAF_EXCLUDED = ("GridView", "GridLayout", "ListView", "TableLayout")
_HEADER = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_WITHOUT_TREE = frozenset({WindowKind.TOAST})
_DECOR = (
    '<node index="0" text="" resource-id="" class="android.widget.FrameLayout" package={package} '
    'content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" '
    'focused="false" scrollable="false" long-clickable="false" password="false" selected="false" '
    'bounds="{bounds}">'
)
_FLAGS = {False: '"false"', True: '"true"'}
DEFAULT_DEPTH = 50


@functools.lru_cache(maxsize=8192)
def attribute(value: str) -> str:
    """Quote an attribute value; line ends become character references, as in Android's serializer."""
    clean = replace_invalid(value, ".")
    return quoteattr(clean, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", '"': "&quot;"})


def visible_children(node: PlacedNode) -> Iterator[PlacedNode]:
    """Yield the children in the tree: the visible ones, with unimportant nodes replaced by their children."""
    for child in node.children:
        if child.visible.is_empty or child.widget.opacity <= 0:
            continue
        if child.widget.important:
            yield child
        else:
            yield from visible_children(child)


def _attributes(node: PlacedNode, index: int) -> str:
    widget = node.widget
    return (
        f'index="{index}" text={attribute(node.text)} resource-id={attribute(node.resource_id)} '
        f"class={attribute(node.cls)} package={attribute(node.package)} "
        f"content-desc={attribute(node.desc)} checkable={_FLAGS[widget.checkable]} "
        f"checked={_FLAGS[widget.checked]} clickable={_FLAGS[node.clickable]} "
        f"enabled={_FLAGS[widget.enabled]} focusable={_FLAGS[node.focusable]} "
        f"focused={_FLAGS[node.focused]} scrollable={_FLAGS[node.scrollable]} "
        f"long-clickable={_FLAGS[node.long_clickable]} password={_FLAGS[widget.password]} "
        f"selected={_FLAGS[widget.selected]}"
    )


def _not_accessible(node: PlacedNode) -> bool:
    """AOSP's ``nafCheck``: whether a clickable node and its descendants have no text."""
    if node.cls.rpartition(".")[2] in _NAF_EXCLUDED:
        return False
    if not (node.clickable and node.enabled) or node.text or node.desc:
        return False
    return not any(child.text or child.desc for child in node.walk() if child is not node)


def uiautomator_xml(scene: Scene, compressed: bool = False, *, decor: bool = False) -> str:
    """Dump as ``uiautomator dump`` does: one line, the focused window only; empty without one.

    Args:
        scene: The screen.
        compressed: Whether to omit layout nodes without text or action.
        decor: Whether an activity's root is its window's frame, on the whole screen, as in Android 4.4.
    """
    window = scene.focus
    parts = [_HEADER, f'<hierarchy rotation="{scene.rotation}">']
    if window is not None and not window.root.visible.is_empty:
        framed = decor and window.kind is WindowKind.APPLICATION and window.split_bounds is None
        if framed:
            parts.append(_DECOR.format(package=attribute(window.package), bounds=scene.bounds))
        _append_plain(parts, window.root, 0, compressed)
        if framed:
            parts.append("</node>")
    parts.append("</hierarchy>")
    return "".join(parts)


_WINDOW_TYPES = {
    WindowKind.APPLICATION: "TYPE_APPLICATION",
    WindowKind.DIALOG: "TYPE_APPLICATION",
    WindowKind.IME: "TYPE_INPUT_METHOD",
}
"""Names of window types (AOSP ``AccessibilityWindowInfo.typeToString``); others are the system's."""


def windows_xml(scene: Scene, compressed: bool = False) -> str:
    """Dump as ``uiautomator dump --windows`` does: all windows of the display, the topmost first.

    Args:
        scene: The screen.
        compressed: Whether to omit layout nodes without text or action.
    """
    found = tree_windows(scene)
    parts = [_HEADER, '<displays><display id="0">']
    for index, window in enumerate(found):
        focused = _FLAGS[window.focused]
        layer, kind = len(found) - 1 - index, _WINDOW_TYPES.get(window.kind, "TYPE_SYSTEM")
        parts.append(
            f'<window index="{index}" title={attribute(window.title)} bounds="{window.bounds}" '
            f'active={focused} focused={focused} accessibility-focused="false" id="{layer + 1}" '
            f'layer="{layer}" type="{kind}">'
        )
        if not window.root.visible.is_empty:
            parts.append(f'<hierarchy rotation="{scene.rotation}">')
            _append_plain(parts, window.root, 0, compressed)
            parts.append("</hierarchy>")
        parts.append("</window>")
    return "".join([*parts, "</display></displays>"])


def _compressed_children(node: PlacedNode) -> Iterator[PlacedNode]:
    """Yield the children in a compressed tree: layout nodes are replaced by their children."""
    for child in visible_children(node):
        if _is_plain_layout(child):
            yield from _compressed_children(child)
        else:
            yield child


def _append_plain(parts: list[str], node: PlacedNode, index: int, compressed: bool) -> None:
    words = ["<node"]
    if _not_accessible(node):
        words.append('NAF="true"')
    words += [_attributes(node, index), f'bounds="{node.visible}"']
    children = list(_compressed_children(node) if compressed else visible_children(node))
    if not children:
        parts.append(" ".join(words) + " />")
        return
    parts.append(" ".join(words) + ">")
    for index, child in enumerate(children):
        _append_plain(parts, child, index, compressed)
    parts.append("</node>")


def u2_xml(scene: Scene, compressed: bool = False, max_depth: int = DEFAULT_DEPTH) -> str:
    """Dump as uiautomator2's server does: indented, the roots of all windows.

    Args:
        scene: The screen.
        compressed: Whether to omit layout nodes without text or action.
        max_depth: Deeper nodes are omitted.
    """
    lines = [_HEADER, f'<hierarchy rotation="{scene.rotation}">']
    for window in tree_windows(scene):
        if not window.root.visible.is_empty:
            _append_u2(lines, window.root, 0, 0, 1, compressed, max_depth)
    lines.append("</hierarchy>")
    return "\n".join(lines) + "\n"


def tree_windows(scene: Scene) -> tuple[PlacedWindow, ...]:
    """Return the windows that accessibility lists, topmost first, without toasts and covered windows.

    The notification shade and the recents are opaque, and a modal window covers those below it:
    in its half of a split screen, or everywhere.
    """
    found: list[PlacedWindow] = []
    shades: list[Rect] = []
    modal: list[Rect] = []
    for window in reversed(scene.windows):
        app = window.kind in (WindowKind.APPLICATION, WindowKind.DIALOG)
        hidden = any(shade.encloses(window.bounds) for shade in shades)
        covered = app and any(area.encloses(window.bounds) for area in modal)
        if window.kind in _WITHOUT_TREE or hidden or covered:
            continue
        found.append(window)
        if app:
            modal.append(window.split_bounds or scene.bounds)
        if window.kind is WindowKind.SHADE:
            shades.append(window.bounds)
    return tuple(found)


def _append_u2(
    lines: list[str], node: PlacedNode, index: int, order: int, depth: int, compressed: bool, deepest: int
) -> None:
    if depth > deepest:
        return
    children = list(visible_children(node))
    if compressed and depth > 1 and _is_plain_layout(node):
        for index, child in enumerate(children):
            _append_u2(lines, child, index, index + 1, depth, compressed, deepest)
        return
    indent = "  " * depth
    words = ["<node", _attributes(node, index), 'visible-to-user="true"', f'bounds="{node.visible}"']
    words += [f'drawing-order="{order}"', f"hint={attribute(node.hint)}", 'display-id="0"']
    if not children or depth == deepest:
        lines.append(f"{indent}{' '.join(words)} />")
        return
    lines.append(f"{indent}{' '.join(words)}>")
    for index, child in enumerate(children):
        _append_u2(lines, child, index, index + 1, depth + 1, compressed, deepest)
    lines.append(f"{indent}</node>")


def _is_plain_layout(node: PlacedNode) -> bool:
    plain = isinstance(node.widget, w.Container) and not isinstance(node.widget, w.ScrollView)
    acts = node.clickable or node.long_clickable or node.focusable or node.scrollable
    return plain and not (acts or node.text or node.desc or node.resource_id)

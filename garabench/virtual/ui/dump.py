"""Write the screen as Android's UI tree, in the forms of ``uiautomator dump`` and of uiautomator2's server.

Source: AOSP ``AccessibilityNodeInfoDumper``: attributes and their order, NAF, bounds clipped to what can be
seen, characters that XML cannot hold turned into dots. The server's form shows all windows and has a few
attributes more.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from garabench.core.geometry import Rect
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import LaidNode, LaidWindow, Scene, WindowKind

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAF_EXCLUDED = ("GridView", "GridLayout", "ListView", "TableLayout")
_HEADER = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_WITHOUT_TREE = frozenset({WindowKind.TOAST})
DEFAULT_DEPTH = 50


@functools.lru_cache(maxsize=8192)
def attribute(value: str) -> str:
    """A value quoted for XML; line ends are kept as references, as Android's serializer does."""
    clean = _NOT_XML.sub(".", value)
    return quoteattr(clean, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", '"': "&quot;"})


def seen_children(node: LaidNode) -> Iterator[LaidNode]:
    """The children that the tree shows: those in view, with what stands in place of decoration."""
    for child in node.children:
        if child.visible.is_empty or child.widget.opacity <= 0:
            continue
        if child.widget.important:
            yield child
        else:
            yield from seen_children(child)


def _flag(value: bool) -> str:
    return '"true"' if value else '"false"'


def _attributes(node: LaidNode, index: int) -> list[str]:
    widget = node.widget
    return [
        f'index="{index}"',
        f"text={attribute(node.text)}",
        f"resource-id={attribute(node.resource_id)}",
        f"class={attribute(node.cls)}",
        f"package={attribute(node.package)}",
        f"content-desc={attribute(node.desc)}",
        f"checkable={_flag(widget.checkable)}",
        f"checked={_flag(widget.checked)}",
        f"clickable={_flag(node.clickable)}",
        f"enabled={_flag(widget.enabled)}",
        f"focusable={_flag(node.focusable)}",
        f"focused={_flag(node.focused)}",
        f"scrollable={_flag(node.scrollable)}",
        f"long-clickable={_flag(node.long_clickable)}",
        f"password={_flag(widget.password)}",
        f"selected={_flag(widget.selected)}",
    ]


def _not_accessible(node: LaidNode) -> bool:
    """Whether it can be clicked and says nothing, as AOSP's ``nafCheck``: no text in it or below."""
    if node.cls.rpartition(".")[2] in _NAF_EXCLUDED:
        return False
    if not (node.clickable and node.enabled) or node.text or node.desc:
        return False
    return not any(child.text or child.desc for child in node.walk() if child is not node)


def uiautomator_xml(scene: Scene, compressed: bool = False) -> str:
    """The form of ``uiautomator dump``: one line, the window in focus only; empty without one.

    Args:
        scene: The screen.
        compressed: Leave out layout nodes that neither say nor do anything.
    """
    window = scene.focus
    parts = [_HEADER, f'<hierarchy rotation="{scene.rotation}">']
    if window is not None and not window.root.visible.is_empty:
        _append_plain(parts, window.root, 0, compressed)
    parts.append("</hierarchy>")
    return "".join(parts)


def _telling(node: LaidNode) -> Iterator[LaidNode]:
    """The children that the tree shows, with their own in place of those that say and do nothing."""
    for child in seen_children(node):
        if _says_nothing(child):
            yield from _telling(child)
        else:
            yield child


def _append_plain(parts: list[str], node: LaidNode, index: int, compressed: bool) -> None:
    words = ["<node"]
    if _not_accessible(node):
        words.append('NAF="true"')
    words += [*_attributes(node, index), f'bounds="{node.visible}"']
    children = list(_telling(node) if compressed else seen_children(node))
    if not children:
        parts.append(" ".join(words) + " />")
        return
    parts.append(" ".join(words) + ">")
    for place, child in enumerate(children):
        _append_plain(parts, child, place, compressed)
    parts.append("</node>")


def u2_xml(scene: Scene, compressed: bool = False, max_depth: int = DEFAULT_DEPTH) -> str:
    """The form of uiautomator2's server: indented, every window's root.

    Args:
        scene: The screen.
        compressed: Leave out layout nodes that neither say nor do anything.
        max_depth: Nodes further down are left out.
    """
    lines = [_HEADER, f'<hierarchy rotation="{scene.rotation}">']
    for window in tree_windows(scene):
        if not window.root.visible.is_empty:
            _append_u2(lines, window.root, 0, 0, 1, compressed, max_depth)
    lines.append("</hierarchy>")
    return "\n".join(lines) + "\n"


def tree_windows(scene: Scene) -> tuple[LaidWindow, ...]:
    """The windows that accessibility lists, topmost first: not toasts, nor what is wholly covered.

    The notification shade and the recents are opaque, and a modal window keeps those below it out of reach:
    in its half of a split screen, or everywhere.
    """
    found: list[LaidWindow] = []
    shades: list[Rect] = []
    modal: list[Rect] = []
    for window in reversed(scene.windows):
        app = window.kind in (WindowKind.APPLICATION, WindowKind.DIALOG)
        hidden = any(shade.encloses(window.bounds) for shade in shades)
        covered = app and any(room.encloses(window.bounds) for room in modal)
        if window.kind in _WITHOUT_TREE or hidden or covered:
            continue
        found.append(window)
        if app:
            modal.append(window.room or scene.bounds)
        if window.kind is WindowKind.SHADE:
            shades.append(window.bounds)
    return tuple(found)


def _append_u2(
    lines: list[str], node: LaidNode, index: int, order: int, depth: int, compressed: bool, deepest: int
) -> None:
    if depth > deepest:
        return
    children = list(seen_children(node))
    if compressed and depth > 1 and _says_nothing(node):
        for place, child in enumerate(children):
            _append_u2(lines, child, place, place + 1, depth, compressed, deepest)
        return
    indent = "  " * depth
    words = ["<node", *_attributes(node, index), 'visible-to-user="true"', f'bounds="{node.visible}"']
    words += [f'drawing-order="{order}"', f"hint={attribute(node.hint)}", 'display-id="0"']
    if not children or depth == deepest:
        lines.append(f"{indent}{' '.join(words)} />")
        return
    lines.append(f"{indent}{' '.join(words)}>")
    for place, child in enumerate(children):
        _append_u2(lines, child, place, place + 1, depth + 1, compressed, deepest)
    lines.append(f"{indent}</node>")


def _says_nothing(node: LaidNode) -> bool:
    plain = isinstance(node.widget, w.Container) and not isinstance(node.widget, w.Scroll)
    acts = node.clickable or node.long_clickable or node.focusable or node.scrollable
    return plain and not (acts or node.text or node.desc or node.resource_id)

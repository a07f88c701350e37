"""The UI tree of a screen, as Android's accessibility layer tells it.

Both forms are read: ``uiautomator dump`` (one root, active window only) and the uiautomator2 server's (a
root for each window). The XML is untrusted: entities and document types are refused, nothing is fetched,
and the number of nodes is limited.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, cast

from lxml import etree

from garabench.core.geometry import Rect

_T = TypeVar("_T")

NOWHERE = Rect(0, 0, 0, 0)
MAX_NODES = 100_000
MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 400
SYSTEM_UI = "com.android.systemui"
_BOUNDS = re.compile(r"^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$")
_IME_PACKAGES = ("inputmethod", ".ime", "keyboard")


class TreeError(ValueError):
    """The text is not a usable UI tree; the message says why."""


@dataclass(frozen=True, slots=True)
class UiNode:
    """One element of the screen.

    Attributes:
        text, desc, hint: What it shows, its content description, the hint of an empty field.
        resource_id: Full id, ``package:id/name``, or empty.
        cls, package: Class and package name.
        bounds: Visible bounds in device pixels.
        index: Place among its siblings, as the dump says.
        children: In drawing order.
    """

    text: str = ""
    resource_id: str = ""
    cls: str = ""
    package: str = ""
    desc: str = ""
    hint: str = ""
    index: int = 0
    bounds: Rect = NOWHERE
    checkable: bool = False
    checked: bool = False
    clickable: bool = False
    enabled: bool = True
    focusable: bool = False
    focused: bool = False
    scrollable: bool = False
    long_clickable: bool = False
    password: bool = False
    selected: bool = False
    visible: bool = True
    children: tuple[UiNode, ...] = field(default=(), repr=False)

    @property
    def entry(self) -> str:
        """The resource id's name without package and type: ``frame_like``."""
        return self.resource_id.rpartition("/")[2]

    def walk(self) -> Iterator[UiNode]:
        """This node and all below, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True)
class UiTree:
    """All windows of a screen.

    Attributes:
        roots: One root a window.
        rotation: 0 to 3, in quarter turns.
    """

    roots: tuple[UiNode, ...]
    rotation: int = 0

    @cached_property
    def nodes(self) -> tuple[UiNode, ...]:
        """Every node, parents first."""
        return tuple(node for root in self.roots for node in root.walk())

    @cached_property
    def app_nodes(self) -> tuple[UiNode, ...]:
        """Every node but those of the status and navigation bars and of the keyboard."""
        return tuple(node for root in self.roots if not is_system(root.package) for node in root.walk())

    @cached_property
    def _parents(self) -> dict[int, UiNode]:
        return {id(child): node for node in self.nodes for child in node.children}

    @cached_property
    def _derived(self) -> dict[Callable[[UiTree], Any], Any]:
        return {}

    def derived(self, build: Callable[[UiTree], _T]) -> _T:
        """What is computed from this tree, such as an index of it; built once a tree, when first asked for.

        Args:
            build: Computes it from the tree alone.
        """
        if build not in self._derived:
            self._derived[build] = build(self)
        return cast(_T, self._derived[build])

    def parent_of(self, node: UiNode) -> UiNode | None:
        """The parent of a node of this tree, or None for a root."""
        return self._parents.get(id(node))

    def ancestors(self, node: UiNode) -> Iterator[UiNode]:
        """The parents of a node, nearest first."""
        parent = self.parent_of(node)
        while parent is not None:
            yield parent
            parent = self.parent_of(parent)

    @property
    def packages(self) -> frozenset[str]:
        """The packages that have a window on the screen."""
        return frozenset(root.package for root in self.roots if root.package)

    @cached_property
    def signature(self) -> str:
        """A hash of what a person would see change: two still readings have the same.

        The status bar is left out, whose clock ticks on a still screen.
        """
        digest = hashlib.sha256()
        for root in self.roots:
            if root.package == SYSTEM_UI:
                continue
            for node in root.walk():
                states = (node.checked, node.enabled, node.focused, node.selected, node.visible)
                row = (node.cls, node.resource_id, node.text, node.desc, str(node.bounds), *states)
                digest.update(repr(row).encode("utf-8", errors="surrogatepass"))
        return digest.hexdigest()

    def to_xml(self) -> bytes:
        """The tree as XML that `parse_tree` reads back to an equal one."""
        top = etree.Element("hierarchy", rotation=str(self.rotation))
        for root in self.roots:
            _append(top, root)
        return etree.tostring(top, encoding="utf-8", xml_declaration=True)


def is_system(package: str) -> bool:
    """Whether a window belongs to the system's bars or to a keyboard, not to an app."""
    return package == SYSTEM_UI or any(part in package for part in _IME_PACKAGES)


_FLAGS = {
    "checkable": "checkable",
    "checked": "checked",
    "clickable": "clickable",
    "enabled": "enabled",
    "focusable": "focusable",
    "focused": "focused",
    "scrollable": "scrollable",
    "long-clickable": "long_clickable",
    "password": "password",
    "selected": "selected",
    "visible-to-user": "visible",
}
_TEXTS = {
    "text": "text",
    "resource-id": "resource_id",
    "class": "cls",
    "package": "package",
    "content-desc": "desc",
    "hint": "hint",
}
_ON_BY_DEFAULT = frozenset({"enabled", "visible"})
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_attributes(node: UiNode) -> dict[str, str]:
    """The attributes of a node's element; characters that XML cannot hold become a dot, as on Android."""
    attributes = {"index": str(node.index), "bounds": str(node.bounds)}
    attributes |= {name: _NOT_XML.sub(".", getattr(node, attr)) for name, attr in _TEXTS.items()}
    attributes |= {name: str(getattr(node, attr)).lower() for name, attr in _FLAGS.items()}
    return attributes


def _append(parent: etree._Element, node: UiNode) -> None:
    element = etree.SubElement(parent, "node", xml_attributes(node))
    for child in node.children:
        _append(element, child)


def parse_tree(xml: str | bytes) -> UiTree:
    """Read a UI tree.

    Args:
        xml: The dump, of either form.

    Returns:
        The tree; it has no roots when the dump is empty.

    Raises:
        TreeError: It is not XML, has a document type, or is too large or too deep.
    """
    data = xml.encode("utf-8", errors="replace") if isinstance(xml, str) else xml
    if len(data) > MAX_BYTES:
        raise TreeError(f"the UI tree is larger than {MAX_BYTES} bytes")
    if b"<!DOCTYPE" in data:  # before the parser sees it, which would expand entities in attributes
        raise TreeError("the UI tree has a document type, which Android never writes")
    # Android writes UTF-8; another declared encoding could hide a document type from the line above.
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        remove_comments=True,
    )
    try:
        top = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise TreeError(f"the UI tree is not valid XML: {error}") from error
    if top.tag != "hierarchy":
        raise TreeError(f"the UI tree begins with <{top.tag}>, not with <hierarchy>")
    if sum(1 for _ in top.iter("node")) > MAX_NODES:
        raise TreeError(f"the UI tree has more than {MAX_NODES} nodes")
    roots = tuple(_node(child, 1) for child in top.iterchildren("node"))
    return UiTree(roots, _number(top.get("rotation", "0")) % 4)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _node(element: etree._Element, depth: int) -> UiNode:
    if depth > MAX_DEPTH:
        raise TreeError(f"the UI tree is deeper than {MAX_DEPTH} levels")
    get = element.get
    bounds = _BOUNDS.match(get("bounds", ""))
    texts: dict[str, Any] = {attr: get(name, "") for name, attr in _TEXTS.items()}
    flags: dict[str, Any] = {
        attr: get(name, "true" if attr in _ON_BY_DEFAULT else "false") == "true"
        for name, attr in _FLAGS.items()
    }
    return UiNode(
        **texts,
        **flags,
        index=_number(get("index", "0")),
        bounds=Rect(*map(int, bounds.groups())) if bounds else Rect(0, 0, 0, 0),
        children=tuple(_node(child, depth + 1) for child in element.iterchildren("node")),
    )

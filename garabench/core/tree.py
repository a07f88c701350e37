"""The UI tree of a screen, as Android's accessibility layer reports it.

These formats are supported: that of ``uiautomator dump`` (one root, the active window only; with
``--windows``, all of them), that of the uiautomator2 server (a root for each window), and Appium's, whose
elements are named by their class. The XML is untrusted: entities and document types are refused,
nothing is fetched, and the number of nodes is limited.
"""

from __future__ import annotations

import functools
import hashlib
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cached_property
from typing import Any, TypeVar, cast
from xml.parsers import expat  # without a document type, nothing can be expanded or fetched

from lxml import etree

from garabench.core.geometry import Rect
from garabench.core.xml_text import replace_invalid

_T = TypeVar("_T")

NOWHERE = Rect(0, 0, 0, 0)
MAX_NODES = 100_000
MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 400
SYSTEM_UI = "com.android.systemui"
_BOUNDS = re.compile(r"^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$")
_IME_PACKAGES = ("inputmethod", ".ime", "keyboard")


class TreeError(ValueError):
    """A UI tree that cannot be parsed; the message says why.

    Attributes:
        line, column: Where, from 1; 0 if the whole tree is meant.
    """

    line = 0
    column = 0

    def at(self, line: int, column: int) -> TreeError:
        """Return it with its place."""
        self.line, self.column = line, column
        return self


@dataclass(frozen=True, slots=True)
class UiNode:
    """An element of the screen.

    Attributes:
        text, desc, hint: Its text, its content description, and the hint of an empty field.
        resource_id: Its full id, ``package:id/name``, or empty.
        cls, package: Class and package name.
        bounds: Visible bounds in device pixels.
        index: Its position among its siblings, as in the dump.
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
        """Iterate over this node and all descendants, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True)
class UiTree:
    """The UI tree of a screen with all its windows.

    Attributes:
        roots: One root per window.
        rotation: 0 to 3, in quarter turns.
    """

    roots: tuple[UiNode, ...]
    rotation: int = 0

    @cached_property
    def nodes(self) -> tuple[UiNode, ...]:
        """All nodes, parents first."""
        return _parents_first(self.roots)

    @cached_property
    def app_nodes(self) -> tuple[UiNode, ...]:
        """All nodes except those of the status bar, the navigation bar and the keyboard."""
        roots = tuple(root for root in self.roots if not is_system(root.package))
        return self.nodes if len(roots) == len(self.roots) else _parents_first(roots)

    @cached_property
    def _parents(self) -> dict[int, UiNode]:
        return {id(child): node for node in self.nodes for child in node.children}

    @cached_property
    def _derived(self) -> dict[Callable[[UiTree], Any], Any]:
        return {}

    def derived(self, build: Callable[[UiTree], _T]) -> _T:
        """Return a value that is computed from this tree, such as an index; cached per tree.

        Args:
            build: Computes the value from the tree alone.
        """
        if build not in self._derived:
            self._derived[build] = build(self)
        return cast(_T, self._derived[build])

    def parent_of(self, node: UiNode) -> UiNode | None:
        """Return the parent of a node of this tree, or None for a root."""
        return self._parents.get(id(node))

    def ancestors(self, node: UiNode) -> Iterator[UiNode]:
        """Iterate over the ancestors of a node, nearest first."""
        parent = self.parent_of(node)
        while parent is not None:
            yield parent
            parent = self.parent_of(parent)

    @property
    def packages(self) -> frozenset[str]:
        """The packages with a window on the screen."""
        return frozenset(root.package for root in self.roots if root.package)

    @cached_property
    def signature(self) -> str:
        """A hash of the visible state; it is the same for two readings of a settled screen.

        It does not include the status bar, whose clock ticks on a settled screen.
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
        """Return the tree as XML, from which `parse_tree` restores an equal tree."""
        top = etree.Element("hierarchy", rotation=str(self.rotation))
        for root in self.roots:
            _append(top, root)
        return etree.tostring(top, encoding="utf-8", xml_declaration=True)


def _parents_first(roots: tuple[UiNode, ...]) -> tuple[UiNode, ...]:
    found: list[UiNode] = []
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        found.append(node)
        if node.children:
            stack.extend(reversed(node.children))
    return tuple(found)


def is_system(package: str) -> bool:
    """Return whether a window belongs to the system bars or a keyboard instead of an app."""
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
_WORDS = {False: "false", True: "true"}
_READ_FLAGS = {**_FLAGS, "displayed": "visible"}  # Appium's name
_TEXTS = {
    "text": "text",
    "resource-id": "resource_id",
    "class": "cls",
    "package": "package",
    "content-desc": "desc",
    "hint": "hint",
}


_FIELD_OF = {"index": "index", "bounds": "bounds", **_TEXTS, **_READ_FLAGS}
_FIELDS = {
    "index": "0",
    "bounds": "",
    **dict.fromkeys(_TEXTS.values(), ""),
    **dict.fromkeys(_FLAGS.values(), "false"),
    "enabled": "true",
    "visible": "true",
}
"""The fields that an element's attributes give, in the order of `UiNode`, each with its default."""


def xml_attributes(node: UiNode) -> dict[str, str]:
    """Return the XML attributes of a node; characters that XML does not allow become a dot, as on Android."""
    return {
        "index": str(node.index),
        "bounds": str(node.bounds),
        "text": replace_invalid(node.text, "."),
        "resource-id": replace_invalid(node.resource_id, "."),
        "class": replace_invalid(node.cls, "."),
        "package": replace_invalid(node.package, "."),
        "content-desc": replace_invalid(node.desc, "."),
        "hint": replace_invalid(node.hint, "."),
        "checkable": _WORDS[node.checkable],
        "checked": _WORDS[node.checked],
        "clickable": _WORDS[node.clickable],
        "enabled": _WORDS[node.enabled],
        "focusable": _WORDS[node.focusable],
        "focused": _WORDS[node.focused],
        "scrollable": _WORDS[node.scrollable],
        "long-clickable": _WORDS[node.long_clickable],
        "password": _WORDS[node.password],
        "selected": _WORDS[node.selected],
        "visible-to-user": _WORDS[node.visible],
    }


def _append(parent: etree._Element, node: UiNode) -> None:
    element = etree.SubElement(parent, "node", xml_attributes(node))
    for child in node.children:
        _append(element, child)


def parse_tree(xml: str | bytes) -> UiTree:
    """Parse a UI tree.

    Args:
        xml: The dump, in any of the formats.

    Returns:
        The tree; it has no roots if the dump is empty.

    Raises:
        TreeError: It is not XML, has a document type, or is too large or too deep.
    """
    data = xml.encode("utf-8", errors="replace") if isinstance(xml, str) else xml
    if len(data) > MAX_BYTES:
        raise TreeError(f"the UI tree is larger than {MAX_BYTES} bytes")
    if b"<!DOCTYPE" in data:  # checked first: the parser would expand entities in attributes
        raise TreeError("the UI tree has a document type, which Android never writes")
    # Android writes UTF-8; another encoding could hide a document type from the check above.
    if b"\0" in data:
        raise TreeError("the UI tree is not valid XML: it has the character U+0000, as UTF-16 does")
    reader = _TreeReader()
    parser = expat.ParserCreate("utf-8", " ")
    parser.ordered_attributes = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        found = TreeError(f"the UI tree is not valid XML: {reason}")
        raise found.at(error.lineno, error.offset + 1) from error
    except TreeError as error:
        raise error.at(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1) from error.__cause__
    except ValueError as error:
        raise TreeError(f"the UI tree is not valid XML: {error}") from error
    return UiTree(tuple(reader.roots), _number(reader.rotation or "0") % 4)


class _TreeReader:
    """Builds the nodes of a tree from the parser's events; an element above the windows' roots is not a node.

    Attributes:
        roots: The root of each window.
        rotation: The rotation of the first window; None before it.
    """

    def __init__(self) -> None:
        self.roots: list[UiNode] = []
        self.rotation: str | None = None
        self._above: list[list[UiNode] | None] = []
        self._open: list[tuple[list[str], list[UiNode]]] = []
        self._count = 0

    def start(self, tag: str, attributes: list[str]) -> None:
        """Begin an element."""
        if self._open or (self._above and self._above[-1] is not None):
            if len(self._open) >= MAX_DEPTH:
                raise TreeError(f"the UI tree is deeper than {MAX_DEPTH} levels")
            self._count += 1
            if self._count > MAX_NODES:
                raise TreeError(f"the UI tree has more than {MAX_NODES} nodes")
            self._open.append((attributes, []))
            return
        if not self._above and tag not in ("hierarchy", "displays"):
            raise TreeError(f"the UI tree begins with <{tag}>, not with <hierarchy>")
        if len(self._above) >= MAX_DEPTH:
            raise TreeError(f"the UI tree is deeper than {MAX_DEPTH} levels")
        is_window = tag == "hierarchy"
        if is_window and self.rotation is None:
            self.rotation = dict(zip(attributes[::2], attributes[1::2], strict=True)).get("rotation", "0")
        self._above.append(self.roots if is_window else None)

    def end(self, tag: str) -> None:
        """End an element."""
        if not self._open:
            self._above.pop()
            return
        attributes, children = self._open.pop()
        node = _node(attributes, children)
        (self._open[-1][1] if self._open else self.roots).append(node)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


_DEFAULTS = ("", "true", "false", "0")
"""The values of missing attributes, which are appended to those of an element."""


@functools.lru_cache(maxsize=64)
def _fields_of(names: tuple[str, ...]) -> Callable[[list[str]], tuple[str, ...]]:
    """Return the function that picks a node's fields out of the values of these attributes, in a fixed order.

    All elements of a dump have the same attributes, so that their names are looked up only once.
    """
    places = {_FIELD_OF[name]: place for place, name in enumerate(names) if name in _FIELD_OF}
    missing = {name: len(names) + _DEFAULTS.index(default) for name, default in _FIELDS.items()}
    return operator.itemgetter(*({**missing, **places}[name] for name in _FIELDS))


_Draft = make_dataclass("_Draft", [each.name for each in fields(UiNode)], slots=True)
"""A node that is not frozen yet: the constructor of a frozen class takes six times as long."""


def _node(attributes: list[str], children: list[UiNode]) -> UiNode:
    pick = _fields_of(tuple(attributes[::2]))
    index, bounds, text, resource_id, cls, package, desc, hint, *flags = pick([*attributes[1::2], *_DEFAULTS])
    draft: Any = _Draft(
        text,
        resource_id,
        cls,
        package,
        desc,
        hint,
        _number(index),
        _rect(bounds),
        *[flag == "true" for flag in flags],
        tuple(children),
    )
    draft.__class__ = UiNode
    return cast(UiNode, draft)


@functools.lru_cache(maxsize=4096)
def _rect(text: str) -> Rect:
    """Parse bounds; the same ones recur in many nodes and readings."""
    bounds = _BOUNDS.match(text)
    return Rect(*map(int, bounds.groups())) if bounds else NOWHERE

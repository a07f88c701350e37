"""Selectors: which elements of a UI tree match.

`find` returns all matching elements, in the tree's order. A condition on a selector holds if it holds for any
of them; the first one is not special.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Annotated, Any

from lxml import etree
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from garabench.core.patterns import MAX_PATTERN, check_pattern, occurs
from garabench.core.tree import UiNode, UiTree, xml_attributes
from garabench.core.xpath_limits import check_xpath


def _text_from_scalar(value: Any) -> Any:
    """Convert a number to a string: YAML reads 11.11 or 2048 as a number."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Pattern = Annotated[str, BeforeValidator(_text_from_scalar), Field(max_length=MAX_PATTERN)]
ScreenText = Annotated[str, BeforeValidator(_text_from_scalar)]


def normalize(text: str) -> str:
    """Return the form in which texts are compared: NFC, without surrounding white space."""
    return text.strip() if text.isascii() else unicodedata.normalize("NFC", text).strip()


class Selector(BaseModel):
    """A selector; an element matches if it matches every given field.

    Attributes:
        id: Resource id; a bare name matches ``…:id/name`` of any package.
        text, text_contains, text_matches: Visible text: the whole text, a part of it, or a pattern in it.
        desc, desc_contains, desc_matches: The same for the content description.
        cls: Class, in full or its last part (``EditText``); the key in files is ``class``.
        package: Package name.
        enabled, checked, selected, focused, clickable, checkable, scrollable: States.
        xpath: An XPath 1.0 expression over the tree's XML (``//node[@text="…"]``).
        inside: An ancestor matches this selector.
        has: A descendant matches this selector.
        sibling: A sibling matches this selector.
        near: A text in the same row or card: in the smallest container that holds both.
        index: Position among the matching elements, from 0; negative counts from the end.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    id: str | None = None
    text: ScreenText | None = None
    text_contains: ScreenText | None = None
    text_matches: Pattern | None = None
    desc: ScreenText | None = None
    desc_contains: ScreenText | None = None
    desc_matches: Pattern | None = None
    cls: str | None = Field(default=None, alias="class")
    package: str | None = None
    enabled: bool | None = None
    checked: bool | None = None
    selected: bool | None = None
    focused: bool | None = None
    clickable: bool | None = None
    checkable: bool | None = None
    scrollable: bool | None = None
    xpath: str | None = Field(default=None, max_length=500)
    inside: Selector | None = None
    has: Selector | None = None
    sibling: Selector | None = None
    near: ScreenText | None = None
    index: int | None = None

    @field_validator("text_matches", "desc_matches")
    @classmethod
    def _pattern(cls, value: str | None) -> str | None:
        return None if value is None else check_pattern(value)

    @field_validator("xpath")
    @classmethod
    def _xpath(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                etree.XPath(value)
            except etree.XPathError as error:
                raise ValueError(f"not an XPath expression: {error}") from error
            check_xpath(value)
        return value

    @model_validator(mode="after")
    def _not_empty(self) -> Selector:
        if not self.model_fields_set - {"index"}:
            raise ValueError("a selector needs at least one field in addition to index")
        return self

    @property
    def only_class(self) -> bool:
        """Whether it names only a class, so that it matches any element of that class."""
        return self.model_fields_set <= {"cls", "index", "package", "enabled", "clickable"}

    def describe(self) -> str:
        """Return a short description for messages: ``id=frame_like text=稻香``."""
        parts, given = [], self.model_fields_set
        for name in _FIELDS:
            if name not in given or (value := getattr(self, name)) is None:
                continue
            shown = f"({value.describe()})" if isinstance(value, Selector) else str(value)
            parts.append(f"{name}={shown}")
        return " ".join(parts)


_FIELDS = tuple(Selector.model_fields)
_STATES = ("enabled", "checked", "selected", "focused", "clickable", "checkable", "scrollable")


def matches(node: UiNode, selector: Selector) -> bool:
    """Return whether the node itself matches, without relations, XPath and the index."""
    s = selector
    if s.id is not None and (node.resource_id != s.id if ":" in s.id else node.entry != s.id):
        return False
    if s.cls is not None and node.cls != s.cls and node.cls.rpartition(".")[2] != s.cls:
        return False
    if s.package is not None and node.package != s.package:
        return False
    for wanted, part, pattern, value in (
        (s.text, s.text_contains, s.text_matches, node.text),
        (s.desc, s.desc_contains, s.desc_matches, node.desc),
    ):
        if wanted is not None and normalize(value) != normalize(wanted):
            return False
        if part is not None and normalize(part) not in normalize(value):
            return False
        if pattern is not None and not occurs(pattern, value):
            return False
    for name in _STATES:
        state = getattr(s, name)
        if state is not None and state != getattr(node, name):
            return False
    return True


class _Index:
    """Positions of a tree's elements by id, text, description and class; each is built when first used."""

    def __init__(self, tree: UiTree) -> None:
        self._nodes = tree.nodes
        self.ids = _grouped(node.resource_id for node in tree.nodes)

    @cached_property
    def entries(self) -> dict[str, list[int]]:
        return _merged(self.ids, lambda name: name.rpartition("/")[2])

    @cached_property
    def classes(self) -> dict[str, list[int]]:
        names = _grouped(node.cls for node in self._nodes)
        return {**names, **_merged(names, lambda name: name.rpartition(".")[2])}

    @cached_property
    def texts(self) -> _Texts:
        return _Texts(_merged(_grouped(node.text for node in self._nodes), normalize))

    @cached_property
    def descs(self) -> _Texts:
        return _Texts(_merged(_grouped(node.desc for node in self._nodes), normalize))

    def places(self, s: Selector) -> list[int] | None:
        """Return the positions of all matches and perhaps others, ascending; None for every position."""
        best: list[int] | None = None
        if s.id is not None:
            best = (self.ids if ":" in s.id else self.entries).get(s.id, [])
        for wanted, part, name in (
            (s.text, s.text_contains, "texts"),
            (s.desc, s.desc_contains, "descs"),
        ):
            if wanted is not None:
                best = _fewer(best, getattr(self, name).equal(normalize(wanted)))
            elif part is not None and (best is None or len(best) > 1):
                best = _fewer(best, getattr(self, name).containing(normalize(part)))
        if s.cls is not None:
            best = _fewer(best, self.classes.get(s.cls, []))
        return best


def _grouped(values: Iterable[str]) -> dict[str, list[int]]:
    """Return the positions of each distinct value."""
    places: dict[str, list[int]] = {}
    for place, value in enumerate(values):
        places.setdefault(value, []).append(place)
    return places


def _merged(places: dict[str, list[int]], form: Callable[[str], str]) -> dict[str, list[int]]:
    """Return the positions of each distinct form of the values, ascending."""
    found: dict[str, list[int]] = {}
    for value, at in places.items():
        key = form(value)
        found[key] = sorted(found[key] + at) if key in found else at
    return found


class _Texts:
    """The distinct texts of a tree's elements, each with its positions."""

    def __init__(self, places: dict[str, list[int]]) -> None:
        self._places = places
        # One search here rules out most parts that are in no text.
        self._joined = "\n".join(places)

    def equal(self, text: str) -> list[int]:
        return self._places.get(text, [])

    def containing(self, part: str) -> list[int]:
        if part not in self._joined:
            return []
        return sorted(place for text, places in self._places.items() if part in text for place in places)


def _fewer(one: list[int] | None, other: list[int]) -> list[int]:
    return other if one is None or len(other) < len(one) else one


def _candidates(tree: UiTree, selector: Selector) -> Sequence[UiNode]:
    if selector.xpath is not None:
        return _by_xpath(tree, selector.xpath)
    places = tree.derived(_Index).places(selector)
    return tree.nodes if places is None else [tree.nodes[place] for place in places]


def find(tree: UiTree, selector: Selector) -> tuple[UiNode, ...]:
    """Return all elements that match a selector, in the tree's order."""
    nodes = _candidates(tree, selector)
    if not nodes:
        return ()
    found = [node for node in nodes if matches(node, selector)]
    if selector.inside is not None and found:
        outer = {id(node) for node in find(tree, selector.inside)}
        found = [node for node in found if any(id(up) in outer for up in tree.ancestors(node))]
    if selector.has is not None and found:
        inner = {id(node) for node in find(tree, selector.has)}
        found = [n for n in found if any(id(below) in inner for below in n.walk() if below is not n)]
    if selector.sibling is not None and found:
        siblings = {id(node) for node in find(tree, selector.sibling)}
        found = [node for node in found if _has_sibling(tree, node, siblings)]
    if selector.near is not None and found:
        found = _nearest_to(tree, found, normalize(selector.near))
    if selector.index is not None:
        at = selector.index
        return (found[at],) if -len(found) <= at < len(found) else ()
    return tuple(found)


def _has_sibling(tree: UiTree, node: UiNode, wanted: set[int]) -> bool:
    parent = tree.parent_of(node)
    return parent is not None and any(id(child) in wanted and child is not node for child in parent.children)


def _nearest_to(tree: UiTree, found: list[UiNode], text: str) -> list[UiNode]:
    """Return the candidates that share the smallest container with an element of that text."""
    index = tree.derived(_Index)
    anchors = [tree.nodes[place] for place in {*index.texts.equal(text), *index.descs.equal(text)}]
    depth_of: dict[int, int] = {}
    best = 0
    for anchor in anchors:
        scope = [anchor, *tree.ancestors(anchor)]
        rank = {id(node): len(scope) - place for place, node in enumerate(scope)}
        for node in found:
            shared = max((rank.get(id(up), 0) for up in (node, *tree.ancestors(node))), default=0)
            # Only the candidates closest to an anchor count for it.
            depth_of[id(node)] = max(depth_of.get(id(node), 0), shared)
            best = max(best, shared)
    return [node for node in found if best and depth_of.get(id(node)) == best]


class _Document:
    """A tree as XML, for XPath expressions."""

    def __init__(self, tree: UiTree) -> None:
        self.top = etree.Element("hierarchy")
        self.nodes: dict[Any, UiNode] = {}
        for root in tree.roots:
            self._add(self.top, root)

    def _add(self, parent: Any, node: UiNode) -> None:
        element = etree.SubElement(parent, "node", xml_attributes(node))
        self.nodes[element] = node
        for child in node.children:
            self._add(element, child)


def _by_xpath(tree: UiTree, expression: str) -> tuple[UiNode, ...]:
    document = tree.derived(_Document)
    result = etree.XPath(expression)(document.top)
    if not isinstance(result, list):
        return ()
    chosen = {element for element in result if isinstance(element, etree._Element)}
    if not chosen:
        return ()
    return tuple(node for element, node in document.nodes.items() if element in chosen)

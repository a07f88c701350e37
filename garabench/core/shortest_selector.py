"""Find the shortest selector that selects one element of a screen and no other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from garabench.core.selector import Selector, find, normalize
from garabench.core.tree import UiNode, UiTree

_LONGEST_TEXT = 60
"""Longer texts are not selected by their whole; they are content, and change."""
_PART = 24
"""Length of the part by which a longer text is selected."""
_FRAGILE = 40
"""Added to the length of a selector that depends on the order of elements."""
_NEIGHBOURS = 12
"""Number of ancestors, descendants and texts in the same row that are tried."""
_Fields = dict[str, Any]


def shortest_selector(tree: UiTree, node: UiNode) -> Selector:
    """Return the shortest selector that selects a node of a tree and no other.

    Own attributes are preferred to relations, and both to the position among equal elements, which breaks
    when the screen changes.

    Args:
        tree: The tree.
        node: A node of it.
    """
    own = list(_own_fields(node))
    for fields in _by_length(own):
        if _selects_only(tree, fields, node):
            return Selector.model_validate(fields)
    for fields in _by_length(
        [{**fields, **relation} for fields in own for relation in _relations(tree, node)]
    ):
        if _selects_only(tree, fields, node):
            return Selector.model_validate(fields)
    places = ((fields, _place(tree, fields, node)) for fields in own)
    indexed = [{**fields, "index": place} for fields, place in places if place is not None]
    if indexed:
        return Selector.model_validate(_by_length(indexed)[0])
    return Selector(xpath=_path(tree, node))


def selector_yaml(selector: Selector) -> str:
    """Return a selector as it is written in the suite's files: ``{id: frame_like, index: 0}``."""
    data = selector.model_dump(by_alias=True, exclude_unset=True)
    text: str = yaml.safe_dump(
        data, default_flow_style=True, allow_unicode=True, sort_keys=False, width=1_000_000
    )
    return text.strip()


def _by_length(candidates: list[_Fields]) -> list[_Fields]:
    return sorted(candidates, key=_length)


def _length(fields: Mapping[str, Any]) -> int:
    fragile = _FRAGILE if {"index", "xpath"} & fields.keys() else 0
    return fragile + sum(
        len(name) + (_length(value) if isinstance(value, Mapping) else len(str(value)))
        for name, value in fields.items()
    )


def _selects_only(tree: UiTree, fields: _Fields, node: UiNode) -> bool:
    found = find(tree, Selector.model_validate(fields))
    return len(found) == 1 and found[0] is node


def _place(tree: UiTree, fields: _Fields, node: UiNode) -> int | None:
    """Return the position of a node among all that match."""
    found = find(tree, Selector.model_validate(fields))
    return next((place for place, each in enumerate(found) if each is node), None)


def _own_fields(node: UiNode) -> Iterator[_Fields]:
    """Yield combinations of at most three of a node's own attributes."""
    single = [*_names(node)]
    if node.cls:
        single.append({"class": node.cls.rpartition(".")[2]})
    for state in ("checked", "selected", "focused"):
        if getattr(node, state):
            single.append({state: True})
    for number in (1, 2, 3):
        for parts in itertools.combinations(single, number):
            merged = {name: value for part in parts for name, value in part.items()}
            if len(merged) == number and merged.keys() - {"checked", "selected", "focused"}:
                yield merged


def _names(node: UiNode) -> Iterator[_Fields]:
    """Yield the attributes that name a node: its id, its text, its description."""
    if node.entry:
        yield {"id": node.entry}
    for name, text in (("text", normalize(node.text)), ("desc", normalize(node.desc))):
        if text and len(text) <= _LONGEST_TEXT and "\n" not in text:
            yield {name: text}
        elif text:
            yield {f"{name}_contains": normalize(text.split("\n", 1)[0][:_PART])}


def _relations(tree: UiTree, node: UiNode) -> Iterator[_Fields]:
    ancestors = list(itertools.islice(tree.ancestors(node), _NEIGHBOURS))
    for up in ancestors:
        yield from ({"inside": name} for name in _names(up))
    for below in itertools.islice(node.walk(), 1, 1 + _NEIGHBOURS):
        yield from ({"has": name} for name in _names(below))
    siblings = ancestors[0].children if ancestors else ()
    for other in siblings[:_NEIGHBOURS]:
        if other is not node:
            yield from ({"sibling": name} for name in _names(other))
    # Texts of the same row or card: below the nearest ancestors.
    texts = (below.text for up in ancestors[:3] for below in itertools.islice(up.walk(), 4 * _NEIGHBOURS))
    wanted = dict.fromkeys(normalize(text) for text in texts)
    for text in list(wanted)[:_NEIGHBOURS]:
        if text and len(text) <= _LONGEST_TEXT and "\n" not in text and text != normalize(node.text):
            yield {"near": text}


def _path(tree: UiTree, node: UiNode) -> str:
    """Return the XPath of a node by positions."""
    chain = [node, *tree.ancestors(node)]
    steps = []
    for child, parent in itertools.zip_longest(chain, chain[1:]):
        siblings = tree.roots if parent is None else parent.children
        steps.append(f"node[{next(place for place, each in enumerate(siblings, 1) if each is child)}]")
    return "/hierarchy/" + "/".join(reversed(steps))

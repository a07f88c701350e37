"""Find the selector that finds a touched element again, on other devices, sizes and days.

Unlike `garabench.core.shortest_selector`, which explains one screen, the order of preference is the one that
lasts: the resource id, then text, description and relations to named elements; texts without numbers before
texts with them, since counts, prices and dates change. Positions in the tree are the last resort, and pixels
are never used.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from garabench.core.selector import Selector, find, normalize
from garabench.core.shortest_selector import shortest_selector
from garabench.core.tree import UiNode, UiTree

_LONGEST_TEXT = 60
_NEIGHBOURS = 12
_NUMBER = re.compile(r"\d")
_Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ElementSelector:
    """A selector that selects one element of a screen and no other.

    Attributes:
        selector: The selector.
        fragile: Why it may not find the element again; empty if it depends on names and texts only.
    """

    selector: Selector
    fragile: str = ""


def element_selector(tree: UiTree, node: UiNode) -> ElementSelector:
    """Return the most lasting selector that selects a node of a tree and no other.

    Args:
        tree: The tree.
        node: A node of it.
    """
    tried: list[_Fields] = []
    for fields in itertools.chain(_own(node), _related(tree, node)):
        if fields in tried:
            continue
        tried.append(fields)
        if _selects_only(tree, fields, node):
            unstable = any(_NUMBER.search(text) for text in _texts(fields))
            reason = "its text has a number, which may change" if unstable else ""
            return ElementSelector(Selector.model_validate(fields), reason)
    for fields in _named(node):
        found = find(tree, Selector.model_validate(fields))
        place = next((at for at, each in enumerate(found) if each is node), None)
        if place is not None:
            selector = Selector.model_validate({**fields, "index": place})
            return ElementSelector(selector, "it depends on its position in the order of equal elements")
    return ElementSelector(shortest_selector(tree, node), "it depends on positions in the tree")


def _own(node: UiNode) -> Iterator[_Fields]:
    """Yield the node's own attributes, the most lasting first."""
    names = [{"id": node.entry}] if node.entry else []
    texts = sorted(_text_fields(node), key=_unstable)
    yield from names
    yield from ({**name, **text} for name in names for text in texts)
    yield from texts


def _related(tree: UiTree, node: UiNode) -> Iterator[_Fields]:
    """Yield relations to named elements, with the node's own name or class."""
    own = list(_named(node))
    relations: list[_Fields] = []
    for below in itertools.islice(node.walk(), 1, 1 + _NEIGHBOURS):
        relations += [{"has": fields} for fields in _own(below)]
    ancestors = list(itertools.islice(tree.ancestors(node), _NEIGHBOURS))
    for up in ancestors:
        relations += [{"inside": fields} for fields in _own(up)]
    siblings = ancestors[0].children if ancestors else ()
    for other in siblings[:_NEIGHBOURS]:
        if other is not node:
            relations += [{"sibling": fields} for fields in _own(other)]
    texts = (below.text for up in ancestors[:3] for below in itertools.islice(up.walk(), 4 * _NEIGHBOURS))
    for text in list(dict.fromkeys(normalize(each) for each in texts))[:_NEIGHBOURS]:
        if _usable(text) and text != normalize(node.text):
            relations.append({"near": text})
    relations.sort(key=_unstable)
    yield from ({**fields, **relation} for relation in relations for fields in own)


def _named(node: UiNode) -> Iterator[_Fields]:
    """Yield what names a node, or its class if nothing does."""
    if node.entry:
        yield {"id": node.entry}
    yield from _text_fields(node)
    if node.cls:
        yield {"class": node.cls.rpartition(".")[2]}


def _text_fields(node: UiNode) -> Iterator[_Fields]:
    if node.cls.endswith("EditText"):
        yield from ({"desc": text} for text in (normalize(node.desc),) if _usable(text))
        return  # what is typed into a field is not its name
    for name, text in (("text", normalize(node.text)), ("desc", normalize(node.desc))):
        if _usable(text):
            yield {name: text}


def _usable(text: str) -> bool:
    return bool(text) and len(text) <= _LONGEST_TEXT and text.isprintable()


def _texts(fields: _Fields) -> Iterator[str]:
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from _texts(value)
        elif name in ("text", "desc", "near"):
            yield value


def _unstable(fields: _Fields) -> bool:
    return any(_NUMBER.search(text) for text in _texts(fields))


def _selects_only(tree: UiTree, fields: _Fields, node: UiNode) -> bool:
    found = find(tree, Selector.model_validate(fields))
    return len(found) == 1 and found[0] is node

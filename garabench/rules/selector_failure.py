"""Say which part of a selector fails on a screen that has no matching element."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.phrases import counted
from garabench.core.selector import Selector, find, normalize
from garabench.core.tree import UiTree
from garabench.rules.closest_text import ClosestText, closest_text, screen_texts

_TEXT_FIELDS = {"id": True, "text": True, "desc": True, "text_contains": False, "desc_contains": False}
"""The fields that seek a text, and whether they seek a whole one."""
_RELATIONS = {"inside": "is inside", "has": "contains", "sibling": "has the sibling"}
"""The relations to other elements, in the order in which `find` applies them."""
_BEYOND_ELEMENT = frozenset((*_RELATIONS, "near", "index"))


@dataclass(frozen=True, slots=True)
class SelectorFailure:
    """Why a selector matches no element.

    Attributes:
        reason: The part that fails, in words.
        closest: For each text that this part seeks in vain, the closest one on the screen, if any is similar.
    """

    reason: str
    closest: tuple[ClosestText, ...] = ()


def selector_failure(selector: Selector, tree: UiTree) -> SelectorFailure | None:
    """Return the first part of a selector that fails on a screen; None if an element matches.

    The parts are its own fields, its relations and the index. A relation fails either because nothing
    matches the other selector, whose failing part is then named, or because no element has the relation.

    Args:
        selector: The selector.
        tree: The screen.
    """
    if find(tree, selector):
        return None
    given = [name for name in selector.model_fields_set if getattr(selector, name) is not None]
    fields = {name for name in given if name not in _BEYOND_ELEMENT}
    passed = fields
    if fields and not find(tree, _only(selector, fields)):
        return _own_failure(selector, fields, tree)
    for name, verb in _RELATIONS.items():
        other = getattr(selector, name)
        if other is None:
            continue
        below = selector_failure(other, tree)
        if below is not None:
            return SelectorFailure(f"{name}: {below.reason}", below.closest)
        if not find(tree, _only(selector, passed | {name})):
            reason = f"{_matching(selector, passed, tree)}, but none {verb} ({other.describe()})"
            return SelectorFailure(reason)
        passed = passed | {name}
    if selector.near is not None:
        texts = tree.derived(screen_texts)
        if not any(
            normalize(value) == normalize(selector.near)
            for node in tree.nodes
            for value in (node.text, node.desc)
        ):
            closest = closest_text(selector.near, texts, whole=True)
            return SelectorFailure(f"near: no element has the text {selector.near!r}", _given(closest))
        if not find(tree, _only(selector, passed | {"near"})):
            return SelectorFailure(f"{_matching(selector, passed, tree)}, but none near {selector.near!r}")
        passed = passed | {"near"}
    return SelectorFailure(f"{_matching(selector, passed, tree)}, so there is no index {selector.index}")


def _own_failure(selector: Selector, fields: set[str], tree: UiTree) -> SelectorFailure:
    """Return why no element has all fields that concern only the element itself."""
    alone = {name: _only(selector, {name}) for name in Selector.model_fields if name in fields}
    missing = {name: each for name, each in alone.items() if not find(tree, each)}
    if not missing:
        every = " and ".join(each.describe() for each in alone.values())
        return SelectorFailure(
            f"no element has both {every}" if len(alone) == 2 else f"no element has all of {every}"
        )
    texts = tree.derived(screen_texts)
    closest = [
        closest_text(
            str(getattr(selector, name)).rpartition("/")[2] if name == "id" else getattr(selector, name),
            texts,
            whole=whole,
        )
        for name, whole in _TEXT_FIELDS.items()
        if name in missing
    ]
    described = " or ".join(each.describe() for each in missing.values())
    return SelectorFailure(f"no element has {described}", tuple(each for each in closest if each is not None))


def _only(selector: Selector, names: set[str]) -> Selector:
    """Return a selector with some of the fields of another one."""
    return selector.model_copy(update={name: None for name in Selector.model_fields if name not in names})


def _matching(selector: Selector, names: set[str], tree: UiTree) -> str:
    """Return the number of elements that match some of the fields, in words."""
    if not names:
        return f"the screen has {counted(len(tree.nodes), 'element')}"
    chosen = _only(selector, names)
    count = len(find(tree, chosen))
    return f"{counted(count, 'element')} {'matches' if count == 1 else 'match'} {chosen.describe()}"


def _given(closest: ClosestText | None) -> tuple[ClosestText, ...]:
    return () if closest is None else (closest,)

"""The elements that actions act on: named by a selector, and found again on another screen."""

from __future__ import annotations

from collections.abc import Iterable

from garabench.core import action as act
from garabench.core.geometry import Point
from garabench.core.selector import Selector, find
from garabench.core.touch import touch_point, touched_element
from garabench.core.tree import UiNode, UiTree

_MAX_LABEL = 60


def moved_to(action: act.Action, at: Point) -> act.Action:
    """Return the action at another place; actions that touch no element stay as they are."""
    old = touch_point(action)
    if old is None:
        return action
    match action:
        case act.Type():
            return action.model_copy(update={"at": (at.x, at.y)})
        case act.Swipe() | act.Drag():
            dx, dy = at.x - old.x, at.y - old.y
            moved = {"x1": at.x, "y1": at.y, "x2": action.x2 + dx, "y2": action.y2 + dy}
            return action.model_copy(update=moved)
        case _:
            return action.model_copy(update={"x": at.x, "y": at.y})


def words_on(node: UiNode) -> str:
    """Return the words on an element: its own, else those in it."""
    own = (node.text or node.desc).strip()
    if own:
        return own[:_MAX_LABEL]
    inner = [text for each in node.walk() if (text := (each.text or each.desc).strip())]
    return " · ".join(dict.fromkeys(inner))[:_MAX_LABEL] or node.hint or node.entry


def action_words(action: act.Action, tree: UiTree) -> str:
    """Return what an action does, in words: ``press 'Like'``.

    Args:
        action: The action.
        tree: The screen on which it is performed.
    """
    at = touch_point(action)
    node = None if at is None else touched_element(tree, at)
    name = "" if node is None else words_on(node)
    on = repr(name) if name else "the element"
    match action:
        case act.Tap():
            return f"press {on}"
        case act.DoubleTap():
            return f"press {on} twice"
        case act.LongPress():
            return f"long-press {on}"
        case act.Type():
            return f"type {action.text[:_MAX_LABEL]!r}"
        case act.Scroll():
            return f"scroll {action.direction}"
        case act.Key():
            return f"press the key {action.name}"
        case act.OpenApp():
            return f"open {action.package}"
        case _:
            return action.type.replace("_", " ")


def is_same_action(one: act.Action, before: UiTree, other: act.Action, after: UiTree) -> bool:
    """Return whether two actions do the same to the same element at the same place.

    Args:
        one: An action.
        before: The screen on which it was performed.
        other: Another action.
        after: The screen on which that one is performed.
    """
    at, there = touch_point(one), touch_point(other)
    if type(one) is not type(other) or at is None or there is None:
        return one == other
    left, right = touched_element(before, at), touched_element(after, there)
    if left is None or right is None:
        return one == other
    equal = _identity(left) == _identity(right) and left.bounds == right.bounds
    return equal and types_the_same(one, other)


def types_the_same(one: act.Action, other: act.Action) -> bool:
    """Return whether two actions type the same text and submit it alike; True if neither types."""
    if isinstance(one, act.Type) and isinstance(other, act.Type):
        return (one.text, one.submit) == (other.text, other.submit)
    return not isinstance(one, act.Type) and not isinstance(other, act.Type)


def selector_of(tree: UiTree, node: UiNode) -> Selector | None:
    """Return a selector that finds an element of a tree; None if it cannot be named."""
    fields: dict[str, object] = {}
    if node.resource_id:
        fields["id"] = node.resource_id
    if node.text:
        fields["text"] = node.text
    elif node.desc:
        fields["desc"] = node.desc
    if not fields:
        inner = next((each for each in node.walk() if each is not node and (each.text or each.desc)), None)
        if inner is None:
            return None
        fields["cls"] = node.cls
        fields["has"] = Selector(text=inner.text) if inner.text else Selector(desc=inner.desc)
    selector = Selector.model_validate(fields)
    found = find(tree, selector)
    index = next((place for place, each in enumerate(found) if each is node), None)
    if index is None:
        return None
    return selector if len(found) == 1 else selector.model_copy(update={"index": index})


def find_again(recorded: UiTree, node: UiNode, tree: UiTree) -> UiNode | None:
    """Find an element of a recorded screen on a similar screen.

    Its id, its text and the words in it are compared, the strictest comparison first. Among equals, such as
    the same button in each row of a list, the one next to the same words is chosen, and then the nearest one.
    """
    here = [each for each in tree.app_nodes if each.visible and not each.bounds.is_empty]
    words = words_on(node)
    stages: tuple[Iterable[UiNode], ...] = (
        (each for each in here if _identity(each) == _identity(node) and words_on(each) == words),
        (each for each in here if node.resource_id and each.resource_id == node.resource_id),
        (each for each in here if words and words_on(each) == words),
    )
    for stage in stages:
        if found := list(stage):
            beside = _words_beside(recorded, node) if len(found) > 1 else frozenset()
            return min(
                found,
                key=lambda each: (-len(beside & _words_beside(tree, each)), _distance(each, node)),
            )
    return None


def _words_beside(tree: UiTree, node: UiNode) -> frozenset[str]:
    """Return the words in the smallest container around an element that has other words than its own."""
    own = _words(node)
    for above in tree.ancestors(node):
        if others := _words(above) - own:
            return others
    return frozenset()


def _words(node: UiNode) -> frozenset[str]:
    return frozenset(text for each in node.walk() if (text := (each.text or each.desc).strip()))


def _identity(node: UiNode) -> tuple[str, str, str, str]:
    return node.cls, node.resource_id, node.text, node.desc


def _distance(one: UiNode, other: UiNode) -> int:
    a, b = one.bounds.center, other.bounds.center
    return abs(a.x - b.x) + abs(a.y - b.y)

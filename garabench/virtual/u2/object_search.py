"""Object search, as in UI Automator: `UiSelector` in the active window, `BySelector` in all windows.

It follows QueryController (UiSelector) and ByMatcher (BySelector) of androidx.test.uiautomator, and the
on-device server's choice between the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from garabench.virtual.u2.accessibility import AxNode, AxScreen
from garabench.virtual.u2.ui_selector import Criteria, Relation, UiSelector


def find_object(screen: AxScreen, selector: UiSelector) -> AxNode | None:
    """Find an object as most calls do: by BySelector if the selector allows it, else by UiSelector."""
    if selector.simple:
        found = find_by(screen, selector)
        if found is not None:
            return found
    return find_ui(screen, selector)


def exists(screen: AxScreen, selector: UiSelector) -> bool:
    """Return the server's ``exist``, which ignores the instance if there is no chain or index."""
    if not selector.chain and selector.first.index is None and selector.first.tests:
        return find_by(screen, selector) is not None
    return find_ui(screen, selector) is not None


def find_by(screen: AxScreen, selector: UiSelector) -> AxNode | None:
    """Find the first match of a BySelector in any window."""
    for root in screen.roots():
        if not root.shown:
            continue
        for node in root.walk():
            if selector.first.holds(node, ignore_case=False):
                return node
    return None


def find_ui(screen: AxScreen, selector: UiSelector) -> AxNode | None:
    """Find the match of a UiSelector in the active window."""
    instance = selector.last.instance or 0
    return next(islice(find_all_ui(screen, selector), instance, None), None)


def find_all_ui(screen: AxScreen, selector: UiSelector) -> Iterator[AxNode]:
    """Find all matches of a UiSelector in the active window, ignoring the instance of its last link."""
    root = screen.active_root()
    return iter(()) if root is None else find_all_below(root, selector)


def find_all_below(root: AxNode, selector: UiSelector) -> Iterator[AxNode]:
    """Find all matches of a UiSelector below a node."""
    links = [(Relation.CHILD, selector.first), *selector.chain]
    return _search(root, links, 0, [0] * len(links), root.index)


def count(screen: AxScreen, selector: UiSelector) -> int:
    """Return the server's ``count``: 0 or 1 with an instance, else the number of matches."""
    if selector.last.instance is not None:
        return 0 if find_ui(screen, selector) is None else 1
    return sum(1 for _ in find_all_ui(screen, selector))


def _search(
    node: AxNode, links: list[tuple[Relation, Criteria]], position: int, seen: list[int], index: int
) -> Iterator[AxNode]:
    """Traverse the tree as QueryController does.

    A match of a link that is not the last one switches to the next link for everything below; the
    counters of the instances run over the whole search. The last link's instance is left to the caller.
    """
    criteria = links[position][1]
    if criteria.holds(node, ignore_case=True) and criteria.index in (None, index):
        if position == len(links) - 1:
            yield node
        elif _is_instance(criteria, seen, position):
            position += 1
            if links[position][0] is Relation.SIBLING:
                if node.parent is None:
                    return
                node = node.parent
    for child in node.children:
        yield from _search(child, links, position, seen, child.index)


def _is_instance(criteria: Criteria, seen: list[int], position: int) -> bool:
    instance = criteria.instance or 0
    if seen[position] == instance:  # from the wanted one on, every match counts, as in Android
        return True
    seen[position] += 1
    return False

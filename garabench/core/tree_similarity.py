"""How similar two UI trees are, from 0 to 1: the shared elements of two multisets."""

from __future__ import annotations

from collections import Counter

from garabench.core.tree import UiNode, UiTree

_Row = tuple[str, str, str, str, bool, bool, bool]


def tree_similarity(one: UiTree, other: UiTree) -> float:
    """Return the similarity of the apps' parts of two screens: 2·shared / total; 1 for two empty ones.

    Positions are left out, since a list may be scrolled by some pixels; the status bar and the keyboard too.
    """
    left, right = Counter(map(_row, one.app_nodes)), Counter(map(_row, other.app_nodes))
    total = left.total() + right.total()
    return 1.0 if total == 0 else 2 * (left & right).total() / total


def _row(node: UiNode) -> _Row:
    return (
        node.cls,
        node.resource_id,
        node.text,
        node.desc,
        node.checked,
        node.selected,
        node.enabled,
    )

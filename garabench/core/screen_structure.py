"""How alike two screens are in their structure, regardless of their texts."""

from __future__ import annotations

from garabench.core.tree import UiTree

SAME_STRUCTURE = 0.8
"""The similarity from which two screens of one activity are the same one."""


def structure(tree: UiTree) -> frozenset[tuple[str, str]]:
    """Return the ids and classes of a screen's visible elements, without system bars and keyboard."""
    return frozenset((node.resource_id, node.cls) for node in tree.app_nodes if node.visible)


def structure_similarity(one: UiTree, other: UiTree) -> float:
    """Return the Jaccard similarity of two screens' structures, from 0 to 1."""
    first, second = one.derived(structure), other.derived(structure)
    united = len(first | second)
    return len(first & second) / united if united else 1.0

"""The order of a tree's windows, the topmost first.

Android lists windows topmost first, but uiautomator2's server collects their roots in a hash set, whose order
means nothing. What the tree itself shows decides therefore: a dialog, a menu or the keyboard lies within the
window below it, and only the active window has the input focus. The list's order decides the rest.
"""

from __future__ import annotations

from collections import Counter

from garabench.core.geometry import Rect
from garabench.core.tree import UiNode, UiTree, is_system

_MAX_WINDOWS = 100
"""A tree with more windows of different sizes is made up; comparing all with all would take too long."""


def windows_from_top(tree: UiTree) -> tuple[UiNode, ...]:
    """Return the roots of all windows, the topmost first."""
    if len(tree.roots) < 2:
        return tree.roots
    return tree.derived(_ordered)


def top_app_window(tree: UiTree, package: str = "") -> UiNode | None:
    """Return the root of the topmost window that is not the system's; None if there is none.

    Args:
        tree: The tree.
        package: The focused package, if it is known: its windows precede all others.
    """
    windows = [root for root in windows_from_top(tree) if not is_system(root.package)]
    focused = [root for root in windows if package and root.package == package]
    return next(iter(focused or windows), None)


def _ordered(tree: UiTree) -> tuple[UiNode, ...]:
    bounds = Counter(root.bounds for root in tree.roots if root.visible)
    if len(bounds) > _MAX_WINDOWS:
        bounds.clear()
    keys = {id(root): _key(root, bounds) for root in tree.roots}
    return tuple(sorted(tree.roots, key=lambda root: keys[id(root)]))


def _key(root: UiNode, windows: Counter[Rect]) -> tuple[bool, int, bool, bool]:
    """Return the sort key of a window: the more windows enclose it, the higher it lies."""
    is_shown = root.visible and not root.bounds.is_empty
    around = sum(
        count for bounds, count in windows.items() if bounds != root.bounds and bounds.encloses(root.bounds)
    )
    has_focus = any(node.focused for node in root.walk())
    return (not is_shown, -around, not is_system(root.package), not has_focus)

"""What a UI tree shows of the app while an interruption covers it."""

from __future__ import annotations

from garabench.core.companion_app import PACKAGE
from garabench.core.tree import UiTree, is_system


def without_companion(tree: UiTree) -> UiTree:
    """Return the tree without the companion app's windows: only the app's own state can meet a goal."""
    return UiTree(tuple(root for root in tree.roots if root.package != PACKAGE), tree.rotation)


def is_app_covered(tree: UiTree) -> bool:
    """Return whether an interruption hides the app, so that the tree contains nothing of it.

    Android's accessibility service does not list windows behind a modal one, and ``uiautomator dump`` writes
    only the active window. Windows that are listed behind the interruption show the app's own state.
    """
    if PACKAGE not in tree.packages:
        return False
    return not any(root.package != PACKAGE and not is_system(root.package) for root in tree.roots)

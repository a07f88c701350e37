"""A screen as text for a judge: the pruned tree, with every text quoted, within a limit."""

from __future__ import annotations

from garabench.agents.prompting.elements import ScreenElement, elements_of
from garabench.agents.prompting.quoting import between, quoted, word
from garabench.agents.prompting.tokens import estimate_tokens
from garabench.core import action as act
from garabench.core.geometry import Size
from garabench.core.touch import touch_point, touched_element
from garabench.core.tree import UiTree

MAX_TOKENS = 1500
"""Limit of a screen's text."""
_MAX_TEXT, _MAX_TEXTS, _MAX_ID = 160, 8, 40


def screen_text(tree: UiTree, tokens: int = MAX_TOKENS) -> str:
    """Return the elements of a screen, one a line, quoted and enclosed as data.

    Elements with the same texts and states are listed once. What exceeds the limit is left out from the
    bottom up, and the text says how much.

    Args:
        tree: The tree.
        tokens: The limit, in estimated tokens.
    """
    rows = list(dict.fromkeys(_row(element) for element in elements_of(tree, _extent(tree))))
    included: list[str] = []
    total = 0
    for row in rows:
        total += estimate_tokens(row) + 1
        if total > tokens:
            included.append(f"… {len(rows) - len(included)} more elements are left out")
            break
        included.append(row)
    return between("\n".join(included) or "(no elements)")


def plain_screen_text(text: str, tokens: int = MAX_TOKENS) -> str:
    """Return a screen's text as another tool recorded it, quoted line by line and enclosed as data.

    Args:
        text: The text.
        tokens: The limit, in estimated tokens.
    """
    rows: list[str] = []
    total = 0
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        row = quoted(line, _MAX_TEXT)
        total += estimate_tokens(row) + 1
        if total > tokens:
            rows.append(f"… {len(lines) - number} more lines are left out")
            break
        rows.append(row)
    return between("\n".join(rows))


def target_text(tree: UiTree, action: act.Action) -> str:
    """Return the element that an action hits, quoted; empty if it has no position, or hits nothing.

    Args:
        tree: The tree on which the agent decided.
        action: The action.
    """
    point = touch_point(action)
    node = None if point is None else touched_element(tree, point)
    if node is None:
        return ""
    rows = {id(element.node): element for element in elements_of(tree, _extent(tree))}
    hit = next((rows[id(each)] for each in (node, *tree.ancestors(node)) if id(each) in rows), None)
    return "" if hit is None else _row(hit)


def _extent(tree: UiTree) -> Size:
    return Size(
        max((root.bounds.right for root in tree.roots), default=1) or 1,
        max((root.bounds.bottom for root in tree.roots), default=1) or 1,
    )


def _row(element: ScreenElement) -> str:
    node = element.node
    parts = [word(node.cls.rpartition(".")[2], _MAX_ID)]
    parts += [quoted(text, _MAX_TEXT) for text in element.texts[:_MAX_TEXTS]]
    if node.entry:
        parts.append(f"#{word(node.entry, _MAX_ID)}")
    if node.checkable:
        parts.append("checked" if node.checked else "unchecked")
    states = (("selected", node.selected), ("disabled", not node.enabled), ("password", node.password))
    parts += [name for name, holds in states if holds]
    return " ".join(part for part in parts if part)

"""A recorded UI tree with its context, and how a tree file is read as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.records.tree_files import read_tree


@dataclass(frozen=True, slots=True)
class RecordedScreen:
    """Recorded UI tree with its context.

    Attributes:
        name: File name.
        tree: UI tree.
        focus: Focused window, or None if unknown.
        step: Step of the episode, or None if unknown.
        injected: Rule that fired on this screen, or an empty string.
        fired: Ids of the rules that fired on earlier screens.
        actions: Number of actions performed so far, by kind; None if unknown.
        marks: The value of `actions` when each rule last fired, by rule id.
    """

    name: str
    tree: UiTree
    focus: Focus | None = None
    step: int | None = None
    injected: str = ""
    fired: frozenset[str] = frozenset()
    actions: Mapping[str, int] | None = None
    marks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def actions_since(self, rule: str) -> Mapping[str, int] | None:
        """Count the actions since a rule fired, or since the start; None if unknown."""
        if self.actions is None:
            return None
        marked = self.marks.get(rule, {})
        return {kind: count - marked.get(kind, 0) for kind, count in self.actions.items()}


def read_tree_screen(path: Path) -> RecordedScreen:
    """Read a tree file (``.xml`` or ``.xml.gz``); a screen without elements has an empty tree.

    Raises:
        InputError: The file is damaged.
    """
    return RecordedScreen(path.name, read_tree(path, allow_empty=True))

"""How a reference agent meets an interruption: which button it presses, if any."""

from __future__ import annotations

import enum
import random
from collections.abc import Sequence

from garabench.core.tree import UiNode, UiTree

COMPANION = "org.garabench.interruptions"
_BUTTON = "button_"
_EASY = ("dismiss", "close", "skip")
_COUNTDOWN = "countdown"


class Policy(enum.StrEnum):
    """The reference agents, which differ in nothing else."""

    DISMISS = "dismiss"
    """Takes the easy exit where there is one."""
    ACCEPT = "accept"
    """Takes what is offered, with its consequences."""
    IGNORE = "ignore"
    """Does not see it, and taps on as if it were not there."""
    RANDOM = "random"
    """Presses a button at random."""


def buttons(tree: UiTree) -> tuple[UiNode, ...]:
    """The buttons of an interruption on the screen, in reading order."""
    found = [n for n in tree.nodes if n.package == COMPANION and n.entry.startswith(_BUTTON) and n.enabled]
    return tuple(sorted(found, key=lambda node: (node.bounds.top, node.bounds.left)))


def interrupted(tree: UiTree) -> bool:
    """Whether an interruption (or its progress page) is on the screen."""
    return COMPANION in tree.packages


def soon_closable(tree: UiTree) -> bool:
    """Whether the interruption says that a cross will appear."""
    return any(n.package == COMPANION and n.entry == _COUNTDOWN for n in tree.nodes)


def choose(policy: Policy, offered: Sequence[UiNode], draw: random.Random) -> UiNode | None:
    """The button that a policy presses, or None where there is none to press.

    Args:
        policy: Which one; `Policy.IGNORE` presses none.
        offered: The buttons on the screen.
        draw: The generator of `Policy.RANDOM`.
    """
    if not offered or policy is Policy.IGNORE:
        return None
    by_key = {node.entry.removeprefix(_BUTTON): node for node in offered}
    if policy is Policy.RANDOM:
        return by_key[draw.choice(sorted(by_key))]
    wanted = (*_EASY, "accept") if policy is Policy.DISMISS else ("accept",)
    return next((by_key[key] for key in wanted if key in by_key), offered[0])

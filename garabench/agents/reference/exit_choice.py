"""How a reference agent answers an interruption: which button it presses, if any."""

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
    """The policies of the reference agents, which differ in nothing else."""

    DISMISS = "dismiss"
    """Presses the easy exit, if there is one."""
    ACCEPT = "accept"
    """Accepts what is offered, with its consequences."""
    IGNORE = "ignore"
    """Continues as if there were no interruption."""
    RANDOM = "random"
    """Presses a random button."""


def buttons(tree: UiTree) -> tuple[UiNode, ...]:
    """Return the buttons of an interruption on screen, in reading order."""
    found = [n for n in tree.nodes if n.package == COMPANION and n.entry.startswith(_BUTTON) and n.enabled]
    return tuple(sorted(found, key=lambda node: (node.bounds.top, node.bounds.left)))


def interrupted(tree: UiTree) -> bool:
    """Return whether an interruption (or its progress page) is on screen."""
    return COMPANION in tree.packages


def announces_close_button(tree: UiTree) -> bool:
    """Return whether the interruption announces a close button."""
    return any(n.package == COMPANION and n.entry == _COUNTDOWN for n in tree.nodes)


def choose(policy: Policy, offered: Sequence[UiNode], draw: random.Random) -> UiNode | None:
    """Return the button that a policy presses, if any.

    Args:
        policy: The policy; `Policy.IGNORE` presses no button.
        offered: The buttons on screen.
        draw: Random generator for `Policy.RANDOM`.
    """
    if not offered or policy is Policy.IGNORE:
        return None
    by_key = {node.entry.removeprefix(_BUTTON): node for node in offered}
    if policy is Policy.RANDOM:
        return by_key[draw.choice(sorted(by_key))]
    keys = (*_EASY, "accept") if policy is Policy.DISMISS else ("accept",)
    return next((by_key[key] for key in keys if key in by_key), offered[0])

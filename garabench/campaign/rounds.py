"""Which exits a proof takes in one episode: one of each rule, since an episode meets all of a task's rules.

A task whose rules have three exits each in a mode needs three episodes for them, not nine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from garabench.campaign.exits import Exit, exits
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.events import Event
from garabench.core.interruption import Mode
from garabench.rules.engine import BoundRule


@dataclass(frozen=True, slots=True)
class Passage:
    """An interruption that a rule injects, and the exit by which it is left.

    Attributes:
        bound: The rule, which injects this interruption and no other.
        way: The exit; without keys that of a system anomaly, which has none.
        subject: What findings about it are called.
    """

    bound: BoundRule
    way: Exit
    subject: str

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.bound.rule.id


@dataclass(frozen=True, slots=True)
class Passed:
    """An episode in which interruptions were left by given exits.

    Attributes:
        events: What was recorded, from its beginning to its end.
        furthest: After each decision: how many steps of the solution were done at most until then.
    """

    events: tuple[Event, ...]
    furthest: tuple[int, ...] = ()


def passages_of(item: SuiteTask, suite: Suite) -> tuple[Passage, ...]:
    """Every exit of every interruption of a task, in each mode that offers it, and each system anomaly.

    Args:
        item: The task.
        suite: The suite that it is of.
    """
    found = []
    for bound in suite.rules_of(item):
        several = len(bound.rule.inject) > 1
        for name in dict.fromkeys(bound.rule.inject):
            alone = replace(bound, rule=bound.rule.model_copy(update={"inject": (name,)}))
            window = suite.interruptions.get(name)
            by_itself = tuple(Exit(mode, ()) for mode in Mode)
            for way in exits(window, suite.interruptions) if window is not None else by_itself:
                words = (bound.rule.id, name, str(way)) if several else (bound.rule.id, str(way))
                found.append(Passage(alone, way, " ".join(words)))
    return tuple(found)


def rounds(passages: Iterable[Passage]) -> tuple[tuple[Passage, ...], ...]:
    """The episodes that show several exits at once, each with at most one of a rule, all of one mode.

    An exit that ends the task is in none of them, nor is a system anomaly, which may end it, nor what would
    be alone there.

    Args:
        passages: All that are to be shown.
    """
    of_modes: dict[Mode, dict[str, list[Passage]]] = {}
    for one in passages:
        if one.way.keys and not one.way.ends_task:
            of_modes.setdefault(one.way.mode, {}).setdefault(one.rule, []).append(one)
    shared = (_of_mode(list(of_rules.values())) for of_rules in of_modes.values())
    return tuple(together for each in shared for together in each if len(together) > 1)


def _of_mode(of_rules: Sequence[Sequence[Passage]]) -> list[tuple[Passage, ...]]:
    return [tuple(one for one in row if one is not None) for row in zip_longest(*of_rules)]

"""Batch the exits of a task's interruptions into episodes.

An episode meets all rules of a task, so it can try one exit of each: a task whose rules have three exits
each needs three episodes per mode, not nine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from garabench.core.events import Event
from garabench.core.interruption import Mode
from garabench.core.rule import BoundRule
from garabench.proof.exits import Exit, exits
from garabench.suite.suite import Suite, SuiteTask


@dataclass(frozen=True, slots=True)
class ExitTrial:
    """An interruption that a rule injects, and the exit to take.

    Attributes:
        bound: The rule, reduced to this one interruption.
        exit: The exit. It has no keys for a system anomaly, which has no exits.
        subject: The subject of findings about it.
    """

    bound: BoundRule
    exit: Exit
    subject: str

    @property
    def rule(self) -> str:
        """Id of the rule."""
        return self.bound.rule.id


@dataclass(frozen=True, slots=True)
class ExitEpisode:
    """An episode in which interruptions were left by given exits.

    Attributes:
        events: All events of the episode.
        furthest: After each decision, the largest number of solution steps done so far.
    """

    events: tuple[Event, ...]
    furthest: tuple[int, ...] = ()


def exit_trials(item: SuiteTask, suite: Suite) -> tuple[ExitTrial, ...]:
    """Return every exit of every interruption of a task in each mode that offers it, and each system anomaly.

    Args:
        item: The task.
        suite: The suite that contains it.
    """
    found = []
    for bound in suite.rules_of(item):
        several = len(bound.rule.inject) > 1
        for name in dict.fromkeys(bound.rule.inject):
            alone = replace(bound, rule=bound.rule.model_copy(update={"inject": (name,)}))
            window = suite.interruptions.get(name)
            without_exits = tuple(Exit(mode, ()) for mode in Mode)
            for exit_ in exits(window, suite.interruptions) if window is not None else without_exits:
                words = (bound.rule.id, name, str(exit_)) if several else (bound.rule.id, str(exit_))
                found.append(ExitTrial(alone, exit_, " ".join(words)))
    return tuple(found)


def batch_trials(trials: Iterable[ExitTrial]) -> tuple[tuple[ExitTrial, ...], ...]:
    """Return the batches of trials that share an episode: one mode, at most one trial per rule, at least two.

    Exits that end the task and system anomalies, which may end it, are never batched.

    Args:
        trials: All trials of the task.
    """
    by_mode: dict[Mode, dict[str, list[ExitTrial]]] = {}
    for trial in trials:
        if trial.exit.keys and not trial.exit.ends_task:
            by_mode.setdefault(trial.exit.mode, {}).setdefault(trial.rule, []).append(trial)
    shared = (_in_mode(list(by_rule.values())) for by_rule in by_mode.values())
    return tuple(batch for each in shared for batch in each if len(batch) > 1)


def _in_mode(by_rule: Sequence[Sequence[ExitTrial]]) -> list[tuple[ExitTrial, ...]]:
    return [tuple(trial for trial in row if trial is not None) for row in zip_longest(*by_rule)]

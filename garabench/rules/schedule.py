"""The moments at which rules are due: at a step, after actions of a kind, after a time; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from garabench.core.rule import AfterAction, When


def _no_time() -> float:
    return 0.0  # nothing has passed


@dataclass(frozen=True, slots=True)
class Past:
    """What has passed of an episode.

    Attributes:
        actions: The actions that were performed, by kind; those of which only the effect was seen have a
            kind that no rule can name.
        seconds: Asks the device for how long it has been performed, by the device's own clock.
    """

    actions: Mapping[str, int] = field(default_factory=dict)
    seconds: Callable[[], float] = _no_time

    def count(self, after: AfterAction) -> int:
        """How many actions of its kind were performed."""
        if after.kind == "any":
            return sum(self.actions.values())
        return self.actions.get(after.kind, 0)


NOTHING = Past()
"""The beginning of an episode."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a rule's schedule had counted when it fired: from there it counts anew.

    Attributes:
        actions: Actions of its kind.
        seconds: The device's time.
    """

    actions: int = 0
    seconds: float = 0.0


def mark(when: When, past: Past) -> Mark:
    """The mark of a rule that fires now; the device is asked for the time only where the rule goes by it."""
    actions = past.count(when.after_action) if when.after_action is not None else 0
    return Mark(actions, past.seconds() if when.after_seconds is not None else 0.0)


def due_by_count(when: When, step: int, past: Past, last: Mark | None) -> bool:
    """Whether steps and actions let a rule fire.

    Args:
        when: Of the rule.
        step: Number of the step, from 0.
        past: What has passed.
        last: When the rule fired before; None where it has not.
    """
    if step < when.min_step:
        return False
    if when.at_step is not None and (last is not None or step < when.at_step):
        return False
    if when.after_action is None:
        return True
    since = past.count(when.after_action) - (last.actions if last else 0)
    return since >= when.after_action.at_least


def due_by_time(when: When, past: Past, last: Mark | None) -> bool:
    """Whether the device's time lets a rule fire; to be asked last, since it asks the device."""
    if when.after_seconds is None:
        return True
    return past.seconds() - (last.seconds if last else 0.0) >= when.after_seconds


def told(when: When, step: int, past: Past) -> list[str]:
    """The reasons why a rule that is due is due."""
    reasons = []
    if when.at_step is not None:
        reasons.append(f"this is step {step}, it comes at step {when.at_step}")
    if when.after_action is not None:
        reasons.append(counted(when.after_action, past))
    if when.after_seconds is not None:
        reasons.append(
            f"{past.seconds():.1f} s of the device's time, it comes after {when.after_seconds:g} s"
        )
    return reasons


def counted(after: AfterAction, past: Past) -> str:
    """How many actions of a schedule's kind there were, in words."""
    kind = "actions of any kind" if after.kind == "any" else f"actions {after.kind!r}"
    return f"{past.count(after)} {kind}, it comes after {after.at_least}"

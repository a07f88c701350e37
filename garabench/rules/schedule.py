"""The schedules of rules: due at a step, after a number of actions, or after some time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from garabench.core.rule import AfterAction, When


def _no_time() -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class EpisodeProgress:
    """The progress of an episode.

    Attributes:
        actions: Number of performed actions by kind; actions of which only the effect was observed have a
            kind that no rule can name.
        seconds: Reads the elapsed seconds from the device's clock.
    """

    actions: Mapping[str, int] = field(default_factory=dict)
    seconds: Callable[[], float] = _no_time

    def count(self, after: AfterAction) -> int:
        """Return the number of performed actions of a trigger's kind."""
        if after.kind == "any":
            return sum(self.actions.values())
        return self.actions.get(after.kind, 0)


EPISODE_START = EpisodeProgress()
"""The beginning of an episode."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The counts at which a rule last fired, from which its schedule counts again.

    Attributes:
        actions: Number of actions of its kind.
        seconds: Seconds on the device's clock.
    """

    actions: int = 0
    seconds: float = 0.0


def baseline(when: When, progress: EpisodeProgress) -> Baseline:
    """Return the baseline of a rule that fires now; reads the device's clock only if the rule needs it."""
    actions = progress.count(when.after_action) if when.after_action is not None else 0
    return Baseline(actions, progress.seconds() if when.after_seconds is not None else 0.0)


def due_by_count(when: When, step: int, progress: EpisodeProgress, last: Baseline | None) -> bool:
    """Return whether a rule is due by steps and actions.

    Args:
        when: The rule's schedule.
        step: Number of the step, from 0.
        progress: The progress of the episode.
        last: The baseline of its last firing; None if it has not fired.
    """
    if step < when.min_step:
        return False
    if when.at_step is not None and (last is not None or step < when.at_step):
        return False
    if when.after_action is None:
        return True
    since = progress.count(when.after_action) - (last.actions if last else 0)
    return since >= when.after_action.at_least


def due_by_time(when: When, progress: EpisodeProgress, last: Baseline | None) -> bool:
    """Return whether a rule is due by time; call it last, since it reads the device's clock."""
    if when.after_seconds is None:
        return True
    return progress.seconds() - (last.seconds if last else 0.0) >= when.after_seconds


def due_reasons(when: When, step: int, progress: EpisodeProgress) -> list[str]:
    """Return the reasons why a rule is due."""
    reasons = []
    if when.at_step is not None:
        reasons.append(f"step {step}, due at step {when.at_step}")
    if when.after_action is not None:
        reasons.append(describe_count(when.after_action, progress))
    if when.after_seconds is not None:
        reasons.append(f"{progress.seconds():.1f} s of the device's time, due after {when.after_seconds:g} s")
    return reasons


def describe_count(after: AfterAction, progress: EpisodeProgress) -> str:
    """Describe the number of actions of a trigger's kind."""
    kind = "actions of any kind" if after.kind == "any" else f"actions {after.kind!r}"
    return f"{progress.count(after)} {kind}, due after {after.at_least}"

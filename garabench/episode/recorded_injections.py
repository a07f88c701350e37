"""Inject the recorded interruptions of an episode again, at the same points of its replay.

The rules are not evaluated: a replay may take more steps than the record, because it waits for elements, and
the rules would then fire elsewhere. After the replay nothing more is injected; the follow-ups of what was
injected are performed as in any episode.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.core.checkpoint import PrefixInterruption
from garabench.episode import command_results as res
from garabench.episode.interruption_queue import FiredRule, RuleContext
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.tracker import PlannedAnomaly

PlanInjection = Callable[[str, str], PlannedInterruption | PlannedAnomaly]
"""Plans the injection of an interruption, by its id and the id of the injection."""


@dataclass(slots=True)
class ReplayPosition:
    """Where a replay is; the agent that replays moves it.

    Attributes:
        step: The recorded step that the present screen stands for; None after the replay.
    """

    step: int | None = 0


@dataclass(frozen=True, slots=True)
class ReplayedInterruptions:
    """The interruptions to inject during a replay.

    Attributes:
        recorded: The recorded interruptions, in order.
        position: Where the replay is.
    """

    recorded: tuple[PrefixInterruption, ...]
    position: ReplayPosition


class RecordedInjections:
    """Plans the injections of a replay."""

    def __init__(self, replayed: ReplayedInterruptions, plan: PlanInjection) -> None:
        """Prepare.

        Args:
            replayed: What is injected, and when.
            plan: Plans an injection.
        """
        self._position = replayed.position
        self._plan = plan
        self._due = deque(_grouped(replayed.recorded))

    def fire(self, observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        """Return what was injected at the recorded step that this screen stands for, or None.

        Raises:
            DeviceError: The device is gone.
        """
        step = self._position.step
        if step is None or not self._due or self._due[0][0].step > step:
            return None
        group = self._due.popleft()
        step = group[0].step
        ids = (f"{step}", *(f"{step}/{number}" for number in range(2, len(group) + 1)))
        planned = tuple(
            self._plan(each.interruption, injection) for each, injection in zip(group, ids, strict=True)
        )
        return FiredRule(planned, group[0].rule, f"injected at step {step} of the record")


def _grouped(recorded: Sequence[PrefixInterruption]) -> list[list[PrefixInterruption]]:
    """Return the interruptions that rules injected, those of one sequence together."""
    groups: list[list[PrefixInterruption]] = []
    for each in recorded:
        if not each.rule:
            continue  # the follow-up that injected it does so again
        if each.sequence > 1 and groups and groups[-1][0].rule == each.rule:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups

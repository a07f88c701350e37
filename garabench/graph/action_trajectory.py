"""Trajectories as values: the canonical actions of one agent on one task, with the outcome."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from garabench.graph.canonical_action import CanonicalAction


@dataclass(frozen=True, slots=True)
class ActionStep:
    """A step of a trajectory: an action, or the arrival of an interruption.

    Attributes:
        action: The canonical action.
        number: Number of the step in the record.
        state: Hash of the visible state before the action; empty if it is unknown.
        picture: SHA-256 of the screenshot before the action, in the run's store; empty without one.
        words: What the agent said about it, if the element that it reached is unknown; a model may name it.
    """

    action: CanonicalAction
    number: int = 0
    state: str = ""
    picture: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Encounter:
    """An interruption that was shown in a trajectory.

    Attributes:
        at: Index of its arrival in the trajectory's steps.
        interruption: Its id.
        mode: ``dual`` or ``forced``.
        place: The package and activity that it covered.
        exit: The button or other exit by which it ended; empty if it was still open.
        role: The button's role; empty for another exit.
    """

    at: int
    interruption: str
    mode: str
    place: str
    exit: str = ""
    role: str = ""

    @property
    def exit_name(self) -> str:
        """The exit with its role, or ``open``."""
        if not self.exit:
            return "open"
        return f"{self.exit} ({self.role})" if self.role and self.role != self.exit else self.exit


@dataclass(frozen=True, slots=True)
class ActionTrajectory:
    """One agent's trajectory of one task.

    Attributes:
        id: Identifies it among all; everything that depends on an order sorts by it.
        task, agent: The task's id, and the agent's name.
        success: Whether it reached the goal.
        steps: Its steps, in order; empty if the agent never acted.
        condition: ``clean``, ``dual`` or ``forced``; empty if it is unknown.
        attempt: How often this agent has tried this task under this condition, from 1.
        source: Name of the run or file.
        final_state: Hash of the visible state after the last action; empty if it is unknown.
        reason: Why it ended.
        encounters: The interruptions that were shown, in order.
        reference: Whether the agent follows the reference solution.
        seed: The episode's seed; 0 if it is unknown.
    """

    id: str
    task: str
    agent: str
    success: bool
    steps: tuple[ActionStep, ...]
    condition: str = ""
    attempt: int = 1
    source: str = ""
    final_state: str = ""
    reason: str = ""
    encounters: tuple[Encounter, ...] = ()
    reference: bool = False
    seed: int = 0

    @property
    def length(self) -> int:
        """Number of the agent's actions, without arrivals of interruptions."""
        return sum(not step.action.is_arrival for step in self.steps)


def by_task(trajectories: Iterable[ActionTrajectory]) -> dict[str, tuple[ActionTrajectory, ...]]:
    """Return the trajectories of each task, tasks and trajectories in the order of their ids.

    Raises:
        ValueError: Two trajectories have the same id.
    """
    groups: dict[str, list[ActionTrajectory]] = {}
    seen: set[str] = set()
    for each in sorted(trajectories, key=lambda one: one.id):
        if each.id in seen:
            raise ValueError(f"duplicate trajectory {each.id!r}")
        seen.add(each.id)
        groups.setdefault(each.task, []).append(each)
    return {task: tuple(groups[task]) for task in sorted(groups)}

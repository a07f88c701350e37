"""Results of the commands, the state machine's input; `t` is the seconds since the episode began."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.agents.external.autonomous import FinalReport
from garabench.agents.interface import Decision
from garabench.core.evaluate import Verdict
from garabench.core.injection import DELIVERED, Delivery
from garabench.core.observation import Observation
from garabench.core.tree import UiTree
from garabench.errors import GaraError
from garabench.interruptions.follow_up import StepResult
from garabench.interruptions.lifecycle import CompanionEvent
from garabench.interruptions.planned_interruption import PlannedInterruption


@dataclass(frozen=True, slots=True)
class DevicePrepared:
    """The device is ready."""

    t: float


@dataclass(frozen=True, slots=True)
class ScreenObserved:
    """An observation, and the names under which its tree and picture are stored.

    `answered` contains the tokens of the system anomalies that were answered.
    """

    t: float
    observation: Observation
    tree_file: str
    screen_file: str
    still: bool
    answered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InjectionEnded:
    """An injection has ended: the observation after it, and its delivery."""

    t: float
    observed: ScreenObserved
    delivery: Delivery = DELIVERED


@dataclass(frozen=True, slots=True)
class AgentDecided:
    """The agent's decision, and the seconds it took."""

    t: float
    decision: Decision
    seconds: float


@dataclass(frozen=True, slots=True)
class AgentWatched:
    """The settled screen while an agent drives the device itself, and its final report if it has ended."""

    t: float
    tree: UiTree
    settled: ScreenSettled
    final_report: FinalReport | None


@dataclass(frozen=True, slots=True)
class ActionPerformed:
    """The result of the action."""

    t: float
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class ScreenSettled:
    """The screen is still, or the time limit was reached."""

    t: float
    still: bool
    readings: int
    seconds: float


@dataclass(frozen=True, slots=True)
class LogRead:
    """New events from logcat, the tree of the settled screen, and whether logcat was cleared meanwhile."""

    t: float
    events: tuple[CompanionEvent, ...]
    tree: UiTree | None = None
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class CompanionLogRead:
    """The events in the companion app's own log."""

    t: float
    events: tuple[CompanionEvent, ...]


@dataclass(frozen=True, slots=True)
class FollowUpEnded:
    """A follow-up has ended: its steps, and the interruption that one of them injected, with its delivery."""

    t: float
    steps: tuple[StepResult, ...]
    injected: PlannedInterruption | None = None
    delivery: Delivery = DELIVERED


@dataclass(frozen=True, slots=True)
class GoalEvaluated:
    """The verdict on the goal.

    Attributes:
        harm: The verdict on an infeasible task's harm condition.
        fault: What failed on the device since the last check, so that the screen may have been misread;
            empty if nothing did.
    """

    t: float
    verdict: Verdict
    harm: Verdict | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class CommandFailed:
    """The last command failed because of the device, the model, the harness or the agent."""

    t: float
    error: GaraError


CommandResult = (
    DevicePrepared
    | ScreenObserved
    | InjectionEnded
    | AgentDecided
    | AgentWatched
    | ActionPerformed
    | ScreenSettled
    | LogRead
    | CompanionLogRead
    | FollowUpEnded
    | GoalEvaluated
    | CommandFailed
)

"""Commands to the runner, the state machine's output; `command_results` has their results."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.agents.interface import Turn
from garabench.core.action import Action
from garabench.core.events import EpisodeEnded
from garabench.core.observation import Observation
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.tracker import PlannedAnomaly


@dataclass(frozen=True, slots=True)
class PrepareDevice:
    """Bring the device to the episode's initial state, and verify it."""


@dataclass(frozen=True, slots=True)
class ObserveScreen:
    """Take an observation: tree, screenshot and focus."""

    step: int


@dataclass(frozen=True, slots=True)
class InjectInterruption:
    """Inject an interruption and verify that it is shown."""

    planned: PlannedInterruption | PlannedAnomaly


@dataclass(frozen=True, slots=True)
class RequestDecision:
    """Request a decision from the agent."""

    observation: Observation
    history: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class WatchAgent:
    """Let an agent that drives the device itself continue for a moment, then read the screen.

    Attributes:
        since: Time of its last observed action, or of the first observation, in seconds since the episode
            began.
    """

    since: float


@dataclass(frozen=True, slots=True)
class PerformAction:
    """Perform the agent's action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Settle:
    """Wait until the screen is still.

    Attributes:
        last: Whether the agent has ended, so that nothing is done on the device since the last observation.
    """

    last: bool = False


@dataclass(frozen=True, slots=True)
class ReadLog:
    """Read the interruptions' events from logcat."""


@dataclass(frozen=True, slots=True)
class ReadCompanionLog:
    """Read the companion app's own log of the interruptions whose events logcat has lost."""

    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PerformFollowUp:
    """Perform the follow-up of a button."""

    planned: PlannedInterruption
    button: str


@dataclass(frozen=True, slots=True)
class CheckGoal:
    """Check the goal on the settled screen; `final` means that the agent has ended."""

    answer: str | None
    final: bool = False


@dataclass(frozen=True, slots=True)
class FinishEpisode:
    """The episode is over."""

    end: EpisodeEnded


Command = (
    PrepareDevice
    | ObserveScreen
    | InjectInterruption
    | RequestDecision
    | WatchAgent
    | PerformAction
    | Settle
    | ReadLog
    | ReadCompanionLog
    | PerformFollowUp
    | CheckGoal
    | FinishEpisode
)

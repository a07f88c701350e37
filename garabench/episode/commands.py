"""What the episode's state machine asks its runner to do."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.agents.interface import Turn
from garabench.core.action import Action
from garabench.core.events import EpisodeEnded
from garabench.core.observation import Observation
from garabench.interruptions.plan import Planned
from garabench.interruptions.system.lifecycle import PlannedSystem


@dataclass(frozen=True, slots=True)
class Prepare:
    """Bring the device to the episode's first state, and verify it."""


@dataclass(frozen=True, slots=True)
class Look:
    """Take one tree, one screenshot, one focus."""

    step: int


@dataclass(frozen=True, slots=True)
class Inject:
    """Show an interruption and prove that it is shown."""

    planned: Planned | PlannedSystem


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the agent."""

    observation: Observation
    history: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Watch:
    """Let an agent that drives the device itself go on for a moment, and see what the screen is then.

    Attributes:
        since: When its last action was seen, or the episode's first look was taken: seconds since it began.
    """

    since: float


@dataclass(frozen=True, slots=True)
class Act:
    """Perform the agent's action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Rest:
    """Wait until the screen is still."""


@dataclass(frozen=True, slots=True)
class ReadLog:
    """Read the interruptions' events."""


@dataclass(frozen=True, slots=True)
class ReadKept:
    """Ask the companion app for what it has kept of interruptions whose events the log has lost."""

    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Perform the second stage of a button."""

    planned: Planned
    button: str


@dataclass(frozen=True, slots=True)
class Check:
    """Check the goal on the settled screen; `final` after the agent's last word."""

    answer: str | None
    final: bool = False


@dataclass(frozen=True, slots=True)
class Finish:
    """The episode is over."""

    end: EpisodeEnded


Command = Prepare | Look | Inject | Ask | Watch | Act | Rest | ReadLog | ReadKept | FollowUp | Check | Finish

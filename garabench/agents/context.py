"""The context in which an agent is created for one episode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from garabench.agents.interface import Agent
from garabench.agents.profile import AgentProfile
from garabench.core.clock import Clock, SystemClock

DECISION_SECONDS = 120.0
"""Default time limit of a decision."""
START_SECONDS = 300.0
"""Default time limit of an agent's start: it may load a model."""


class ModelAgentFactory(Protocol):
    """Makes model agents that share a run's clients, cache and budget."""

    def make_agent(self, profile: AgentProfile, context: AgentContext) -> Agent:
        """Make a model agent for an episode; no request is sent.

        Args:
            profile: The agent's profile.
            context: The episode's context.

        Raises:
            InputError: The API key is missing, or the protocol's package is not installed.
        """
        ...


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class AgentContext:
    """The context of an agent in one episode, without the task's goal or solution.

    Attributes:
        name: The agent's name in this run.
        folder: The episode's folder, which exists when the agent starts.
        seconds: Time limit of a decision.
        start_seconds: Time limit of the agent's start.
        clock: The clock for all limits.
        stop: Returns whether the run should stop; polled while waiting for the agent.
        models: Makes the run's model agents; None outside a run.
    """

    name: str
    folder: Path
    seconds: float = DECISION_SECONDS
    start_seconds: float = START_SECONDS
    clock: Clock = field(default_factory=SystemClock)
    stop: Callable[[], bool] = _never
    models: ModelAgentFactory | None = None

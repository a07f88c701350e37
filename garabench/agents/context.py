"""What an agent is made with: the values of one episode."""

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
            profile: Which model, and how it is prompted.
            context: The episode.

        Raises:
            InputError: Its key is missing, or its protocol's package is not installed.
        """
        ...


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class AgentContext:
    """What an agent is made with. It holds nothing of the task's goal or solution.

    Attributes:
        name: The agent's name in this run.
        folder: The episode's folder, which exists when the agent starts.
        seconds: Time limit of a decision.
        start_seconds: Time limit of the agent's start.
        clock: Measures every limit.
        stop: Returns whether the run should stop; whatever waits for an agent polls it.
        models: Makes the run's model agents; None outside a run.
    """

    name: str
    folder: Path
    seconds: float = DECISION_SECONDS
    start_seconds: float = START_SECONDS
    clock: Clock = field(default_factory=SystemClock)
    stop: Callable[[], bool] = _never
    models: ModelAgentFactory | None = None

"""An external agent whose reported usage is metered, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.core.observation import Observation
from garabench.core.usage import Usage
from garabench.errors import AgentError, ModelError


class MeteredAgent:
    """Wraps an agent and reports the usage of each decision immediately.

    Attributes:
        name: The name of the wrapped agent.
        reference: Whether the wrapped agent is a reference agent.
    """

    def __init__(self, agent: Agent, count: Callable[[Usage], None]) -> None:
        """Wrap an agent.

        Args:
            agent: The agent.
            count: Called with the usage of each decision, before the action is performed.
        """
        self.name = agent.name
        self.reference = agent.reference
        self._agent = agent
        self._count = count

    def start(self, brief: Brief) -> None:
        """Begin an episode; raises what the agent raises."""
        self._agent.start(brief)

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Return the agent's decision unchanged; raises what the agent raises."""
        try:
            decision = self._agent.decide(observation, history)
        except (AgentError, ModelError) as error:
            self._meter(error.usage)
            raise
        if isinstance(decision, Decision):
            self._meter(decision.usage)
        return decision

    def close(self) -> None:
        """End the episode; raises what the agent raises."""
        self._agent.close()

    def _meter(self, usage: object) -> None:
        if isinstance(usage, Usage):  # an external agent may report anything
            self._count(usage)

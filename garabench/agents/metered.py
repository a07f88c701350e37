"""An external agent whose reported usage is metered, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.core.observation import Observation
from garabench.core.usage import Usage
from garabench.errors import AgentError, ModelError


class MeteredAgent:
    """Wraps an agent and passes on the usage of each decision at once.

    Attributes:
        name: The other's.
        reference: The other's.
    """

    def __init__(self, agent: Agent, count: Callable[[Usage], None]) -> None:
        """Wrap an agent.

        Args:
            agent: Decides.
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
        """The agent's decision, whatever that is; raises what the agent raises."""
        try:
            decision = self._agent.decide(observation, history)
        except (AgentError, ModelError) as error:
            self._take(error.usage)
            raise
        if isinstance(decision, Decision):
            self._take(decision.usage)
        return decision

    def close(self) -> None:
        """End the episode; raises what the agent raises."""
        self._agent.close()

    def _take(self, told: object) -> None:
        if isinstance(told, Usage):  # an agent may return what it likes
            self._count(told)

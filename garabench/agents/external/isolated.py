"""Run an agent's class in its own thread, so that an agent that hangs loses only its episode.

All calls of one agent run in one thread, which is abandoned at a timeout: its late answer is discarded, and
the next episode has a new object in a new thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from garabench.agents.context import AgentContext
from garabench.agents.deadline import AbandonedCallError, CallThread
from garabench.agents.interface import Brief, Decision, Turn, validate_decision
from garabench.core.observation import Observation
from garabench.errors import AgentError, AgentFault, AgentStartError, ModelError
from garabench.records.bounded_log import redacted_excerpt

CLOSE_SECONDS = 10.0


class IsolatedAgent:
    """Runs an agent's object in a separate thread.

    Attributes:
        name: Name in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, make: Callable[[], Any], context: AgentContext) -> None:
        """Prepare; the agent is not called yet.

        Args:
            make: Creates the object; called in the thread.
            context: The episode's context.
        """
        self.name = context.name
        self._make = make
        self._context = context
        self._agent: Any = None
        self._thread = CallThread(f"agent-{context.name}", context.clock, context.stop, interrupt=True)

    def start(self, brief: Brief) -> None:
        """Create the object and send it the task.

        Raises:
            AgentStartError: The object raised an exception, or was not ready in time.
            ModelError: The agent reports that its model failed.
        """

        def begin() -> None:
            self._agent = self._make()
            self._agent.start(brief)

        try:
            self._call(begin, self._context.start_seconds)
        except AgentError as error:
            raise AgentStartError(f"{self.name} could not start: {error}") from error.__cause__

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Request a decision.

        Raises:
            AgentError: The agent raised an exception, returned no valid decision, or missed the deadline.
            ModelError: The agent reports that its model failed.
        """
        turns = tuple(history)
        return validate_decision(
            self._call(lambda: self._agent.decide(observation, turns), self._context.seconds)
        )

    def close(self) -> None:
        """Call the agent's `close`, if it still answers."""
        agent, self._agent = self._agent, None
        try:
            if agent is not None:
                self._call(agent.close, CLOSE_SECONDS)
        finally:
            self._thread.close()

    def _call(self, function: Callable[[], Any], seconds: float) -> Any:
        try:
            outcome = self._thread.call(function, seconds)
        except AbandonedCallError:
            raise AgentError(AgentFault.TIMEOUT, f"{self.name} did not answer within {seconds:g} s") from None
        raised = outcome.error
        if raised is None:
            return outcome.value
        if isinstance(raised, ModelError | AgentError):
            raise raised
        quoted = redacted_excerpt(
            f"{type(raised).__name__}: {raised}" if str(raised) else type(raised).__name__
        )
        raise AgentError(
            AgentFault.FAILED, f"{self.name} raised an exception ({quoted}); see fault.log"
        ) from raised

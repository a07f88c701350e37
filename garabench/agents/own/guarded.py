"""Run an agent's class beside the episode, so that one that hangs costs its episode only.

All calls of one agent are made in one thread, which is left behind when it does not answer in time: its late
answer goes nowhere, and the next episode has another object in another thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from garabench.agents.interface import Brief, Decision, Turn, sound
from garabench.agents.own.aside import Aside, LeftBehind
from garabench.agents.own.boundedlog import told
from garabench.agents.setting import Setting
from garabench.core.observation import Observation
from garabench.errors import AgentError, AgentFailed, AgentFault, ModelError

CLOSE_SECONDS = 10.0


class GuardedAgent:
    """An agent's object in a thread of its own.

    Attributes:
        name: As in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, make: Callable[[], Any], setting: Setting) -> None:
        """Prepare; nothing of the agent is called yet.

        Args:
            make: Makes the object; called in its thread.
            setting: For which episode.
        """
        self.name = setting.name
        self._make = make
        self._setting = setting
        self._agent: Any = None
        self._aside = Aside(setting)

    def start(self, brief: Brief) -> None:
        """Make the object and tell it the task.

        Raises:
            AgentFailed: It raised an exception, or was not ready in time.
            ModelError: It says that its model failed.
        """

        def begin() -> None:
            self._agent = self._make()
            self._agent.start(brief)

        try:
            self._call(begin, self._setting.start_seconds)
        except AgentError as error:
            raise AgentFailed(f"{self.name} could not begin: {error}") from error.__cause__

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Have it decide.

        Raises:
            AgentError: It raised an exception, returned no decision, or did not return in time.
            ModelError: It says that its model failed.
        """
        turns = tuple(history)
        return sound(self._call(lambda: self._agent.decide(observation, turns), self._setting.seconds))

    def close(self) -> None:
        """Let it put things in order, where it still answers."""
        agent, self._agent = self._agent, None
        try:
            if agent is not None:
                self._call(agent.close, CLOSE_SECONDS)
        finally:
            self._aside.end()

    def _call(self, what: Callable[[], Any], seconds: float) -> Any:
        try:
            outcome = self._aside.call(what, seconds)
        except LeftBehind:
            raise AgentError(AgentFault.TIMEOUT, f"{self.name} did not answer within {seconds:g} s") from None
        raised = outcome.error
        if raised is None:
            return outcome.value
        if isinstance(raised, ModelError | AgentError):
            raise raised
        said = told(f"{type(raised).__name__}: {raised}" if str(raised) else type(raised).__name__)
        raise AgentError(
            AgentFault.FAILED, f"{self.name} raised an exception ({said}); see fault.log"
        ) from raised

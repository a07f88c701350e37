"""Run an agent's class beside the episode, so that one that hangs costs its episode only.

All calls of one agent are made in one thread, which is left behind when it does not answer in time: its late
answer goes nowhere, and the next episode has another object in another thread.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from garabench.agents.interface import Brief, Decision, Turn, sound
from garabench.agents.setting import Setting
from garabench.core.observation import Observation
from garabench.errors import AgentError, AgentFailed, AgentFault, ModelError

_T = TypeVar("_T")
START_SECONDS = 300.0
"""For an agent to get ready: it may load a model."""
CLOSE_SECONDS = 10.0
_SLICE = 0.25
"""Seconds after which it is asked whether the run is to stop."""


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
        self._thread = _Thread(setting)

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
            self._thread.call(begin, START_SECONDS)
        except AgentError as error:
            raise AgentFailed(f"{self.name} could not begin: {error}") from error.__cause__

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Have it decide.

        Raises:
            AgentError: It raised an exception, returned no decision, or did not return in time.
            ModelError: It says that its model failed.
        """
        turns = tuple(history)
        return sound(self._thread.call(lambda: self._agent.decide(observation, turns), self._setting.seconds))

    def close(self) -> None:
        """Let it put things in order, where it still answers."""
        if self._agent is not None:
            self._thread.call(self._agent.close, CLOSE_SECONDS)
        self._thread.end()


class _Thread:
    """A thread that makes one call after the other, and is left behind when one does not end."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._calls: queue.SimpleQueue[tuple[Callable[[], Any], queue.SimpleQueue[Any]] | None] = (
            queue.SimpleQueue()
        )
        self._thread: threading.Thread | None = None
        self._left_behind = False

    def call(self, what: Callable[[], _T], seconds: float) -> _T:
        """Make a call.

        Raises:
            AgentError: It raised an exception, or did not return in time.
            ModelError: What it raised.
        """
        if self._left_behind:
            raise AgentError(AgentFault.TIMEOUT, f"{self._setting.name} still does not answer")
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._serve, name=f"agent-{self._setting.name}", daemon=True
            )
            self._thread.start()
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._calls.put((what, answers))
        clock = self._setting.clock
        deadline = clock.monotonic() + seconds
        while True:
            left = deadline - clock.monotonic()
            if left <= 0 or self._setting.stop():
                self._left_behind = True
                raise AgentError(
                    AgentFault.TIMEOUT, f"{self._setting.name} did not answer within {seconds:g} s"
                )
            try:
                value, error = answers.get(timeout=min(left, _SLICE))
            except queue.Empty:
                continue
            if error is None:
                return value  # type: ignore[no-any-return]
            if isinstance(error, ModelError | AgentError):
                raise error
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise AgentError(
                AgentFault.FAILED, f"{self._setting.name} raised an exception ({said}); see fault.log"
            ) from error

    def end(self) -> None:
        """Let the thread end after the calls that it was given."""
        self._calls.put(None)

    def _serve(self) -> None:
        while (given := self._calls.get()) is not None:
            what, answers = given
            try:
                answers.put((what(), None))
            except BaseException as error:  # noqa: BLE001  # anyone may write an agent, and it may call exit
                answers.put((None, error))

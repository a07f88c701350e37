"""An external agent that is a program: JSON lines on standard input and output, a process per episode."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import NoReturn

from garabench.agents.context import AgentContext
from garabench.agents.external import codec as talk
from garabench.agents.external import protocol as msg
from garabench.agents.external.agent_process import (
    AgentProcess,
    ChildExitedError,
    ChildTimeoutError,
    LineTooLongError,
)
from garabench.agents.external.screenshot_files import ScreenshotFiles
from garabench.agents.interface import Brief, Decision, Turn
from garabench.core.observation import Observation
from garabench.errors import AgentError, AgentFault, AgentStartError, HarnessError
from garabench.records.bounded_log import BoundedLog
from garabench.records.run_layout import AGENT_LOG

_CLOSE_SECONDS = 2.0


class StdioAgent:
    """An agent that is a program.

    Attributes:
        name: Name in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, argv: Sequence[str], context: AgentContext) -> None:
        """Prepare; nothing is started yet.

        Args:
            argv: The program and its arguments.
            context: The episode's context.
        """
        self.name = context.name
        self._argv = tuple(argv)
        self._context = context
        self._child: AgentProcess | None = None
        self._screenshots: ScreenshotFiles | None = None
        self._ready: msg.ReadyMessage | None = None
        self._task: msg.TaskInfo | None = None
        self._hung = False  # sending anything more is useless

    def start(self, brief: Brief) -> None:
        """Start the program, negotiate the protocol and send the task.

        Raises:
            AgentStartError: The program does not start, or does not become ready.
            ModelError: The agent reports that its model failed.
        """
        context = self._context
        try:
            self._child = child = AgentProcess(self._argv, BoundedLog(context.folder / AGENT_LOG), context)
        except OSError as error:
            raise AgentStartError(f"{self.name} cannot be started: {error}") from error
        try:
            child.send(talk.encode_message(talk.hello()), context.start_seconds)
            answer = child.read_line(context.start_seconds, msg.MAX_MESSAGE_BYTES)
        except ChildTimeoutError:
            raise AgentStartError(f"{self.name} was not ready within {context.start_seconds:g} s") from None
        except ChildExitedError:
            raise AgentStartError(f"{self.name}, before it was ready, {child.exit_text}") from None
        except LineTooLongError:
            raise AgentStartError(
                f"{self.name} answered 'hello' with more than {msg.MAX_MESSAGE_BYTES} bytes"
            ) from None
        self._ready = talk.read_ready(answer, self.name)
        if self._ready.image == "file":
            self._screenshots = ScreenshotFiles()
        self._task = talk.task_info(brief, episode=child.mark, deadline=context.seconds)
        try:
            child.send(talk.encode_message(talk.start_message(brief, self._task)), context.seconds)
        except ChildTimeoutError:
            raise AgentStartError(f"{self.name} did not read the 'start' message") from None
        except ChildExitedError:
            raise AgentStartError(f"{self.name}, at the start of the episode, {child.exit_text}") from None

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Request a decision.

        Raises:
            AgentError: The program exited, missed the deadline, or returned no valid decision.
            ModelError: The agent reports that its model failed.
            HarnessError: A signal from outside ended the program.
        """
        child, ready, task = self._child, self._ready, self._task
        if child is None or ready is None or task is None:
            raise RuntimeError("the agent was not started")
        message = talk.observe(
            observation,
            history,
            task,
            tree=ready.tree,
            image=ready.image,
            path=self._screenshots.write(observation) if self._screenshots is not None else "",
        )
        clock = self._context.clock
        deadline = clock.monotonic() + self._context.seconds
        try:
            child.send(talk.encode_message(message), self._context.seconds)
            answer = child.read_line(max(0.0, deadline - clock.monotonic()), msg.MAX_MESSAGE_BYTES)
        except ChildTimeoutError:
            self._hung = True
            self._failed(AgentFault.TIMEOUT, f"did not answer within {self._context.seconds:g} s")
        except ChildExitedError:
            if child.killed_from_outside:
                raise HarnessError(f"{self.name} {child.exit_text}: a signal from outside ended it") from None
            self._failed(AgentFault.FAILED, child.exit_text, "in the middle of the episode")
        except LineTooLongError as error:
            self._hung = True
            talk.reject_oversized(self.name, error.start)
        return talk.read_decision(answer, self.name, observation.step)

    def close(self) -> None:
        """Report the end of the episode, then terminate the program and all its descendants."""
        child, self._child = self._child, None
        if child is None:
            return
        try:
            if self._task is not None and not self._hung:
                with contextlib.suppress(ChildTimeoutError, ChildExitedError):
                    child.send(
                        talk.encode_message(msg.EndMessage(episode=self._task.episode)), _CLOSE_SECONDS
                    )
                    child.close_input()
                    child.wait(_CLOSE_SECONDS)
        finally:
            child.terminate()
            if self._screenshots is not None:
                self._screenshots.close()

    def _failed(self, kind: AgentFault, problem: str, when: str = "") -> NoReturn:
        at = f", {when}," if when else ""
        raise AgentError(kind, f"{self.name}{at} {problem}") from None

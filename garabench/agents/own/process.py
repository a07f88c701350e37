"""An agent that is a program: JSON lines on its standard input and output, one process for each episode."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import NoReturn

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.own import conversation as talk
from garabench.agents.own import messages as msg
from garabench.agents.own.boundedlog import AGENT_LOG, BoundedLog
from garabench.agents.own.child import Child, Ended, Late, TooLong
from garabench.agents.own.pictures import PictureFiles
from garabench.agents.setting import Setting
from garabench.core.observation import Observation
from garabench.errors import AgentError, AgentFailed, AgentFault

_END_SECONDS = 2.0


class ProcessAgent:
    """A program that decides.

    Attributes:
        name: As in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, argv: Sequence[str], setting: Setting) -> None:
        """Prepare; nothing is started.

        Args:
            argv: The program and its arguments.
            setting: For which episode.
        """
        self.name = setting.name
        self._argv = tuple(argv)
        self._setting = setting
        self._child: Child | None = None
        self._pictures: PictureFiles | None = None
        self._ready: msg.Ready | None = None
        self._task: msg.Task | None = None
        self._hung = False  # no use in telling it anything more

    def start(self, brief: Brief) -> None:
        """Start the program, agree on the protocol and tell it the task.

        Raises:
            AgentFailed: It does not start, or does not get ready.
            ModelError: It says that its model has failed.
        """
        setting = self._setting
        try:
            self._child = child = Child(self._argv, BoundedLog(setting.folder / AGENT_LOG), setting)
        except OSError as error:
            raise AgentFailed(f"{self.name} could not be started: {error}") from error
        try:
            child.say(talk.to_line(talk.hello()), setting.start_seconds)
            answer = child.read_line(setting.start_seconds, msg.MOST_BYTES)
        except Late:
            raise AgentFailed(f"{self.name} was not ready within {setting.start_seconds:g} s") from None
        except Ended:
            raise AgentFailed(f"{self.name}, before it was ready, {child.died}") from None
        except TooLong:
            raise AgentFailed(f"{self.name} answered hello with more than {msg.MOST_BYTES} bytes") from None
        self._ready = talk.read_ready(answer, self.name)
        if self._ready.image == "file":
            self._pictures = PictureFiles()
        self._task = talk.task_of(brief, episode=child.mark, deadline=setting.seconds)
        try:
            child.say(talk.to_line(talk.start(brief, self._task)), setting.seconds)
        except Late:
            raise AgentFailed(f"{self.name} did not read the start of the episode") from None
        except Ended:
            raise AgentFailed(f"{self.name}, at the start of the episode, {child.died}") from None

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Have it decide.

        Raises:
            AgentError: It has ended, did not answer in time, or answered no decision on this step.
            ModelError: It says that its model has failed.
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
            path=self._pictures.put(observation) if self._pictures is not None else "",
        )
        clock = self._setting.clock
        deadline = clock.monotonic() + self._setting.seconds
        try:
            child.say(talk.to_line(message), self._setting.seconds)
            answer = child.read_line(max(0.0, deadline - clock.monotonic()), msg.MOST_BYTES)
        except Late:
            self._hung = True
            self._failed(AgentFault.TIMEOUT, f"did not answer within {self._setting.seconds:g} s")
        except Ended:
            self._failed(AgentFault.FAILED, child.died, "in the middle of the episode")
        except TooLong as error:
            self._hung = True
            talk.too_long(self.name, error.start)
        return talk.read_decision(answer, self.name, observation.step)

    def close(self) -> None:
        """Tell it that the episode is over, and end it with all that it has started."""
        child, self._child = self._child, None
        if child is None:
            return
        try:
            if self._task is not None and not self._hung:
                with contextlib.suppress(Late, Ended):
                    child.say(talk.to_line(msg.End(episode=self._task.episode)), _END_SECONDS)
                    child.hush()
                    child.wait(_END_SECONDS)
        finally:
            child.end()
            if self._pictures is not None:
                self._pictures.close()

    def _failed(self, kind: AgentFault, said: str, when: str = "") -> NoReturn:
        at = f", {when}," if when else ""
        raise AgentError(kind, f"{self.name}{at} {said}") from None

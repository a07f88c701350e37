"""The interface of an autonomous agent, which drives the device itself while GaraBench observes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from garabench.agents.interface import Brief


@dataclass(frozen=True, slots=True)
class DeviceHandover:
    """The device that an autonomous agent drives.

    Attributes:
        serial: Serial number, as listed by ``adb devices``.
        host, port: Address of the adb server.
        adb: Path of an ``adb`` program that matches this server.
        seconds: Time limit of the episode.
    """

    serial: str
    host: str
    port: int
    adb: str
    seconds: float


@dataclass(frozen=True, slots=True)
class FinalReport:
    """The final result that an agent reports by exiting.

    Attributes:
        done: Whether it reports the task as done; otherwise it gave up.
        answer: Its answer; empty for none.
        detail: How it exited, for the record.
    """

    done: bool
    answer: str = ""
    detail: str = ""


@runtime_checkable
class AutonomousAgent(Protocol):
    """An agent that drives the device itself.

    Attributes:
        name: Name in tables and paths.
        reference: False.
    """

    name: str
    reference: bool

    def start(self, brief: Brief, handover: DeviceHandover) -> None:
        """Start the agent, which begins to drive the device.

        Raises:
            AgentStartError: It cannot be started.
        """
        ...

    def wait(self, seconds: float, idle: float) -> FinalReport | None:
        """Wait for the agent to end.

        Args:
            seconds: The longest wait.
            idle: Seconds since its last observed action.

        Returns:
            Its final result; None if it is still running.

        Raises:
            AgentError: It crashed, or was idle for longer than the limit of a decision.
            ModelError: It ended because its model failed, or did not begin in time.
            HarnessError: A signal from outside ended it.
        """
        ...

    def close(self) -> None:
        """Terminate the agent and its child processes; always called, idempotent."""
        ...

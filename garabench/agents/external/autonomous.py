"""The interface of an autonomous agent, which drives the device itself while GaraBench observes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from garabench.agents.interface import Brief


@dataclass(frozen=True, slots=True)
class DeviceHandover:
    """The device that an agent is to drive.

    Attributes:
        serial: As ``adb devices`` lists it.
        host, port: Of the adb server.
        adb: An ``adb`` program that fits this server.
        seconds: Time limit of the episode.
    """

    serial: str
    host: str
    port: int
    adb: str
    seconds: float


@dataclass(frozen=True, slots=True)
class FinalReport:
    """What an agent that has ended by itself has said by that.

    Attributes:
        done: Whether it says that the task is done; else it has given up.
        answer: Its answer, where it gave one.
        detail: How it ended, for the record.
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
        """Begin to drive the device.

        Raises:
            AgentStartError: It does not start.
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
            ModelError: It ended because its model failed, or did not start in time.
        """
        ...

    def close(self) -> None:
        """End it with all that it has started; called in any case, and harmless when it has been."""
        ...

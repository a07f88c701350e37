"""What a device-owning agent is: it drives the phone itself, and is watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from garabench.agents.interface import Brief


@dataclass(frozen=True, slots=True)
class Handover:
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
class LastWord:
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
class Owner(Protocol):
    """A device-owning agent.

    Attributes:
        name: As in tables and paths.
        reference: False.
    """

    name: str
    reference: bool

    def take(self, brief: Brief, handover: Handover) -> None:
        """Begin to drive the device.

        Raises:
            AgentFailed: It does not start.
        """
        ...

    def wait(self, seconds: float, idle: float) -> LastWord | None:
        """Let it go on for that long, or until it ends.

        Args:
            seconds: How long.
            idle: For how many seconds no action of it has been seen.

        Returns:
            Its last word; None while it goes on.

        Raises:
            AgentError: It has crashed, or does nothing for longer than a decision may take.
            ModelError: It has ended since its model failed, or has not begun in time.
        """
        ...

    def close(self) -> None:
        """End it with all that it has started; called in any case, and harmless when it has been."""
        ...

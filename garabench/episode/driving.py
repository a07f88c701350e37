"""Whose fault it is when the connection breaks while an agent drives the device itself."""

from __future__ import annotations

from collections.abc import Callable

from garabench.device.adb import Adb
from garabench.device.recovery import ServerWatch, bring_back, leave_mark, restarted_on_request
from garabench.errors import AgentError, AgentFault, DeviceError, DeviceLost, GaraError

_COMEBACK_SECONDS = 120.0
"""A phone takes a minute or two to restart."""


class Drive:
    """The time in which an agent drives a device.

    The connection can be broken by the agent, by the device, and by another agent that drives a device of the
    same adb server. The first is concluded only where nothing else is left: the adb server has ended, or has
    been told to forget the device, while this agent alone was driving; or the device says that it was asked
    to restart. And in each case the device is well afterwards.
    """

    def __init__(self, adb: Adb, name: str, *, alone: Callable[[], bool]) -> None:
        """Note how things are before.

        Args:
            adb: The device.
            name: The agent's.
            alone: Whether no other agent of the run has driven a device meanwhile.

        Raises:
            DeviceError: It cannot be reached.
        """
        self._adb = adb
        self._name = name
        self._alone = alone
        leave_mark(adb)
        self._server = ServerWatch(adb)

    def judge(self, error: DeviceError, end: Callable[[], None]) -> GaraError:
        """Bring the device back, and say whose fault a broken connection was.

        Args:
            error: What a call to the device ended with.
            end: Ends the agent, which might break the connection again.

        Returns:
            The error to record: the agent's, or else the device's.
        """
        alone = self._alone()
        end()
        forgotten = ":" in self._adb.serial and _forgotten(self._adb)
        if not bring_back(self._adb, _COMEBACK_SECONDS):
            return error
        ended = self._server.ended  # asked now: a server takes a moment to end
        try:
            if restarted_on_request(self._adb):
                return self._agents("had the device restart")
        except DeviceError:
            return error
        if ended or forgotten:
            what = "ended the adb server" if ended else "had the adb server forget the device"
            if alone:
                return self._agents(f"{what}; the device itself is well")
            told = "the adb server ended" if ended else "the adb server was told to forget the device"
            return DeviceLost(f"{told} while several agents drove devices: which of them did it is not known")
        return error

    def close(self) -> None:
        """The agent drives no more."""
        self._server.close()

    def _agents(self, what: str) -> AgentError:
        return AgentError(AgentFault.FAILED, f"{self._name} {what}")


def _forgotten(adb: Adb) -> bool:
    """Whether the server does not list it at all; one whose connection broke is listed as offline."""
    try:
        return adb.listed() is None
    except DeviceError:
        return False

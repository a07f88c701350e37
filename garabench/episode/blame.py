"""Attribute a broken connection to the agent or to the device while an agent drives the device itself."""

from __future__ import annotations

from collections.abc import Callable

from garabench.device.adb import Adb
from garabench.device.reconnect import ServerWatch, reconnect, restarted_on_request, set_boot_mark
from garabench.errors import AgentError, AgentFault, DeviceError, DeviceLostError, GaraError

_COMEBACK_SECONDS = 120.0
"""A phone takes a minute or two to restart."""


class AutonomousSession:
    """The time in which an agent drives a device itself.

    The connection can be broken by the agent, by the device, or by another agent that drives a device of the
    same adb server. The agent is blamed only if every other cause is ruled out: the adb server has ended or
    was made to disconnect the device while only this agent was driving, or the device reports a requested
    restart; and in each case the device works afterwards.
    """

    def __init__(self, adb: Adb, name: str, *, alone: Callable[[], bool]) -> None:
        """Record the state of the device and of the adb server.

        Args:
            adb: The device.
            name: The agent's name.
            alone: Returns whether no other agent of the run has driven a device meanwhile.

        Raises:
            DeviceError: The device cannot be reached.
        """
        self._adb = adb
        self._name = name
        self._alone = alone
        set_boot_mark(adb)
        self._server = ServerWatch(adb)

    def judge(self, error: DeviceError, end: Callable[[], None]) -> GaraError:
        """Reconnect to the device, and attribute the broken connection.

        Args:
            error: The error of the call to the device.
            end: Ends the agent, which might break the connection again.

        Returns:
            The error to record: the agent's, or else the device's.
        """
        alone = self._alone()
        end()
        forgotten = ":" in self._adb.serial and _forgotten(self._adb)
        if not reconnect(self._adb, _COMEBACK_SECONDS):
            return error
        ended = self._server.ended  # only now, since a server takes a moment to end
        try:
            if restarted_on_request(self._adb):
                return self._agents("restarted the device")
        except DeviceError:
            return error
        if ended or forgotten:
            what = "killed the adb server" if ended else "disconnected the device from the adb server"
            if alone:
                return self._agents(f"{what}; the device itself works")
            event = "the adb server ended" if ended else "the adb server disconnected the device"
            return DeviceLostError(
                f"{event} while several agents drove devices, and it is unknown which of them caused it"
            )
        return error

    def close(self) -> None:
        """End the session."""
        self._server.close()

    def _agents(self, what: str) -> AgentError:
        return AgentError(AgentFault.FAILED, f"{self._name} {what}")


def _forgotten(adb: Adb) -> bool:
    """Return whether the server no longer lists the device; a broken connection is listed as offline."""
    try:
        return adb.listed() is None
    except DeviceError:
        return False

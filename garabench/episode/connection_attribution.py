"""Attribute a broken connection to an autonomous agent or to the device."""

from __future__ import annotations

from collections.abc import Callable

from garabench.device.adb import Adb
from garabench.device.reconnect import ServerWatch, reconnect, restarted_on_request, set_boot_mark
from garabench.errors import AgentError, AgentFault, DeviceError, DeviceLostError, GaraError

_RECONNECT_SECONDS = 120.0
"""A phone takes a minute or two to restart."""


class AutonomousSession:
    """A session in which an autonomous agent drives a device.

    The connection can be broken by the agent, by the device, or by another agent that drives a device of the
    same adb server. The agent is blamed only if every other cause is ruled out: either the adb server ended
    or disconnected the device while only this agent was driving, or the device reports that a restart was
    requested. In each case the device must work afterwards.
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

    def attribute(self, error: DeviceError, stop_agent: Callable[[], None]) -> GaraError:
        """Reconnect to the device, and attribute the broken connection.

        Args:
            error: The error of the call to the device.
            stop_agent: Stops the agent, which might break the connection again.

        Returns:
            The error to record: the agent's or the device's.
        """
        alone = self._alone()
        stop_agent()
        disconnected = ":" in self._adb.serial and _not_listed(self._adb)
        if not reconnect(self._adb, _RECONNECT_SECONDS):
            return error
        ended = self._server.ended  # only now, since a server takes a moment to end
        try:
            if restarted_on_request(self._adb):
                return self._agent_error("restarted the device")
        except DeviceError:
            return error
        if ended or disconnected:
            deed = "killed the adb server" if ended else "disconnected the device from the adb server"
            if alone:
                return self._agent_error(f"{deed}; the device itself works")
            event = "the adb server ended" if ended else "the adb server disconnected the device"
            return DeviceLostError(
                f"{event} while several agents drove devices, and it is unknown which of them caused it"
            )
        return error

    def check_not_restarted(self) -> None:
        """Check that the agent did not restart the device between two readings of it.

        Raises:
            AgentError: It did.
            DeviceError: The device cannot be reached.
        """
        if restarted_on_request(self._adb):
            raise self._agent_error("restarted the device")

    def close(self) -> None:
        """End the session."""
        self._server.close()

    def _agent_error(self, deed: str) -> AgentError:
        return AgentError(AgentFault.FAILED, f"{self._name} {deed}")


def _not_listed(adb: Adb) -> bool:
    """Return whether the server no longer lists the device; a broken connection is listed as offline."""
    try:
        return adb.listed() is None
    except DeviceError:
        return False

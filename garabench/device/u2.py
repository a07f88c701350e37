"""The uiautomator2 server on the device, started when first needed.

Its errors become ours, and a server that died is restarted once; when it cannot be had at all, the
callers fall back to plain adb and say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import requests
import uiautomator2
from adbutils.errors import AdbError

from garabench.device.adb import Adb, translate
from garabench.errors import DeviceError, DeviceUnreachable

_FOREIGN = (
    uiautomator2.exceptions.BaseException,
    requests.RequestException,
    AdbError,
    OSError,
    EOFError,
    ValueError,  # a reply that is not JSON
)


_SILENCES = 2
"""Calls in a row without an answer after which the server is not waited for again: each costs its limit."""


class U2Unavailable(DeviceError):
    """The uiautomator2 server cannot be used on this device, or refused a call."""


class U2Server:
    """Calls to the on-device server of uiautomator2.

    Attributes:
        failed: Why the server cannot be used, or empty. Set once starting it has failed, so that each
            later step does not wait for it again.
    """

    def __init__(self, adb: Adb, *, enabled: bool = True) -> None:
        """Prepare; the server starts with the first call.

        Args:
            adb: The device.
            enabled: False never starts it (Android 4.3 and older, or by choice).
        """
        self._adb = adb
        self._client: uiautomator2.Device | None = None
        self.failed = "" if enabled else "switched off"
        self._silences = 0

    def call(
        self, method: str, params: Sequence[Any] | Mapping[str, Any] = (), *, timeout: float = 15
    ) -> Any:
        """Make one JSON-RPC call.

        Args:
            method: Such as ``click``.
            params: Positional (or named) parameters.
            timeout: Seconds.

        Returns:
            The result, JSON-like.

        Raises:
            U2Unavailable: The server cannot be started or refused the call.
            DeviceError: The device is gone.
        """
        client = self._connected()
        try:
            result = client.jsonrpc_call(
                method, params if isinstance(params, Mapping) else list(params), timeout
            )
        except _FOREIGN as error:
            explained = self._explained(error, f"calling {method}")
            self._count(error)
            raise explained from error
        self._silences = 0
        return result

    def revive(self) -> None:
        """Give a server that fell silent another chance, as at an episode's start."""
        if self._silences:
            self._silences = 0
            self.failed = ""

    def _count(self, error: Exception) -> None:
        if not (isinstance(error, TimeoutError | requests.Timeout) or "timed out" in str(error)):
            self._silences = 0
            return
        self._silences += 1
        if self._silences >= _SILENCES:
            self.failed = f"it did not answer {self._silences} times in a row"

    def _connected(self) -> uiautomator2.Device:
        if self.failed:
            raise U2Unavailable(f"uiautomator2's server is not in use: {self.failed}")
        if self._client is None:
            try:
                self._client = uiautomator2.connect(self._adb.device)
            except _FOREIGN as error:
                explained = self._explained(error, "starting uiautomator2's server")
                if isinstance(explained, U2Unavailable):
                    self.failed = str(error)
                raise explained from error
        return self._client

    def _explained(self, error: Exception, doing: str) -> DeviceError:
        """Tell a server that failed from a device that is gone."""
        if isinstance(error, AdbError):
            mine = translate(error, self._adb.serial, doing)
            if isinstance(mine, DeviceUnreachable):
                return mine
        if self._adb.state() != "device":  # raises the precise error when the device is gone
            return translate(AdbError("offline"), self._adb.serial, doing)
        return U2Unavailable(f"uiautomator2's server failed while {doing}: {error}")

    def stop(self) -> None:
        """Stop the server when this object started it; harmless otherwise."""
        if self._client is not None:
            client, self._client = self._client, None
            try:
                client.stop_uiautomator(wait=False)
            except _FOREIGN as error:
                raise self._explained(error, "stopping uiautomator2's server") from error

"""A client of uiautomator2's server on the device, which is started on first use.

Foreign errors are converted, and a server that died is restarted once. If the server is unavailable, the
callers fall back to plain adb and report it.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import requests
import uiautomator2
from adbutils.errors import AdbError

from garabench.device.adb import Adb, translate
from garabench.errors import DeviceError, DeviceUnreachableError

_LOG = logging.getLogger(__name__)
_FOREIGN = (
    uiautomator2.exceptions.BaseException,
    requests.RequestException,
    AdbError,
    OSError,
    EOFError,
    ValueError,  # a reply that is not JSON
)


_SERVER_CLASS = "com.wetest.uia2.Main"
_MAX_LINES = 3
_SILENCES = 2
"""Number of consecutive calls without a response after which the server is no longer used: each costs its
time limit."""


class U2UnavailableError(DeviceError):
    """The uiautomator2 server is unavailable on this device, or rejected a call."""


class U2Client:
    """Calls to the on-device server of uiautomator2.

    Attributes:
        failed: Why the server is unavailable, or empty. Set once it has failed to start, so that later
            steps do not wait for it again.
        failures: Number of calls that failed.
    """

    def __init__(self, adb: Adb, *, enabled: bool = True) -> None:
        """Set up the client; the server starts with the first call.

        Args:
            adb: The device.
            enabled: Whether the server may be started; False on Android 4.4 and older, or by choice.
        """
        self._adb = adb
        self._client: uiautomator2.Device | None = None
        self._enabled = enabled
        self.failed = "" if enabled else "switched off"
        self._silences = 0
        self.failures = 0

    def call(
        self, method: str, params: Sequence[Any] | Mapping[str, Any] = (), *, timeout: float = 15
    ) -> Any:
        """Make one JSON-RPC call.

        Args:
            method: Name of the method, such as ``click``.
            params: Positional or named parameters.
            timeout: Seconds.

        Returns:
            The result, JSON-like.

        Raises:
            U2UnavailableError: The server cannot be started or rejected the call.
            DeviceError: The device is gone.
        """
        client = self._connected()
        start = self._adb.clock.monotonic()
        try:
            result = client.jsonrpc_call(
                method, params if isinstance(params, Mapping) else list(params), timeout
            )
        except _FOREIGN as error:
            _LOG.warning("%s u2 %s failed: %s", self._adb.serial, method, type(error).__name__)
            self.failures += 1
            converted = self._converted(error, f"calling {method}")
            self._count(error)
            raise converted from error
        _LOG.debug("%s u2 %s (%.3f s)", self._adb.serial, method, self._adb.clock.monotonic() - start)
        self._silences = 0
        return result

    def revive(self) -> None:
        """Retry a server that stopped responding, for instance at the start of an episode."""
        if self._silences:
            self._silences = 0
            self.failed = ""

    def restart(self) -> None:
        """Stop the server on the device, whoever started it; the next call starts a new one.

        Raises:
            DeviceError: The device is gone.
        """
        with contextlib.suppress(DeviceError):  # a server that hangs does not stop itself
            self.stop()
        self._adb.shell(["pkill", "-f", _SERVER_CLASS])
        self._silences = 0
        if self._enabled:
            self.failed = ""

    def _count(self, error: Exception) -> None:
        if not (isinstance(error, TimeoutError | requests.Timeout) or "timed out" in str(error)):
            self._silences = 0
            return
        self._silences += 1
        if self._silences >= _SILENCES:
            self.failed = f"it did not respond {self._silences} times in a row"

    def _connected(self) -> uiautomator2.Device:
        if self.failed:
            raise U2UnavailableError(f"uiautomator2's server is unavailable: {self.failed}")
        if self._client is None:
            try:
                self._client = uiautomator2.connect(self._adb.device)
            except _FOREIGN as error:
                converted = self._converted(error, "starting uiautomator2's server")
                if isinstance(converted, U2UnavailableError):
                    self.failed = describe_u2_error(error)
                raise converted from error
        return self._client

    def _converted(self, error: Exception, doing: str) -> DeviceError:
        """Distinguish a server that failed from a device that is gone."""
        if isinstance(error, AdbError):
            mine = translate(error, self._adb.serial, doing)
            if isinstance(mine, DeviceUnreachableError):
                return mine
        if self._adb.state() != "device":  # raises the precise error when the device is gone
            return translate(AdbError("offline"), self._adb.serial, doing)
        return U2UnavailableError(f"uiautomator2's server failed while {doing}: {describe_u2_error(error)}")

    def stop(self) -> None:
        """Stop the server if this object started it."""
        if self._client is not None:
            client, self._client = self._client, None
            try:
                client.stop_uiautomator(wait=False)
            except _FOREIGN as error:
                raise self._converted(error, "stopping uiautomator2's server") from error


def describe_u2_error(error: Exception) -> str:
    """Return the message of an error of uiautomator2: its first lines, each once.

    One of its arguments may be the server's log, in which a line occurs dozens of times.
    """
    parts = [str(each) for each in error.args] if len(error.args) > 1 else [str(error)]
    lines = dict.fromkeys(line.strip() for part in parts for line in part.splitlines() if line.strip())
    return ": ".join([*lines][:_MAX_LINES])

"""Reconnect to a lost device, and detect whether the adb server or the device has restarted."""

from __future__ import annotations

import contextlib
import logging
import socket
import subprocess

from garabench.device.adb import Adb
from garabench.errors import DeviceError, DeviceUnauthorizedError

_LOG = logging.getLogger(__name__)
_LOCAL = ("127.0.0.1", "localhost", "::1")
_CONNECT_SECONDS = 3.0
_START_SECONDS = 20.0
_POLL = 0.2
_CHUNK = 64 * 1024
_TRACK = b"host:track-devices"
_MARK = "debug.garabench.running"
_BOOTED, _REASON = "sys.boot_completed", "sys.boot.reason"


def reconnect(adb: Adb, seconds: float) -> bool:
    """Reconnect to a device: start the adb server, connect, and wait until the device has booted.

    Args:
        adb: The device.
        seconds: The time limit.

    Returns:
        Whether the device responds.
    """
    deadline = adb.clock.monotonic() + seconds
    start_server(adb)
    while True:
        try:
            state = adb.listed()
            if state is None:
                adb.rejoin()
            elif state == "device" and adb.shell(["getprop", _BOOTED]).stdout.strip() == "1":
                _LOG.info("%s answers", adb.serial)
                return True
            _LOG.warning("%s is %s; reconnecting", adb.serial, state or "not listed")
        except DeviceUnauthorizedError:
            return False  # only a user can change that
        except DeviceError as error:
            _LOG.warning("%s does not answer (%s); reconnecting", adb.serial, type(error).__name__)
            if adb.serial.rpartition(":")[0] in _LOCAL and not is_listening(adb.serial):
                return False  # its process has ended
        if adb.clock.monotonic() >= deadline:
            _LOG.warning("%s could not be reconnected within %g s", adb.serial, seconds)
            return False
        adb.clock.sleep(_POLL)


def start_server(adb: Adb) -> None:
    """Start the adb server when none is running locally; a server on another host is left alone."""
    host, port = adb.server
    if host in _LOCAL and not is_listening(f"{host}:{port}"):
        with contextlib.suppress(OSError, subprocess.SubprocessError):  # the next call reports it
            subprocess.run(
                [adb.program, "-P", str(port), "start-server"],
                capture_output=True,
                timeout=_START_SECONDS,
                check=False,
            )


def is_listening(address: str) -> bool:
    """Return whether a server accepts connections at ``HOST:PORT``."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), _CONNECT_SECONDS):
            return True
    except (OSError, ValueError):
        return False


class ServerWatch:
    """Detects that the adb server has ended: an open connection to it then breaks."""

    def __init__(self, adb: Adb) -> None:
        """Connect; if that fails, `ended` stays False.

        Args:
            adb: A device of the server.
        """
        self._connection: socket.socket | None = None
        with contextlib.suppress(OSError):
            self._connection = socket.create_connection(adb.server, _CONNECT_SECONDS)
            self._connection.sendall(b"%04x%s" % (len(_TRACK), _TRACK))
            self._connection.setblocking(False)

    @property
    def ended(self) -> bool:
        """Whether the server has ended, even if another one has been started since."""
        if self._connection is None:
            return False
        try:
            while self._connection.recv(_CHUNK):
                pass  # the list of devices, sent again on each change
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def close(self) -> None:
        """Close the connection; `ended` is False from then on."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def set_boot_mark(adb: Adb) -> None:
    """Set a property that is lost when the device restarts; the shell may set those below ``debug``.

    Raises:
        DeviceError: The device cannot be reached.
    """
    adb.shell(["setprop", _MARK, "1"]).check("mark the device")


def restarted_on_request(adb: Adb) -> bool:
    """Return whether the device has restarted since `set_boot_mark`, and on request.

    ``sys.boot.reason`` is then ``reboot`` or ``reboot,WHY``, and otherwise ``kernel_panic``, ``watchdog``,
    ``cold``, … (https://source.android.com/docs/core/architecture/bootloader/boot-reason). Before Android 9
    the property does not exist, and the result is False.

    Raises:
        DeviceError: The device cannot be reached.
    """
    if adb.shell(["getprop", _MARK]).stdout.strip():
        return False
    return adb.shell(["getprop", _REASON]).stdout.strip().split(",")[0] == "reboot"

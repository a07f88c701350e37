"""Bring a device back that its adb server has lost, and see what has become of the two meanwhile."""

from __future__ import annotations

import contextlib
import socket
import subprocess

from garabench.device.adb import Adb
from garabench.errors import DeviceError, DeviceUnauthorized

_LOCAL = ("127.0.0.1", "localhost", "::1")
_CONNECT_SECONDS = 3.0
_START_SECONDS = 20.0
_POLL = 0.2
_CHUNK = 64 * 1024
_TRACK = b"host:track-devices"
_MARK = "debug.garabench.running"
_BOOTED, _REASON = "sys.boot_completed", "sys.boot.reason"


def bring_back(adb: Adb, seconds: float) -> bool:
    """Have a device answer again: start the adb server, connect, and wait until it has booted.

    Args:
        adb: The device.
        seconds: The longest wait.

    Returns:
        Whether it answers.
    """
    deadline = adb.clock.monotonic() + seconds
    start_server(adb)
    while True:
        try:
            state = adb.listed()
            if state is None:
                adb.rejoin()
            elif state == "device" and adb.shell(["getprop", _BOOTED]).stdout.strip() == "1":
                return True
        except DeviceUnauthorized:
            return False  # only a person can change that
        except DeviceError:
            if adb.serial.rpartition(":")[0] in _LOCAL and not listens(adb.serial):
                return False  # its process has ended
        if adb.clock.monotonic() >= deadline:
            return False
        adb.clock.sleep(_POLL)


def start_server(adb: Adb) -> None:
    """Start the adb server where none runs; one on another computer is left alone."""
    host, port = adb.server
    if host in _LOCAL and not listens(f"{host}:{port}"):
        with contextlib.suppress(OSError, subprocess.SubprocessError):  # told by the next call
            subprocess.run(
                [adb.program, "-P", str(port), "start-server"],
                capture_output=True,
                timeout=_START_SECONDS,
                check=False,
            )


def listens(address: str) -> bool:
    """Whether someone listens at ``HOST:PORT``."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), _CONNECT_SECONDS):
            return True
    except (OSError, ValueError):
        return False


class ServerWatch:
    """Whether the adb server has ended since this was made: a held connection to it breaks off then."""

    def __init__(self, adb: Adb) -> None:
        """Connect; where that fails, nothing is concluded later.

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
        """Whether the server is another one by now, or none."""
        if self._connection is None:
            return False
        try:
            while self._connection.recv(_CHUNK):
                pass  # the list of devices, anew with each change
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def close(self) -> None:
        """Let go of the connection; nothing is concluded any more."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def leave_mark(adb: Adb) -> None:
    """Set a property that goes when the device restarts; Android lets the shell set those of ``debug``.

    Raises:
        DeviceError: It cannot be reached.
    """
    adb.shell(["setprop", _MARK, "1"])


def restarted_on_request(adb: Adb) -> bool:
    """Whether the device has restarted since `leave_mark`, and says that it was asked to.

    ``sys.boot.reason`` is ``reboot`` or ``reboot,WHY`` then, and ``kernel_panic``, ``watchdog``, ``cold`` and
    the like otherwise (https://source.android.com/docs/core/architecture/bootloader/boot-reason). Before
    Android 9 there is none, and nothing is concluded.

    Raises:
        DeviceError: It cannot be reached.
    """
    if adb.shell(["getprop", _MARK]).stdout.strip():
        return False
    return adb.shell(["getprop", _REASON]).stdout.strip().split(",")[0] == "reboot"

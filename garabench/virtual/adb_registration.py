"""Connect a virtual phone to this computer's adb server, and disconnect it."""

from __future__ import annotations

import contextlib

import adbutils
from adbutils.errors import AdbError

from garabench.core.clock import Clock
from garabench.errors import DeviceUnreachableError

_LIMIT = 60.0
_STATE_LIMIT = 60.0
"""Seconds that only a hanging phone or server exceeds: a busy computer may need several."""
_POLL = 0.02
EMULATOR = "emulator-"


def connect_to_server(serial: str, clock: Clock) -> None:
    """Connect the adb server to a listening phone, and wait until it is listed as ``device``.

    Raises:
        DeviceUnreachableError: The adb server did not connect to it.
    """
    adb = adbutils.AdbClient(socket_timeout=_LIMIT)
    try:
        if serial.startswith(EMULATOR):
            connection = adb.make_connection(timeout=_LIMIT)
            connection.send_command(f"host:emulator:{int(serial.removeprefix(EMULATOR)) + 1}")
            connection.close()
        else:
            adb.connect(serial, timeout=_LIMIT)
        limit = clock.monotonic() + _STATE_LIMIT
        while {each.serial: each.state for each in adb.list()}.get(serial) != "device":
            if clock.monotonic() > limit:
                raise DeviceUnreachableError(f"the adb server did not list {serial} as a device")
            clock.sleep(_POLL)
    except (AdbError, OSError) as error:
        raise DeviceUnreachableError(f"the adb server did not connect to {serial}: {error}") from error


def disconnect_from_server(serial: str) -> None:
    """Disconnect the adb server from a phone; otherwise it lists the phone as offline for a minute.

    Emulators disappear without it.
    """
    if serial and not serial.startswith(EMULATOR):
        with contextlib.suppress(AdbError, OSError):
            adbutils.AdbClient(socket_timeout=_LIMIT).disconnect(serial)

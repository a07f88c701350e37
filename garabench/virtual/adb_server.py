"""Making a virtual phone known to the adb server of this computer, and having it forgotten again."""

from __future__ import annotations

import contextlib

import adbutils
from adbutils.errors import AdbError

from garabench.core.clock import Clock
from garabench.errors import DeviceUnreachable

_LIMIT = 60.0
_STATE_LIMIT = 60.0
"""Seconds that only a phone or a server that hangs takes: a busy computer may need several."""
_POLL = 0.02
EMULATOR = "emulator-"


def connect_to_server(serial: str, clock: Clock) -> None:
    """Make a phone that listens known to the adb server, and wait until it is a device.

    Raises:
        DeviceUnreachable: The adb server did not take it.
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
                raise DeviceUnreachable(f"{serial} did not become a device of the adb server")
            clock.sleep(_POLL)
    except (AdbError, OSError) as error:
        raise DeviceUnreachable(f"the adb server did not connect to {serial}: {error}") from error


def disconnect_from_server(serial: str) -> None:
    """Have the adb server forget a phone at once, where it would list it as offline for a minute.

    Emulators are forgotten by themselves.
    """
    if serial and not serial.startswith(EMULATOR):
        with contextlib.suppress(AdbError, OSError):
            adbutils.AdbClient(socket_timeout=_LIMIT).disconnect(serial)

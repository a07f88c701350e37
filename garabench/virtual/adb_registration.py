"""Connect a virtual phone to this computer's adb server, and disconnect it."""

from __future__ import annotations

import contextlib

import adbutils
from adbutils.errors import AdbError

from garabench.core.clock import Clock, SystemClock
from garabench.errors import DeviceUnreachableError

_TIMEOUT_S = 60.0
_STATE_TIMEOUT_S = 60.0
"""Seconds that only a hanging phone or server exceeds: a busy computer may need several."""
_REMOVAL_TIMEOUT_S = 10.0
_POLL_S = 0.02
EMULATOR_PREFIX = "emulator-"


def connect_to_server(serial: str, clock: Clock) -> None:
    """Connect the adb server to a listening phone, and wait until it is listed as ``device``.

    Raises:
        DeviceUnreachableError: The adb server did not connect to it.
    """
    adb = adbutils.AdbClient(socket_timeout=_TIMEOUT_S)
    try:
        if serial.startswith(EMULATOR_PREFIX):
            connection = adb.make_connection(timeout=_TIMEOUT_S)
            connection.send_command(f"host:emulator:{int(serial.removeprefix(EMULATOR_PREFIX)) + 1}")
            connection.close()
        else:
            adb.connect(serial, timeout=_TIMEOUT_S)
        deadline = clock.monotonic() + _STATE_TIMEOUT_S
        while {device.serial: device.state for device in adb.list()}.get(serial) != "device":
            if clock.monotonic() > deadline:
                raise DeviceUnreachableError(f"the adb server did not list {serial} as a device")
            clock.sleep(_POLL_S)
    except (AdbError, OSError) as error:
        raise DeviceUnreachableError(f"the adb server did not connect to {serial}: {error}") from error


def disconnect_from_server(serial: str, clock: Clock | None = None) -> None:
    """Disconnect the adb server from a phone; otherwise it lists the phone as offline for a minute.

    Emulators disappear without it. It waits until the phone is no longer listed: until then, the server would
    reply to a new connection that it is already connected, and then drop it.
    """
    if not serial or serial.startswith(EMULATOR_PREFIX):
        return
    clock = clock or SystemClock()
    adb = adbutils.AdbClient(socket_timeout=_TIMEOUT_S)
    with contextlib.suppress(AdbError, OSError):
        adb.disconnect(serial)
        deadline = clock.monotonic() + _REMOVAL_TIMEOUT_S
        while any(device.serial == serial for device in adb.list()) and clock.monotonic() < deadline:
            clock.sleep(_POLL_S)

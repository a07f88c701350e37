"""Clients of a phone with switchable faults: the adb command, adbutils and uiautomator2."""

from __future__ import annotations

import socket
import subprocess
from dataclasses import dataclass

import adbutils
import uiautomator2 as u2

from garabench.core.clock import SystemClock
from garabench.virtual.adb_registration import disconnect_from_server
from garabench.virtual.phone_process import VirtualPhone

CLOCK = SystemClock()


@dataclass(frozen=True, slots=True)
class Client:
    """The clients of one phone."""

    phone: VirtualPhone

    @property
    def device(self) -> adbutils.AdbDevice:
        return adbutils.AdbClient().device(self.phone.serial)

    def adb(self, *words: str, limit: float = 120) -> tuple[int, str]:
        """Run an adb command, and return its exit status and its output with stderr."""
        done = subprocess.run(
            [adbutils.adb_path(), "-s", self.phone.serial, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=limit,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def sh(self, line: str) -> str:
        return self.adb("shell", line)[1]

    def seconds(self) -> int:
        """Return the phone's own time in seconds since the epoch."""
        return int(self.sh("date +%s"))

    def reaches_state(self, state: str) -> bool:
        """Wait for adb to list the phone in a state, and return whether it does."""
        limit = CLOCK.monotonic() + 120
        while CLOCK.monotonic() < limit:
            if {each.serial: each.state for each in adbutils.AdbClient().list()}.get(
                self.phone.serial
            ) == state:
                return True
            CLOCK.sleep(0.05)
        return False

    def reconnect(self) -> None:
        disconnect_from_server(self.phone.serial)
        adbutils.AdbClient().connect(self.phone.serial, timeout=120)

    def u2(self) -> u2.Device:
        return u2.connect(self.phone.serial)

    def raw_u2(self, *, limit: float = 120) -> socket.socket:
        """Open a connection to uiautomator2's server, and send a ping request over it."""
        stream: socket.socket = self.device.create_connection(adbutils.Network.TCP, 9008)
        stream.settimeout(limit)
        stream.sendall(b"GET /ping HTTP/1.1\r\nHost: phone\r\n\r\n")
        return stream

"""Readings of a device's date and uptime, from which the date can be restored after it was changed.

Restoring the date as it was read would set the clock back by the time elapsed since. The correct date is the
one that was read plus the growth of the uptime, which a change of the date does not affect. The uptime starts
from zero after a reboot; then the elapsed time of this computer's clock is used instead.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from typing import Any

from garabench.core.device_changes import Argv
from garabench.errors import CommandError

READ_CLOCK: Argv = ("sh", "-c", "date -u +%s.%N; cat /proc/uptime; cat /proc/sys/kernel/random/boot_id")
"""Prints the date, the uptime and the boot id, which Linux generates at each boot."""
SLACK_S = 3.0
"""Seconds by which two clock readings may differ; a command takes a slow phone one or two."""
_LINE = re.compile(r"(?P<wall>\d{1,12})(?:\.(?P<part>\d{1,9})?\S*)?\s+(?P<uptime>\d{1,12}(?:\.\d+)?) \S+\s*")
_BOOT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment by a device's clocks and by this computer's clock.

    Attributes:
        wall: The device's date and time, in seconds since 1970.
        uptime: Seconds since the device booted.
        boot: The id of the boot; empty if the device does not report it.
        host: This computer's date and time, in seconds since 1970.
    """

    wall: float
    uptime: float
    boot: str
    host: float

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.wall, self.uptime, self.host))):
            raise ValueError("the times of a moment must be finite")

    @classmethod
    def parse(cls, output: str, host: float) -> Instant:
        """Parse the output of `READ_CLOCK`.

        Args:
            output: The output.
            host: This computer's date and time at that moment, in seconds since 1970.

        Raises:
            CommandError: The output has no date and uptime.
        """
        match = _LINE.match(output.replace("\r\n", "\n"))
        if match is None:
            raise CommandError(f"the device did not report its date and uptime: {output[:80]!r}")
        boot = _BOOT.search(output, match.end())
        # Without a fraction, half a second is the best guess.
        wall = float(f"{match['wall']}.{match['part'] or 5}")
        return cls(wall, float(match["uptime"]), boot.group() if boot else "", host)

    def expected_wall(self, now: Instant) -> float:
        """Return the date and time that the device would show now if its clock had not been changed."""
        return self.wall + (now.uptime - self.uptime if self._same_boot(now) else now.host - self.host)

    def agrees_with(self, now: Instant) -> bool:
        """Return whether the device's clock has not been changed since, or has been restored."""
        return abs(now.wall - self.expected_wall(now)) <= SLACK_S

    def _same_boot(self, now: Instant) -> bool:
        grown = now.uptime - self.uptime
        if self.boot and now.boot:
            return self.boot == now.boot and grown >= 0
        return abs(grown - (now.host - self.host)) <= SLACK_S

    def __str__(self) -> str:
        return f"{dt.datetime.fromtimestamp(self.wall, dt.UTC):%Y-%m-%d %H:%M:%S} UTC"

    def to_json(self) -> dict[str, Any]:
        """Return the moment as JSON-compatible data."""
        return {"wall": self.wall, "uptime": self.uptime, "boot": self.boot, "host": self.host}

    @classmethod
    def from_json(cls, data: object) -> Instant:
        """Read the result of `to_json`.

        Raises:
            ValueError: The data is malformed.
        """
        if not isinstance(data, dict):
            raise ValueError(f"not a moment: {data!r}")
        boot = data.get("boot")
        times = [data.get(name) for name in ("wall", "uptime", "host")]
        if not isinstance(boot, str) or not all(type(value) in (int, float) for value in times):
            raise ValueError(f"not a moment: {data!r}")
        wall, uptime, host = (float(str(value)) for value in times)
        return cls(wall, uptime, boot, host)

"""A device's date and time beside its uptime: what tells how its clock would have gone on.

A date cannot be put back as it was read, for time goes on. The pair of both can: the date that was, and as
much as the uptime, which no change of the date touches, has grown since. After a restart the uptime begins
anew; then what this computer's own clock has gone on is taken.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from typing import Any

from garabench.core.changes import Argv
from garabench.errors import CommandFailed

ASK: Argv = ("sh", "-c", "date -u +%s.%N; cat /proc/uptime; cat /proc/sys/kernel/random/boot_id")
"""Prints the three; Linux makes the id of a boot anew at each start."""
SLACK_S = 3.0
"""Seconds by which clocks may differ and be taken for the same: a command takes a slow phone one or two."""
_SAID = re.compile(r"(?P<wall>\d{1,12})(?:\.(?P<part>\d{1,9})?\S*)?\s+(?P<uptime>\d{1,12}(?:\.\d+)?) \S+\s*")
_BOOT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment, by a device's clocks and by this computer's.

    Attributes:
        wall: The device's date and time, in seconds since 1970.
        uptime: Seconds since the device was started.
        boot: Which start that was; empty where the device does not tell.
        host: This computer's date and time, in seconds since 1970.
    """

    wall: float
    uptime: float
    boot: str
    host: float

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.wall, self.uptime, self.host))):
            raise ValueError("a moment has finite times")

    @classmethod
    def parse(cls, output: str, host: float) -> Instant:
        """Read what `ASK` printed.

        Args:
            output: All of it.
            host: This computer's date and time then.

        Raises:
            CommandFailed: It tells no time.
        """
        said = _SAID.match(output.replace("\r\n", "\n"))
        if said is None:
            raise CommandFailed(f"the device does not tell its date and its uptime: {output[:80]!r}")
        boot = _BOOT.search(output, said.end())
        wall = float(f"{said['wall']}.{said['part'] or 5}")  # half a second on, where none is told
        return cls(wall, float(said["uptime"]), boot.group() if boot else "", host)

    def due(self, now: Instant) -> float:
        """The date and time that the device would have now, if its clock had been left alone since."""
        return self.wall + (now.uptime - self.uptime if self._same_start(now) else now.host - self.host)

    def goes_on(self, now: Instant) -> bool:
        """Whether the device's clock has been left alone since, or put back."""
        return abs(now.wall - self.due(now)) <= SLACK_S

    def _same_start(self, now: Instant) -> bool:
        grown = now.uptime - self.uptime
        if self.boot and now.boot:
            return self.boot == now.boot and grown >= 0
        return abs(grown - (now.host - self.host)) <= SLACK_S

    def __str__(self) -> str:
        return f"{dt.datetime.fromtimestamp(self.wall, dt.UTC):%Y-%m-%d %H:%M:%S} UTC"

    def to_json(self) -> dict[str, Any]:
        """As JSON-like data."""
        return {"wall": self.wall, "uptime": self.uptime, "boot": self.boot, "host": self.host}

    @classmethod
    def from_json(cls, data: object) -> Instant:
        """Read back what `to_json` gave.

        Raises:
            ValueError: It is not that.
        """
        if not isinstance(data, dict):
            raise ValueError(f"{data!r} is no moment")
        boot = data.get("boot")
        times = [data.get(name) for name in ("wall", "uptime", "host")]
        if not isinstance(boot, str) or not all(type(each) in (int, float) for each in times):
            raise ValueError(f"{data!r} is no moment")
        wall, uptime, host = (float(str(each)) for each in times)
        return cls(wall, uptime, boot, host)

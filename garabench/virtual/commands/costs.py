"""How long commands take on the phone.

Android 4.4's times were measured on a device, and are taken with the ``phone`` latency only, so that stepped
runs come out the same on every version.
"""

from __future__ import annotations

from dataclasses import dataclass

from garabench.virtual.os.clock import Latency
from garabench.virtual.os.phone import Phone

CALL_MS = 15
"""What a call to a system service takes."""
KITKAT = 19


@dataclass(frozen=True, slots=True)
class Costs:
    """What commands take, in ms of the phone's time.

    Attributes:
        tap, key: One touch, one key.
        letter: One letter of typed text.
        shot: A screenshot.
        dump: A UI tree, besides the time that the screen takes to rest; `first_dump` is added once.
        start: Starting an activity.
    """

    tap: int = 60
    key: int = 40
    letter: int = 20
    shot: int = 180
    dump: int = 400
    first_dump: int = 0
    start: int = 250


_KITKAT_COSTS = Costs(tap=1300, key=1300, shot=300, dump=1700, first_dump=3800, start=1000)


def costs(phone: Phone) -> Costs:
    """What commands take on a phone."""
    slow = phone.profile.sdk <= KITKAT and phone.clock.latency is Latency.PHONE
    return _KITKAT_COSTS if slow else Costs()

"""Durations of commands in phone time.

Android 4.4's durations were measured on a device and apply with ``phone`` latency only, so that stepped
runs are the same on every version.
"""

from __future__ import annotations

from dataclasses import dataclass

from garabench.virtual.android.clock import Latency
from garabench.virtual.android.phone import Phone

CALL_MS = 15
"""Duration of a call to a system service."""
KITKAT = 19


@dataclass(frozen=True, slots=True)
class CommandDurations:
    """Durations of commands, in ms of phone time.

    Attributes:
        tap, key: A touch, a key.
        letter: A character of typed text.
        shot: A screenshot.
        dump: A UI dump without the wait for an idle screen; `first_dump` is added once.
        start: Starting an activity.
    """

    tap: int = 60
    key: int = 40
    letter: int = 20
    screenshot: int = 180
    dump: int = 400
    first_dump: int = 0
    start: int = 250


_KITKAT_DURATIONS = CommandDurations(
    tap=1300, key=1300, screenshot=300, dump=1700, first_dump=3800, start=1000
)


def durations(phone: Phone) -> CommandDurations:
    """Return the durations on a phone."""
    slow = phone.profile.sdk <= KITKAT and phone.clock.latency is Latency.PHONE
    return _KITKAT_DURATIONS if slow else CommandDurations()

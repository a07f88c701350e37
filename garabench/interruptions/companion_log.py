"""The companion app's own log of its events, read when logcat has lost some.

The app stores its events in a file and publishes them through a content provider, which ``content query``
prints as::

    Row: 0 event={"token":"…","seq":1,"event":"shown"}

A repeated episode has the same tokens, and the app continues their numbering, so only the events since the
last start of the window count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from garabench.core.companion_app import PACKAGE
from garabench.device.adb import Adb
from garabench.errors import CommandError, DeviceTimeoutError
from garabench.interruptions.lifecycle import POSTED, SHOWN, CompanionEvent, parse_companion_event

AUTHORITY = f"{PACKAGE}.events"
QUERY_TIMEOUT = 10.0
"""Seconds; starting ``content`` is slow on a slow phone."""
_ROW = re.compile(r"^Row: \d+ event=(?P<line>\{.*\})\r?$", re.MULTILINE)


def query_command(token: str) -> tuple[str, ...]:
    """Return the shell command that prints the events of a token."""
    return ("content", "query", "--uri", f"content://{AUTHORITY}/{quote(token, safe='')}")


def parse_rows(output: str, token: str) -> tuple[CompanionEvent, ...]:
    """Parse the output of ``content query``: the events of a token since its last start; none on errors."""
    events = (parse_companion_event(match["line"]) for match in _ROW.finditer(output))
    return since_last_start([event for event in events if event is not None and event.token == token])


def since_last_start(events: Sequence[CompanionEvent]) -> tuple[CompanionEvent, ...]:
    """Return the events of a token since its last start: ``shown``, or ``posted`` and then ``shown``."""
    start = 0
    for index, event in enumerate(events):
        after_notification = index > 0 and events[index - 1].event == POSTED
        if event.event == POSTED or (event.event == SHOWN and not after_notification):
            start = index
    return tuple(events[start:])


def read_companion_events(adb: Adb, token: str) -> tuple[CompanionEvent, ...]:
    """Read the companion app's events of a token; empty if it does not respond, like an old build.

    Raises:
        DeviceError: The device is gone.
    """
    try:
        result = adb.shell(list(query_command(token)), timeout=QUERY_TIMEOUT).check_reading(
            "read the companion's log"
        )
        return parse_rows(result.stdout, token)
    except (CommandError, DeviceTimeoutError):
        return ()

"""The companion app's own record of its events, for when the log has lost some.

The app keeps what it tells in a file and gives it by a content provider, as ``content query`` of every
Android prints it::

    Row: 0 event={"token":"…","seq":1,"event":"shown"}

A token is the same when an episode is performed again, and the app goes on counting: what counts is what was
told since the window was shown last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from garabench.device.adb import Adb
from garabench.errors import CommandFailed, DeviceTimeout
from garabench.interruptions.lifecycle import POSTED, SHOWN, AppEvent, parse_event
from garabench.interruptions.plan import PACKAGE

AUTHORITY = f"{PACKAGE}.events"
LIMIT = 10.0
"""Seconds for a query; starting ``content`` takes a slow phone some."""
_ROW = re.compile(r"^Row: \d+ event=(?P<line>\{.*\})\r?$", re.MULTILINE)


def query(token: str) -> tuple[str, ...]:
    """The device's command that prints what was told under a token."""
    return ("content", "query", "--uri", f"content://{AUTHORITY}/{quote(token, safe='')}")


def parse_rows(output: str, token: str) -> tuple[AppEvent, ...]:
    """The events of a token that ``content query`` printed, since it was begun last; errors give none."""
    events = (parse_event(match["line"]) for match in _ROW.finditer(output))
    return since_begun([event for event in events if event is not None and event.token == token])


def since_begun(events: Sequence[AppEvent]) -> tuple[AppEvent, ...]:
    """The events of a token from the last time on that it was begun: shown, or posted and then shown."""
    begun = 0
    for place, event in enumerate(events):
        after_notice = place > 0 and events[place - 1].event == POSTED
        if event.event == POSTED or (event.event == SHOWN and not after_notice):
            begun = place
    return tuple(events[begun:])


def read(adb: Adb, token: str) -> tuple[AppEvent, ...]:
    """What the companion app has kept of a token; nothing where it does not answer, as an old build.

    Raises:
        DeviceError: The device is gone.
    """
    try:
        return parse_rows(adb.shell(list(query(token)), timeout=LIMIT).stdout, token)
    except (CommandFailed, DeviceTimeout):
        return ()

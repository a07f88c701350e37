"""The companion's event log: JSON lines, numbered by token, in logcat under one tag and in a journal.

The journal has the events that logcat has dropped: a content provider returns its lines, oldest first, in
the column ``event``. When it exceeds its limit, its older half is dropped.

The tokens of open windows are stored as well: a window that is open when a process starts belonged to a
process that has died, and is reported as ``killed``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.virtual.kit.framework import Context, Provider, Rows

TAG = "GaraBench"
MAX_TOKEN = 200
UNSAMPLED = 16
"""This many events of a kind are reported individually, then only those whose number is a power of two."""
KILLED = "killed"
_MAX_TOKENS = 200
_MAX_OPEN = 20
_FINAL_EVENTS = ("pressed", "dismissed", "error", "progress_done")
_JOURNAL, _NUMBERS, _OPEN, _PROCESS = "journal", "numbers", "open", "process"
JOURNAL_LIMIT = 64 * 1024
"""Size in bytes above which the journal's older half is dropped."""


class EventLogger:
    """Writes the events of one token, numbered from 1; the numbering survives the process."""

    def __init__(self, ctx: Context, token: str, *, window: bool = False) -> None:
        """Prepare a logger.

        Args:
            ctx: The app's context.
            token: The token of the events.
            window: Whether they belong to a window, which is gone when the process dies.
        """
        self._ctx = ctx
        self._window = window
        self.token = token

    def write(self, event: str) -> None:
        """Write one line to logcat and to the journal."""
        if self._window:
            self._track_open(event)
        numbers: dict[str, int] = self._ctx.data.setdefault(_NUMBERS, {})
        seq = numbers.pop(self.token, 0) + 1
        numbers[self.token] = seq
        if len(numbers) > _MAX_TOKENS:
            del numbers[next(iter(numbers))]
        line = event_line(self.token, seq, event)
        self._ctx.log(TAG, line)
        self._append(line)

    def _track_open(self, event: str) -> None:
        tokens: list[str] = self._ctx.data.setdefault(_OPEN, [])
        final = event.partition(":")[0] in _FINAL_EVENTS
        if final and self.token in tokens:
            tokens.remove(self.token)
        elif not final and self.token not in tokens:
            tokens.append(self.token)
            del tokens[:-_MAX_OPEN]

    def _append(self, line: str) -> None:
        journal: list[str] = self._ctx.data.setdefault(_JOURNAL, [])
        if sum(len(each.encode("utf-8", "replace")) + 1 for each in journal) > JOURNAL_LIMIT:
            del journal[: len(journal) // 2]
        journal.append(line)


class SampledEvents:
    """Samples repeated events logarithmically: ten thousand occurrences give 25 events."""

    def __init__(self) -> None:
        self._count = 0

    def count(self, event: str) -> str:
        """Count an occurrence.

        Returns:
            The event to report, with its number if some were skipped; empty to skip this one.
        """
        self._count += 1
        if self._count <= UNSAMPLED:
            return event
        return f"{event}:{self._count}" if self._count & (self._count - 1) == 0 else ""


def recover(ctx: Context) -> None:
    """Report the windows that a dead process left open; call it whenever a process may have started."""
    pid = ctx.system.processes.start(ctx.package)
    if ctx.data.get(_PROCESS) == pid:
        return
    ctx.data[_PROCESS] = pid
    tokens: list[str] = ctx.data.pop(_OPEN, [])
    for token in tokens:
        EventLogger(ctx, token).write(KILLED)


def token_of(extras: Mapping[str, Any]) -> str:
    """Return the token as it is reported: truncated to the maximum length, empty if none was given."""
    token = extras.get("token", "")
    return token[:MAX_TOKEN] if isinstance(token, str) else ""


def event_line(token: str, seq: int, event: str) -> str:
    """Format an event as one line of JSON, like the app's ``WireFormat.eventLine``."""
    return f'{_event_prefix(token)}{seq},"event":{_quoted(event)}}}'


def _event_prefix(token: str) -> str:
    """Return the beginning of every event line of a token, up to its sequence number."""
    return f'{{"token":{_quoted(token)},"seq":'


def _quoted(text: str) -> str:
    """Quote like Android's ``JSONObject.quote``: slashes are escaped, characters outside ASCII are not."""
    return json.dumps(text, ensure_ascii=False).replace("/", "\\/")


def _query(ctx: Context, token: str | None) -> Rows:
    recover(ctx)
    prefix = "{" if token is None else _event_prefix(token)
    lines: list[str] = ctx.data.get(_JOURNAL, [])
    return Rows(("event",), tuple((line,) for line in lines if line.startswith(prefix)))


AUTHORITY = "org.garabench.interruptions.events"
PROVIDER = Provider(
    name="org.garabench.interruptions.Events",
    permission="android.permission.DUMP",
    query=_query,
    read_only="events are written only by the app",
)
"""Returns the stored events of a token, or without a token every stored event."""

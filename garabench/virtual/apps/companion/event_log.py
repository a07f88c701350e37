"""The companion's event log: JSON lines, numbered by token, in logcat under one tag and in a journal.

The journal survives when logcat was trimmed: a content provider returns its lines, oldest first, in the
column ``event``. When it exceeds its limit, its older half is dropped.

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
"""This many events of a kind are logged individually, then only those whose number is a power of two."""
KILLED = "killed"
_MAX_TOKENS = 200
_MAX_OPEN = 20
_FINAL_EVENTS = ("pressed", "dismissed", "error", "progress_done")
_JOURNAL, _OPEN, _PROCESS = "journal", "open", "process"
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
        numbers: dict[str, int] = self._ctx.data.setdefault("told", {})
        seq = numbers.pop(self.token, 0) + 1
        numbers[self.token] = seq
        if len(numbers) > _MAX_TOKENS:
            del numbers[next(iter(numbers))]
        line = line_of(self.token, seq, event)
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
    """Samples repeated events logarithmically: ten thousand occurrences give some twenty events."""

    def __init__(self) -> None:
        self._count = 0

    def count(self, word: str) -> str:
        """Count an occurrence.

        Returns:
            The event to log, with its number if some were skipped; empty if this one is skipped.
        """
        self._count += 1
        if self._count <= UNSAMPLED:
            return word
        return f"{word}:{self._count}" if self._count & (self._count - 1) == 0 else ""


def recover(ctx: Context) -> None:
    """Report what a dead process left open; call it whenever a process starts."""
    pid = ctx.system.processes.start(ctx.package)
    if ctx.data.get(_PROCESS) == pid:
        return
    ctx.data[_PROCESS] = pid
    tokens: list[str] = ctx.data.pop(_OPEN, [])
    for token in tokens:
        EventLogger(ctx, token).write(KILLED)


def token_of(extras: Mapping[str, Any]) -> str:
    """The token as it is reported: cut to the maximum length, empty if none was given."""
    token = extras.get("token", "")
    return token[:MAX_TOKEN] if isinstance(token, str) else ""


def line_of(token: str, seq: int, event: str) -> str:
    """An event as one line of JSON, as the app's ``Line.of`` writes it."""
    return f'{_start(token)}{seq},"event":{_quoted(event)}}}'


def _start(token: str) -> str:
    """How every line of a token begins, up to its number."""
    return f'{{"token":{_quoted(token)},"seq":'


def _quoted(text: str) -> str:
    """As Android's ``JSONObject.quote``: a slash is escaped, a letter beyond ASCII is not."""
    return json.dumps(text, ensure_ascii=False).replace("/", "\\/")


def _query(ctx: Context, token: str | None) -> Rows:
    recover(ctx)
    start = "{" if token is None else _start(token)
    lines: list[str] = ctx.data.get(_JOURNAL, [])
    return Rows(("event",), tuple((line,) for line in lines if line.startswith(start)))


AUTHORITY = "org.garabench.interruptions.events"
PROVIDER = Provider(
    name="org.garabench.interruptions.Events",
    permission="android.permission.DUMP",
    query=_query,
    read_only="events are told by the app alone",
)
"""Return the logged events of a token, or without one all stored events."""

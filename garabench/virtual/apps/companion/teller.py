"""Telling events: to logcat under one tag and to a journal, one JSON object a line, numbered by token.

The journal is for when logcat was trimmed: a content provider gives its lines, oldest first, in the column
``event``. When it has grown past its limit its older half is dropped.

The tokens of the windows that are open are kept, too: what is open when a process starts belongs to one that
has died, and is told as ``killed``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.framework import Context, Provider, Rows

TAG = "GaraBench"
MAX_TOKEN = 200
EACH = 16
"""So many occurrences of a kind are told each, then those whose number is a power of two."""
KILLED = "killed"
_MOST_TOLD = 200
_MOST_OPEN = 20
_LAST_WORDS = ("pressed", "dismissed", "error", "progress_done")
_JOURNAL, _OPEN, _PROCESS = "journal", "open", "process"
JOURNAL_LIMIT = 64 * 1024
"""Bytes past which the journal's older half is dropped."""


class Teller:
    """Writes the events of one token, numbered from 1; the number outlives the process."""

    def __init__(self, ctx: Context, token: str, *, window: bool = False) -> None:
        """Prepare.

        Args:
            ctx: Of this app.
            token: Whose events they are.
            window: Whether they are of a window, which is gone when the process dies.
        """
        self._ctx = ctx
        self._window = window
        self.token = token

    def tell(self, event: str) -> None:
        """Write one line to logcat and to the journal."""
        if self._window:
            self._keep_open(event)
        told: dict[str, int] = self._ctx.data.setdefault("told", {})
        seq = told.pop(self.token, 0) + 1
        told[self.token] = seq
        if len(told) > _MOST_TOLD:
            del told[next(iter(told))]
        line = line_of(self.token, seq, event)
        self._ctx.log(TAG, line)
        self._keep(line)

    def _keep_open(self, event: str) -> None:
        tokens: list[str] = self._ctx.data.setdefault(_OPEN, [])
        over = event.partition(":")[0] in _LAST_WORDS
        if over and self.token in tokens:
            tokens.remove(self.token)
        elif not over and self.token not in tokens:
            tokens.append(self.token)
            del tokens[:-_MOST_OPEN]

    def _keep(self, line: str) -> None:
        journal: list[str] = self._ctx.data.setdefault(_JOURNAL, [])
        if sum(len(each.encode("utf-8", "replace")) + 1 for each in journal) > JOURNAL_LIMIT:
            del journal[: len(journal) // 2]
        journal.append(line)


class Often:
    """Says which of many occurrences are told, so that ten thousand are some twenty events."""

    def __init__(self) -> None:
        self._count = 0

    def told(self, word: str) -> str:
        """Count one more.

        Returns:
            The word that tells it, with its number where some were left out; empty when it is not told.
        """
        self._count += 1
        if self._count <= EACH:
            return word
        return f"{word}:{self._count}" if self._count & (self._count - 1) == 0 else ""


def recover(ctx: Context) -> None:
    """Tell of what a process that has died left open; to be called by whatever starts a process."""
    pid = ctx.system.processes.start(ctx.package)
    if ctx.data.get(_PROCESS) == pid:
        return
    ctx.data[_PROCESS] = pid
    tokens: list[str] = ctx.data.pop(_OPEN, [])
    for token in tokens:
        Teller(ctx, token).tell(KILLED)


def token_of(extras: Mapping[str, Any]) -> str:
    """The token as it is told: cut to its longest length, empty where none was given."""
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
"""The events that were told: those of a token, or without one all that are kept."""

"""Telling events: to logcat under one tag and to a journal, one JSON object a line, numbered by token.

The journal is for when logcat was trimmed: a content provider gives its lines, oldest first, in the column
``event``. When it has grown past its limit its older half is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.framework import Context, Provider, Rows

TAG = "GaraBench"
MAX_TOKEN = 200
_MOST_TOLD = 200
_LAST_WORDS = ("pressed", "dismissed", "error", "progress_done")
_BEFORE = "posted"
_JOURNAL = "journal"
JOURNAL_LIMIT = 256 * 1024
"""Bytes past which the journal's older half is dropped."""


class Teller:
    """Writes the events of one token, numbered from 1; the number outlives the process."""

    def __init__(self, ctx: Context, token: str) -> None:
        self._ctx = ctx
        self.token = token

    @property
    def begun(self) -> bool:
        """Whether a window was told of and its last word was not: the process had died in between."""
        return self._told.get(self.token, (0, True))[1] is False

    @property
    def _told(self) -> dict[str, tuple[int, bool]]:
        told: dict[str, tuple[int, bool]] = self._ctx.data.setdefault("told", {})
        return told

    def tell(self, event: str) -> None:
        """Write one line to logcat and to the journal."""
        told = self._told
        seq = told.pop(self.token, (0, True))[0] + 1
        over = event == _BEFORE or event.partition(":")[0] in _LAST_WORDS
        told[self.token] = (seq, over)
        if len(told) > _MOST_TOLD:
            del told[next(iter(told))]
        line = line_of(self.token, seq, event)
        self._ctx.log(TAG, line)
        self._keep(line)

    def _keep(self, line: str) -> None:
        journal: list[str] = self._ctx.data.setdefault(_JOURNAL, [])
        if sum(len(each.encode("utf-8", "replace")) + 1 for each in journal) > JOURNAL_LIMIT:
            del journal[: len(journal) // 2]
        journal.append(line)


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

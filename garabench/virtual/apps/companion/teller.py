"""Telling events: to logcat under one tag, one JSON object a line, numbered by token."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.framework import Context

TAG = "GaraBench"
MAX_TOKEN = 200
_MOST_TOLD = 200
_LAST_WORDS = ("pressed", "dismissed", "error", "progress_done")
_BEFORE = "posted"


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
        """Write one line to logcat."""
        told = self._told
        seq = told.pop(self.token, (0, True))[0] + 1
        over = event == _BEFORE or event.partition(":")[0] in _LAST_WORDS
        told[self.token] = (seq, over)
        if len(told) > _MOST_TOLD:
            del told[next(iter(told))]
        line = {"token": self.token, "seq": seq, "event": event}
        self._ctx.log(TAG, json.dumps(line, separators=(",", ":")))


def token_of(extras: Mapping[str, Any]) -> str:
    """The token as it is told: cut to its longest length, empty where none was given."""
    token = extras.get("token", "")
    return token[:MAX_TOKEN] if isinstance(token, str) else ""

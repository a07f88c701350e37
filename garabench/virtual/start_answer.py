"""The first line that a phone's process prints: its addresses, or why it did not start."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.errors import HarnessError, InputError

_MAX_REASON = 300


def read_start_answer(line: str, status: int | None, log: str) -> Mapping[str, Any]:
    """Return the addresses of a phone that has started.

    Args:
        line: The first line of its standard output; empty if it ended before.
        status: The exit status of its process; None while it is running.
        log: What it has written to standard error.

    Raises:
        InputError: An app or the profile is wrong.
        HarnessError: It ended without an answer.
    """
    if not line:
        last = next((row for row in reversed(log.splitlines()) if row.strip()), "")
        reason = last.strip()[:_MAX_REASON] or f"its process ended with status {status}"
        raise HarnessError(f"the virtual phone did not start: {reason}")
    answer: Mapping[str, Any] = json.loads(line)
    if "error" in answer:
        raise InputError(str(answer["error"]))
    return answer

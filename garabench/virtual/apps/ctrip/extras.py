"""Parse the extras of an intent. Anyone may send one, so they are validated."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

_FURTHEST = dt.timedelta(days=366)


def number(extras: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    """Return an integer within limits; the default if it is invalid."""
    value = extras.get(name, default)
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdecimal() and len(value) < 9 else default
    if not isinstance(value, int | float) or value != value:
        return default
    return int(min(high, max(low, value)))


def day(extras: Mapping[str, Any], name: str, today: dt.date) -> dt.date | None:
    """Return a date given as 2024-06-05, at most a year from today; None if it is invalid or past."""
    try:
        found = dt.date.fromisoformat(str(extras.get(name, "")))
    except ValueError:
        return None
    return found if today <= found <= today + _FURTHEST else None


def flag(extras: Mapping[str, Any], name: str) -> bool:
    """Return a boolean extra: true, or a text that means true."""
    value = extras.get(name, False)
    return value.casefold() in ("true", "1") if isinstance(value, str) else bool(value)

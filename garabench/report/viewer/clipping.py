"""Shorten texts of devices and models, which may be megabytes long, before they are sent to a page."""

from __future__ import annotations

from typing import Any

MAX_TEXT = 2_000
"""Longest text of a device in characters; a page shows longer ones with their length."""


def clip(text: str, limit: int = MAX_TEXT) -> str:
    """Return a text, or its beginning and its length if it is longer than a limit."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text):,} characters)"


def clip_all(value: Any, limit: int = MAX_TEXT) -> Any:
    """Return JSON-compatible data with every text clipped."""
    if isinstance(value, str):
        return clip(value, limit)
    if isinstance(value, dict):
        return {clip(str(key), limit): clip_all(each, limit) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [clip_all(each, limit) for each in value]
    return value

"""Decode the errors of Google's endpoints (`google.rpc.Status`).

The OpenAI-compatible endpoint wraps an error in a list: ``[{"error": {...}}]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def inner(body: object) -> object:
    """Return the ``error`` object of a reply, unwrapped from its list and object; else the unchanged body."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        return body["error"]
    return body


def details(body: object) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in an error's ``details``."""
    error = inner(body)
    listed = error.get("details") if isinstance(error, dict) else None
    for detail in listed if isinstance(listed, list) else ():
        if isinstance(detail, dict):
            yield detail


def reasons(body: object) -> str:
    """Return the reasons in an error's ``google.rpc.ErrorInfo``, such as ``API_KEY_INVALID``, joined."""
    return " ".join(reason for detail in details(body) if isinstance(reason := detail.get("reason"), str))

"""Serialize values as models write them."""

from __future__ import annotations

import json
from typing import Any


def compact(value: Any) -> str:
    """Encode JSON without spaces or ASCII escapes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_string(text: str) -> str:
    """Return a text in double quotes, escaped as in JSON."""
    return json.dumps(text, ensure_ascii=False)

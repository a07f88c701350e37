"""Texts from devices, models and users made safe to show: no invisible characters, no megabytes.

Templates escape HTML. This module deals with what escaping does not cover: control characters, overrides of
the writing direction, unpaired surrogates, and texts that are far too long.
"""

from __future__ import annotations

import re

MAX_CHARACTERS = 2_000
"""Longer texts are shortened on pages; records have all of them."""
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters, except tab and line ends
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # direction marks, zero width
    "\ud800-\udfff]"  # unpaired surrogates, which UTF-8 cannot encode
)


def display_text(text: str, limit: int = MAX_CHARACTERS) -> str:
    """Return a text with invisible characters named, such as ``‹U+202E›``, and shortened to a limit.

    Args:
        text: Any text.
        limit: Maximum number of its characters; what is cut off is stated.
    """
    shown = _INVISIBLE.sub(lambda found: f"‹U+{ord(found[0]):04X}›", text[:limit])
    return shown if len(text) <= limit else f"{shown}… ({len(text):,} characters)"


def short_label(text: str, limit: int = 48) -> str:
    """Return a text as a label on one line, with its middle cut out if it is long."""
    line = display_text(" ".join(text[: limit * 8].split()), limit * 8)
    if len(line) <= limit and len(text) <= limit * 8:
        return line
    tail = limit // 3
    return f"{line[: limit - tail - 1]}…{line[-tail:]}"

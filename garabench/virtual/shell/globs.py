"""Shell patterns (``* ? […]``) as regular expressions."""

from __future__ import annotations

import functools
import re

_MAGIC = frozenset("*?[")
_CLASSES = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
}

Segments = tuple[tuple[str, bool], ...]
"""Pieces of text, each quoted or not; a quoted piece is literal."""


def is_pattern(segments: Segments) -> bool:
    """Return whether an unquoted piece contains a wildcard."""
    return any(not quoted and _MAGIC & set(text) for text, quoted in segments)


@functools.lru_cache(maxsize=512)
def regex(segments: Segments, *, path: bool = False) -> re.Pattern[str]:
    """Compile a pattern to a regular expression; with `path` a star does not match a slash."""
    return re.compile(source(segments, path=path), re.DOTALL)


def source(segments: Segments, *, path: bool = False) -> str:
    """Return the source of the regular expression."""
    text = "".join(piece for piece, _ in segments)
    quoted = [flag for piece, flag in segments for _ in piece]
    found, at = "", 0
    any_letter = "[^/]" if path else "."
    while at < len(text):
        char = text[at]
        if quoted[at] or char not in _MAGIC:
            found += re.escape(char)
            at += 1
        elif char == "*":
            found += f"{any_letter}*"
            at += 1
        elif char == "?":
            found += any_letter
            at += 1
        else:
            piece, at = _bracket(text, at)
            found += piece
    return found


def _bracket(text: str, at: int) -> tuple[str, int]:
    start = at + 1
    negated = text[start : start + 1] in ("!", "^")
    inner = start + negated
    end = text.find("]", inner + 1)
    while end > 0 and text[inner:end].count("[:") > text[inner : end + 1].count(":]"):
        end = text.find("]", end + 1)
    if end < 0:
        return re.escape("["), at + 1
    body, at = "", inner
    while at < end:
        match = re.compile(r"\[:(\w+):\]").match(text, at)
        if match and match[1] in _CLASSES:
            body += _CLASSES[match[1]]
            at = match.end()
        else:
            char = text[at]
            body += char if char == "-" and inner < at < end - 1 else re.escape(char)
            at += 1
    try:
        re.compile(f"[{body}]")
    except re.error:
        return r"(?!)", end + 1  # a reversed range matches nothing
    return f"[{'^' if negated else ''}{body}]", end + 1

"""Shell patterns (``* ? […]``) as regular expressions."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

_MAGIC = frozenset("*?[")
_EXTENDED = re.compile(r"[@!+]\(")
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
    return any(not quoted and (_MAGIC & set(text) or _EXTENDED.search(text)) for text, quoted in segments)


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
        end = _end_of_extended(text, quoted, at)
        if end is not None:
            found += _extended(segments, text, quoted, at, end, path=path)
            if char == "!":
                return found
            at = end + 1
        elif quoted[at] or char not in _MAGIC:
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


def _end_of_extended(text: str, quoted: Sequence[bool], at: int) -> int | None:
    """Return where ``@(…)`` or its like ends that starts here, or None."""
    if quoted[at] or text[at] not in "@!+*?" or not text.startswith("(", at + 1) or quoted[at + 1]:
        return None
    depth = 0
    for index in range(at + 1, len(text)):
        if not quoted[index]:
            depth += (text[index] == "(") - (text[index] == ")")
            if depth == 0:
                return index
    return None


def _extended(segments: Segments, text: str, quoted: Sequence[bool], at: int, end: int, *, path: bool) -> str:
    """Return the regular expression of ``@(a|b)`` and its like (``mksh.1``: File name patterns)."""
    alternatives: list[list[tuple[str, bool]]] = [[]]
    depth = 0
    for index in range(at + 2, end):
        char, plain = text[index], not quoted[index]
        depth += plain * ((char == "(") - (char == ")"))
        if char == "|" and plain and depth == 0:
            alternatives.append([])
        else:
            alternatives[-1].append((char, quoted[index]))
    choice = "(?:" + "|".join(source(tuple(each), path=path) for each in alternatives) + ")"
    match text[at]:
        case "@":
            return choice
        case "!":
            rest = source(tuple(zip(text[end + 1 :], quoted[end + 1 :], strict=True)), path=path)
            return f"(?!{choice}{rest}\\Z){'[^/]' if path else '.'}*{rest}"
        case operator:
            return choice + operator


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

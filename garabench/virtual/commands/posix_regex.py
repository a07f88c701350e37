"""Translation of POSIX regular expressions, basic and extended, to Python's."""

from __future__ import annotations

import re

from garabench.virtual.commands.toybox_options import UsageError

MAX_LENGTH = 2000
_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": " \\t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
    "print": " -~",
}
_SPECIAL = frozenset("(){}+?|")
_NESTED = re.compile(r"\([^()]*[*+][^()]*\)\s*[*+{]")


def compile_posix(text: str, *, extended: bool, ignore_case: bool = False) -> re.Pattern[str]:
    """Compile a POSIX expression.

    Raises:
        UsageError: It is invalid, too long, or could take exponential time.
    """
    if len(text) > MAX_LENGTH:
        raise UsageError("regular expression too long")
    source = _translate(text, extended=extended)
    if _NESTED.search(source):
        raise UsageError("regular expression too complex")
    try:
        return re.compile(source, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise UsageError(f"bad REGEX '{text}': {error}") from error


def _translate(text: str, *, extended: bool) -> str:
    found, at = "", 0
    while at < len(text):
        char = text[at]
        if char == "[":
            piece, at = _bracket(text, at)
            found += piece
            continue
        if char == "\\" and at + 1 < len(text):
            following = text[at + 1]
            at += 2
            if following in _SPECIAL:
                found += "\\" + following if extended else following
            elif following == "<":
                found += r"\b(?=\w)"
            elif following == ">":
                found += r"\b(?<=\w)"
            elif following in "wWsSbBdn" or following.isdigit():
                found += "\\" + following
            else:
                found += re.escape(following)
            continue
        if char in _SPECIAL:
            found += char if extended else "\\" + char
        elif char == "*" and (not found or found[-1] in "(|" or found == "^") and not found.endswith("\\("):
            found += "\\*"
        elif char == "^":
            first = not found or found[-1:] in ("(", "|")
            found += "^" if first or extended else "\\^"
        elif char == "$":
            last = (
                at + 1 == len(text) or text[at + 1 : at + 2] in (")", "|") or text.startswith("\\)", at + 1)
            )
            found += r"(?=\n?\Z)" if last or extended else "\\$"
        elif char in ".*":
            found += char
        else:
            found += re.escape(char)
        at += 1
    return found


def _bracket(text: str, at: int) -> tuple[str, int]:
    start = at + 1
    negated = text[start : start + 1] == "^"
    at = start + negated
    body, first = "", True
    while at < len(text) and (first or text[at] != "]"):
        match = re.compile(r"\[:(\w+):\]").match(text, at)
        if match:
            if match[1] not in _CLASSES:
                raise UsageError(f"bad class {match[1]}")
            body += _CLASSES[match[1]]
            at = match.end()
        else:
            char = text[at]
            edge = first or text[at + 1 : at + 2] == "]"
            body += char if char == "-" and not edge else re.escape(char)
            at += 1
        first = False
    if at >= len(text):
        raise UsageError(f"bad REGEX '{text}': unmatched [")
    return f"[{'^' if negated else ''}{body}]", at + 1

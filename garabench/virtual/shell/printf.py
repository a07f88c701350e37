"""``printf`` and the escapes of ``echo -e``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from garabench.virtual.shell.arithmetic import ShellArithmeticError, number

_SPEC = re.compile(r"%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?([a-zA-Z%])")
_ESCAPES = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
}
_MAX_WIDTH = 10_000
_MAX_ROUNDS = 100_000


class PrintfFormatError(ValueError):
    """The format is invalid."""


def _byte(value: int) -> str:
    """Decode a byte with ``surrogateescape``, so that non-UTF-8 bytes round-trip."""
    return bytes([value]).decode("utf-8", errors="surrogateescape")


def process_escapes(text: str, *, zero: bool = True) -> tuple[str, bool]:
    r"""Process backslash escapes; return the text and whether ``\c`` ended it."""
    found, at = "", 0
    while at < len(text):
        if text[at] != "\\" or at + 1 == len(text):
            found += text[at]
            at += 1
            continue
        char = text[at + 1]
        if char == "c":
            return found, True
        if char in _ESCAPES:
            found += _ESCAPES[char]
            at += 2
        elif char == "x" and (digits := re.compile(r"[0-9a-fA-F]{1,2}").match(text, at + 2)):
            found += _byte(int(digits[0], 16))
            at = digits.end()
        elif octal := re.compile(r"0[0-7]{0,3}" if zero else r"[0-7]{1,3}").match(text, at + 1):
            found += _byte(int(octal[0], 8) & 255)
            at = octal.end()
        else:
            found += "\\" + char
            at += 2
    return found, False


def format_arguments(form: str, arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Format arguments; return the text and the errors in the arguments.

    The format is reused while arguments are left.

    Raises:
        PrintfFormatError: The format is invalid.
    """
    remaining = list(arguments)
    text, problems = "", list[str]()
    for _ in range(_MAX_ROUNDS):
        count = len(remaining)
        piece, cut = _format_once(form, remaining, problems)
        text += piece
        if cut or not remaining or len(remaining) == count:
            break
    return text, problems


def _format_once(form: str, remaining: list[str], problems: list[str]) -> tuple[str, bool]:
    text, at = "", 0
    while at < len(form):
        if form[at] == "%":
            match = _SPEC.match(form, at)
            if match is None:
                raise PrintfFormatError(f"{form[at:]}: invalid format")
            piece, cut = _convert(match, remaining, problems)
            text += piece
            if cut:
                return text, True
            at = match.end()
            continue
        end = form.find("%", at)
        end = len(form) if end < 0 else end
        piece, cut = process_escapes(form[at:end], zero=False)
        text += piece
        if cut:
            return text, True
        at = end
    return text, False


def _convert(match: re.Match[str], remaining: list[str], problems: list[str]) -> tuple[str, bool]:
    flags, width, precision, kind = match.groups()
    if kind == "%":
        return "%", False
    if width == "*":
        width = remaining.pop(0) if remaining else ""
    if precision == "*":
        precision = remaining.pop(0) if remaining else ""
    if (width or "0").lstrip("-").isdecimal() and abs(int(width or 0)) > _MAX_WIDTH:
        raise PrintfFormatError(f"{width}: field too wide")
    argument = remaining.pop(0) if remaining else ""
    shown = "%" + flags + (width or "") + (f".{precision}" if precision is not None else "")
    match kind:
        case "s":
            return (shown + "s") % argument, False
        case "b":
            value, cut = process_escapes(argument)
            return (shown + "s") % value, cut
        case "c":
            return (shown + "s") % argument[:1], False
        case "d" | "i" | "u" | "o" | "x" | "X":
            value_of = _number(argument, problems)
            return (shown + ("d" if kind in "iu" else kind)) % value_of, False
        case "f" | "e" | "g" | "E" | "G":
            try:
                real = float(argument or 0)
            except ValueError:
                problems.append(f"{argument}: expected numeric value")
                real = 0.0
            return (shown + kind) % real, False
    raise PrintfFormatError(f"%{kind}: invalid format")


def _number(text: str, problems: list[str]) -> int:
    if text[:1] in ("'", '"'):
        return ord(text[1]) if len(text) > 1 else 0
    try:
        return number(text)
    except ShellArithmeticError:
        problems.append(f"{text}: expected numeric value")
        digits = re.match(r"\s*[-+]?\d+", text)
        return int(digits[0]) if digits else 0

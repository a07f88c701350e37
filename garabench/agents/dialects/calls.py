"""Read calls such as ``click(start_box='(197,525)')`` out of a reply, by a reader of our own: no ``eval``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.dialects.jsonish import QUOTES, read_value
from garabench.agents.dialects.quotes import is_apostrophe, read_argument
from garabench.agents.dialects.reply import Flaw, Malformed, shown

_CALL = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*+)\s*+[(（]")
_WORD = re.compile(r"\w")
_END = re.compile(r"[\"'”’]\s*[)）]")
_FENCE = re.compile(r"^\s*```\w*|^\s*</?\w+>")
_ARGUMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*")
_BARE = re.compile(r"[^,，()（）\n]+")
_GOES_ON = re.compile(r"\s*(?:[,，)）]|$)|\s+[A-Za-z_]\w*\s*=")
_POINT = re.compile(r"\s*<point>([^<]*)</point>|\s*<\|box_start\|>([^<]*)<\|box_end\|>")


@dataclass(frozen=True, slots=True)
class Call:
    """A verb and its arguments, of whichever syntax.

    Attributes:
        verb: The action's name, as the model wrote it.
        arguments: By name.
        unnamed: Those without a name, in order.
    """

    verb: str
    arguments: dict[str, Any] = field(default_factory=dict)
    unnamed: tuple[Any, ...] = ()


def read_calls(text: str, another: re.Pattern[str]) -> tuple[Call, ...]:
    """The calls that stand one after another in a text, with only spaces, commas or semicolons between.

    Args:
        text: What has to be a call; words behind it do not matter, words before it do: they may deny it.
        another: What is another action where it stands behind the calls, whatever the words between.

    Raises:
        Malformed: There is none, one breaks off, or there are words before or between.
    """
    found: list[Call] = []
    at = 0
    while (match := _CALL.search(text, at)) is not None:
        between = text[at : match.start()]
        if found and between.strip(" \t\r\n;；,，"):
            break
        if not found and _WORD.search(_FENCE.sub("", between)):
            raise Malformed(Flaw.NO_ACTION, f"words stand before the call: {shown(between.strip())}")
        call, at = _read_call(text, match)
        for value in (*call.arguments.values(), *call.unnamed):
            if isinstance(value, str) and (end := _END.search(value)) and another.search(value, end.end()):
                raise Malformed(Flaw.SEVERAL_ACTIONS, "a text holds the end of a call and another call")
        found.append(call)
    if not found:
        raise Malformed(Flaw.NO_ACTION, "no call such as name(…) stands there")
    if (more := another.search(text, at)) is not None:
        raise Malformed(Flaw.SEVERAL_ACTIONS, f"{more.group()} stands behind another action; write one")
    return tuple(found)


def _read_call(text: str, match: re.Match[str]) -> tuple[Call, int]:
    arguments: dict[str, Any] = {}
    unnamed: list[Any] = []
    at = match.end()
    while True:
        while at < len(text) and text[at] in " \t\r\n,，":
            at += 1
        if at >= len(text):
            raise Malformed(Flaw.CUT_OFF, f"the call of {match.group(1)} breaks off")
        if text[at] in ")）":
            return Call(match.group(1), arguments, tuple(unnamed)), at + 1
        named = _ARGUMENT.match(text, at)
        if named is None and arguments:
            raise Malformed(Flaw.BAD_ARGUMENT, f"behind the arguments stands {text[at : at + 12]!r}")
        value, at = _argument(text, named.end() if named else at, named is not None)
        if _GOES_ON.match(text, at) is None:
            raise Malformed(Flaw.BAD_ARGUMENT, f"behind an argument stands {text[at : at + 12]!r}")
        if named is None:
            unnamed.append(value)
        elif named.group(1) in arguments:
            raise Malformed(Flaw.SEVERAL_ACTIONS, f"the argument {named.group(1)!r} stands twice")
        else:
            arguments[named.group(1)] = value


def _argument(text: str, at: int, named: bool) -> tuple[Any, int]:
    if at >= len(text):
        raise Malformed(Flaw.CUT_OFF, "the call breaks off")
    if text[at] in "\"'“‘":
        return read_argument(text, at, named)
    if (point := _POINT.match(text, at)) is not None:
        return point.group(1) or point.group(2), point.end()
    if text[at] in "([（":
        return _group(text, at)
    if text[at] == "{":
        return read_value(text, at)
    bare = _BARE.match(text, at)
    if bare is None:
        raise Malformed(Flaw.BAD_ARGUMENT, f"no value begins with {text[at : at + 12]!r}")
    word = bare.group().strip()
    if any(char in QUOTES and not is_apostrophe(word, place) for place, char in enumerate(word)):
        raise Malformed(Flaw.BAD_ARGUMENT, f"a quote stands within {shown(word)}")
    return _plain(word), bare.end()


def _group(text: str, at: int) -> tuple[list[Any], int]:
    """A list in square or round brackets, as the coordinates ``[x, y]`` and ``(x, y)``."""
    if text[at] == "[":
        value, end = read_value(text, at)
        return value, end
    closing = re.compile(r"[)）]").search(text, at)
    if closing is None:
        raise Malformed(Flaw.CUT_OFF, "the call breaks off")
    value, _ = read_value(f"[{text[at + 1 : closing.start()]}]", 0)
    return value, closing.end()


def _plain(word: str) -> Any:
    """A word without quotes: a number or a name such as ``true``; else itself."""
    try:
        value, end = read_value(word, 0)
    except Malformed:
        return word
    return value if end == len(word) else word

"""Parse calls such as ``click(start_box='(197,525)')`` in a reply, without ``eval``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from garabench.agents.dialects.lenient_json import QUOTES, read_value
from garabench.agents.dialects.quoted_arguments import is_apostrophe, read_argument
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr

_CALL = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*+)\s*+[(（]")
_WORD = re.compile(r"\w")
_END = re.compile(r"[\"'”’]\s*[)）]")
_FENCE = re.compile(r"^\s*```\w*|^\s*</?\w+>")
_ARGUMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*")
_BARE = re.compile(r"[^,，()（）\n]+")
_GOES_ON = re.compile(r"\s*(?:[,，)）]|$)|\s+[A-Za-z_]\w*\s*=")
_POINT = re.compile(r"\s*<point>([^<]*)</point>|\s*<\|box_start\|>([^<]*)<\|box_end\|>")


@dataclass(frozen=True, slots=True)
class ActionCall:
    """A verb and its arguments, in any syntax.

    Attributes:
        verb: The action's name, as the model wrote it.
        arguments: The named arguments.
        unnamed: The positional arguments, in order.
    """

    verb: str
    arguments: dict[str, Any] = field(default_factory=dict)
    unnamed: tuple[Any, ...] = ()


def read_calls(text: str, another: re.Pattern[str]) -> tuple[ActionCall, ...]:
    """Parse consecutive calls, separated only by spaces, commas or semicolons.

    Args:
        text: The text. Words after the calls are ignored; words before them are an error, as they may negate
            the call.
        another: Pattern of another action, which is an error anywhere after the calls.

    Raises:
        MalformedReplyError: There is no call, a call is cut off, or there are words before a call.
    """
    found: list[ActionCall] = []
    at = 0
    while (match := _CALL.search(text, at)) is not None:
        between = text[at : match.start()]
        if found and between.strip(" \t\r\n;；,，"):
            break
        if not found and _WORD.search(_FENCE.sub("", between)):
            raise MalformedReplyError(
                ReplyFlaw.NO_ACTION, f"text before the call: {short_repr(between.strip())}"
            )
        call, at = _read_call(text, match)
        for value in (*call.arguments.values(), *call.unnamed):
            if isinstance(value, str) and (end := _END.search(value)) and another.search(value, end.end()):
                raise MalformedReplyError(
                    ReplyFlaw.SEVERAL_ACTIONS, "an argument contains the end of a call and another call"
                )
        found.append(call)
    if not found:
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "expected a call such as name(…)")
    if (more := another.search(text, at)) is not None:
        raise MalformedReplyError(
            ReplyFlaw.SEVERAL_ACTIONS, f"{more.group()} follows another action; write only one action"
        )
    return tuple(found)


def _read_call(text: str, match: re.Match[str]) -> tuple[ActionCall, int]:
    arguments: dict[str, Any] = {}
    unnamed: list[Any] = []
    at = match.end()
    while True:
        while at < len(text) and text[at] in " \t\r\n,，":
            at += 1
        if at >= len(text):
            raise MalformedReplyError(ReplyFlaw.CUT_OFF, f"the call of {match.group(1)} is cut off")
        if text[at] in ")）":
            return ActionCall(match.group(1), arguments, tuple(unnamed)), at + 1
        named = _ARGUMENT.match(text, at)
        if named is None and arguments:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"unexpected {text[at : at + 12]!r} after the arguments"
            )
        value, at = _argument(text, named.end() if named else at, named is not None)
        if _GOES_ON.match(text, at) is None:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"unexpected {text[at : at + 12]!r} after an argument"
            )
        if named is None:
            unnamed.append(value)
        elif named.group(1) in arguments:
            raise MalformedReplyError(ReplyFlaw.SEVERAL_ACTIONS, f"duplicate argument {named.group(1)!r}")
        else:
            arguments[named.group(1)] = value


def _argument(text: str, at: int, named: bool) -> tuple[Any, int]:
    if at >= len(text):
        raise MalformedReplyError(ReplyFlaw.CUT_OFF, "the call is cut off")
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
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"expected a value, found {text[at : at + 12]!r}")
    word = bare.group().strip()
    if any(char in QUOTES and not is_apostrophe(word, place) for place, char in enumerate(word)):
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"unexpected quote in {short_repr(word)}")
    return _plain(word), bare.end()


def _group(text: str, at: int) -> tuple[list[Any], int]:
    """Parse a list in square or round brackets, such as the coordinates ``[x, y]`` and ``(x, y)``."""
    if text[at] == "[":
        value, end = read_value(text, at)
        return value, end
    closing = re.compile(r"[)）]").search(text, at)
    if closing is None:
        raise MalformedReplyError(ReplyFlaw.CUT_OFF, "the call is cut off")
    value, _ = read_value(f"[{text[at + 1 : closing.start()]}]", 0)
    return value, closing.end()


def _plain(word: str) -> Any:
    """Convert an unquoted word to a number or constant such as ``true``, or return it as is."""
    try:
        value, end = read_value(word, 0)
    except MalformedReplyError:
        return word
    return value if end == len(word) else word

"""Find the end of a quoted argument whose text contains unescaped quotes.

Models forget to escape them: ``type(content='it's fine')``, ``text="say "hi""``. The argument ends at a
quote that is followed by the next argument or by the closing bracket. Other quotes are part of the text. An
ambiguous call is rejected, never truncated.
"""

from __future__ import annotations

import re

from garabench.agents.dialects.lenient_json import QUOTES, read_escape
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw

_NEXT_NAMED = re.compile(r"\s*[,，]\s*[A-Za-z_]\w*\s*=(?!=)")
_NEXT_UNNAMED = re.compile(r"\s*[,，]\s*(?:[\"'“‘]|-?\d)")
_CLOSED = re.compile(r"\s*(?:[,，]\s*)?[)）]")
_CALL_ENDS = re.compile(r"[ \t]*(?:$|[\r\n<`]|(?:[;；,，][ \t]*)?[A-Za-z_]\w*[ \t]*[(（])")
_JOINED = re.compile(r"\s*\+|\s+[\"'“‘]")
_ARGUMENT_BEGINS = re.compile(r"[,，]\s*[A-Za-z_]\w*\s*=\s*$")
_MAX_NAME_LENGTH = 60


def read_argument(text: str, start: int, named: bool) -> tuple[str, int]:
    """Read a quoted argument of a call.

    Args:
        text: The reply.
        start: Index of its opening quote.
        named: Whether it has a name; an unnamed argument may be followed by other unnamed ones.

    Returns:
        The text with its escapes decoded, and the index of its end.

    Raises:
        MalformedReplyError: The argument is truncated, or its end is ambiguous.
    """
    opening, closing = text[start], QUOTES[text[start]]
    parts: list[str] = []
    within = False  # whether a quotation within the text is open
    quotes = 0
    at = start + 1
    while at < len(text):
        char = text[at]
        if char == "\\":
            piece, at = read_escape(text, at + 1)
            parts.append(piece)
            continue
        if char == closing and not is_apostrophe(text, at):
            if _ends(text, at, named, quotes):
                if within and text.find(closing, at + 1) >= 0:
                    raise _ambiguous(text, at)
                return "".join(parts), at + 1
            if _ARGUMENT_BEGINS.search(text[max(start, at - _MAX_NAME_LENGTH) : at]):
                raise _ambiguous(text, at)
            if not within and (
                _JOINED.match(text, at + 1) or (not quotes and _NEXT_UNNAMED.match(text, at + 1))
            ):
                raise _ambiguous(text, at)
            quotes += 1
            within = not within if opening == closing else False
        elif char == opening and opening != closing:
            quotes += 1
            within = True
        parts.append(char)
        at += 1
    if quotes:
        raise _ambiguous(text, start)
    raise MalformedReplyError(ReplyFlaw.CUT_OFF, "the call is cut off within a string")


def _ends(text: str, at: int, named: bool, quotes: int) -> bool:
    """Return whether a quote ends the argument: the call continues or closes after it."""
    after = at + 1
    if _NEXT_NAMED.match(text, after):
        return True
    if not named and not quotes and _NEXT_UNNAMED.match(text, after):
        return True
    closed = _CLOSED.match(text, after)
    if closed is None:
        return False
    # text after the call is ignored unless it may be the rest of the string
    return bool(_CALL_ENDS.match(text, closed.end())) or (
        not quotes and text.find(text[at], closed.end()) < 0
    )


def is_apostrophe(text: str, at: int) -> bool:
    """Return whether a single quote is inside a word, as in "it's"; Chinese words contain none."""
    if not at or text[at] not in "'’" or at + 1 >= len(text):
        return False
    return all(char.isalnum() and char < "\u2000" for char in (text[at - 1], text[at + 1]))


def _ambiguous(text: str, at: int) -> MalformedReplyError:
    return MalformedReplyError(
        ReplyFlaw.BAD_ARGUMENT,
        f"ambiguous end of a string near {text[at : at + 12]!r}; write \\ before quotes inside it",
    )

"""Separate a reply's thought from its action: an action quoted in a thought does not count.

Reasoning models think between ``<think>`` and ``</think>``; servers may omit the opening tag, and a reply may
end within the thought. What follows the thought is the reply. A thought without a closing tag contains no
action, unless a section follows that only actions have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw

_OPENS = re.compile(r"<think(?:ing)?>")
_CLOSES = re.compile(r"</think(?:ing)?>")
_MAY_ACT = re.compile(r"[{(（]|\bFINISH\b")
_SECTION = re.compile(
    r"<answer>|<tool_call>|<\|begin_of_box\|>|^[ \t*]*Action[ \t]*[:：]|^[ \t]*#{2,3}[ \t]*Action\b",
    re.MULTILINE,
)
_ENDED = re.compile(
    r"</tool_call>|</answer>|<\|end_of_box\|>|^[ \t*]*Action[ \t]*[:：][^\n]*[)）}\w][ \t*`]*\r?\n",
    re.MULTILINE,
)
_TAG = re.compile(r"<[^<>\s]{1,40}>")
_LETTER = re.compile(r"[^\W\d_]")
_REST = re.compile(r"[\s`]*")


def split(text: str) -> tuple[str, str]:
    """Split a reply into the thought between tags and what follows it, without the tags.

    Raises:
        MalformedReplyError: The reply ends within the thought.
    """
    thoughts: list[str] = []
    at = 0
    while (opens := _opening(text, at)) is not None:
        closes = _CLOSES.search(text, opens.end())
        if closes is None:
            section = _SECTION.search(text, opens.end())
            if section is None:
                raise MalformedReplyError(
                    ReplyFlaw.NO_ACTION, "the reply ends within its thought; no action follows it"
                )
            thoughts += [text[at : opens.start()], text[opens.end() : section.start()]]
            return _joined(thoughts), text[section.start() :]
        thoughts += [text[at : opens.start()], text[opens.end() : closes.start()]]
        at = closes.end()
    rest = text[at:]
    closes = _CLOSES.search(rest)
    opened = closes is not None and _OPENS.search(rest, 0, closes.start()) is not None
    if closes is not None and not opened and _MAY_ACT.search(rest, closes.end()):
        thoughts.append(rest[: closes.start()])
        rest = rest[closes.end() :]
    return _joined(thoughts), rest


def ended(text: str) -> str | None:
    """Return the part of a truncated reply up to the end of its last complete action; None if there is none.

    An action ends with a closing tag, or with the newline after ``Action: …``, but not within a thought.
    """
    opens = list(_OPENS.finditer(text))
    if opens and _CLOSES.search(text, opens[-1].end()) is None:
        return None
    ends = list(_ENDED.finditer(text))
    return text[: ends[-1].end()] if ends else None


def is_alone(text: str, found: Sequence[tuple[dict[str, Any], int, int]]) -> bool:
    """Return whether the objects found in a text end it and begin on a separate line."""
    if not found:
        return False
    first, last = found[0][1], found[-1][2]
    begins = text.rfind("\n", 0, first) + 1
    return not text[begins:first].strip(" \t`") and _REST.fullmatch(text, last) is not None


def check_nothing_follows(text: str, found: Sequence[tuple[dict[str, Any], int, int]]) -> None:
    """Check that no words follow the objects found, for replies that must be a single object.

    Brackets, fences, punctuation and a server's tags such as ``<|im_end|>`` do not count as words.

    Raises:
        MalformedReplyError: There are words, which may negate the action.
    """
    if found and _LETTER.search(_TAG.sub("", text[found[-1][2] :])):
        raise MalformedReplyError(
            ReplyFlaw.NO_ACTION,
            "unexpected text after the action, which may negate it; write the action last",
        )


def _opening(text: str, at: int) -> re.Match[str] | None:
    """Return the tag that opens a thought; one after a bracket may be part of the typed text."""
    opens = _OPENS.search(text, at)
    if opens is None or _MAY_ACT.search(text, at, opens.start()):
        return None
    return opens


def _joined(thoughts: Sequence[str]) -> str:
    return "\n".join(part.strip() for part in thoughts if part.strip())

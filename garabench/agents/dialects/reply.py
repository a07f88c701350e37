"""The result of parsing a reply: an action, or the reason why it was rejected."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from garabench.core.action import Action

MAX_REPLY_LENGTH = 100_000
"""Maximum length of a reply with its thoughts, a hundred times the usual; longer replies are not parsed."""
_MAX_EXCERPT = 160


class ReplyFlaw(enum.StrEnum):
    """Why a reply is not an action."""

    EMPTY = "empty"
    NO_ACTION = "no-action"
    CUT_OFF = "cut-off"
    TOO_LONG = "too-long"
    SEVERAL_ACTIONS = "several-actions"
    UNKNOWN_ACTION = "unknown-action"
    BAD_ARGUMENT = "bad-argument"
    OFF_SCREEN = "off-screen"
    UNKNOWN_ELEMENT = "unknown-element"
    UNKNOWN_APP = "unknown-app"
    FILTERED = "filtered"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A reply that is an action.

    Attributes:
        action: The action, in device pixels.
        thought: What the model wrote besides the action.
    """

    action: Action
    thought: str = ""


@dataclass(frozen=True, slots=True)
class UnparsedReply:
    """A reply that is not an action, which is a failure of the agent.

    Attributes:
        flaw: Kind of flaw.
        reason: The reason, worded so that a model can correct its reply.
    """

    flaw: ReplyFlaw
    reason: str


ReplyResult = ParsedReply | UnparsedReply


class MalformedReplyError(Exception):
    """A reply is malformed; raised and handled within a dialect, which returns an `UnparsedReply`.

    Attributes:
        flaw: Kind of flaw.
        reason: The reason, worded so that a model can correct its reply.
    """

    def __init__(self, flaw: ReplyFlaw, reason: str) -> None:
        super().__init__(reason)
        self.flaw = flaw
        self.reason = reason


def short_repr(value: object) -> str:
    """Quote a value for a message, shortened and on one line."""
    text = repr(value)
    return text if len(text) <= _MAX_EXCERPT else f"{text[: _MAX_EXCERPT - 1]}…"

"""What became of a model's reply: an action, or the reason why it is none."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from garabench.core.action import Action

LONGEST_REPLY = 100_000
"""Characters of a reply, thoughts among them: a hundred times the usual. A longer one is not read at all."""
_MOST_SHOWN = 160


class Flaw(enum.StrEnum):
    """Why a reply is no action."""

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
class Parsed:
    """A reply that is an action.

    Attributes:
        action: In device pixels.
        thought: What the model wrote beside it.
    """

    action: Action
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A reply that is no action, which is the agent's own failure.

    Attributes:
        flaw: Of which kind.
        why: In words that a model can be told, to try again.
    """

    flaw: Flaw
    why: str


Reply = Parsed | Unparsed


class Malformed(Exception):
    """Raised within a dialect and turned into an `Unparsed` by it; never leaves this package.

    Attributes:
        flaw: Of which kind.
        why: In words.
    """

    def __init__(self, flaw: Flaw, why: str) -> None:
        super().__init__(why)
        self.flaw = flaw
        self.why = why


def shown(value: object) -> str:
    """A value of a reply as it is quoted in a message: short, on one line."""
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"

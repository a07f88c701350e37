"""Canonical actions: what an agent did, in a form that two agents share when they did the same."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

ARRIVAL = "interruption"
"""The kind of the step at which an interruption appears; it is not an action of the agent."""
ENDINGS = frozenset({"done", "give_up"})
"""The kinds of actions that end a trajectory; they change no screen."""
UNKNOWN = "?"
"""The target of a touch whose element is unknown, because the record has no tree."""
MAX_LITERAL = 120
"""A longer literal is shortened and made distinct by a hash."""
_UNRESOLVED = re.compile(r"(?:submit\+)?\?\w+")
_SPACE = re.compile(r"\s+")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True, order=True)
class CanonicalAction:
    """A canonical action.

    All fields but `wording` are exact: two actions that differ in one of them are never merged. Literals,
    such as a number, a name or the text of an element, are exact.

    Attributes:
        kind: ``tap``, ``type``, ``scroll`` and so on.
        place: Where: package and activity, or host and path.
        target: The element or key acted on; empty if there is none or it is unknown.
        argument: The text typed, the direction, the answer; texts from the instruction are slots.
        wording: Words of the agent that describe the action and hold no literal; compared by similarity.
    """

    kind: str
    place: str = ""
    target: str = ""
    argument: str = ""
    wording: str = ""

    @property
    def exact(self) -> tuple[str, str, str, str]:
        """The exact part of the key, by which actions are blocked."""
        return self.kind, self.place, self.target, self.argument

    @property
    def is_arrival(self) -> bool:
        """Whether an interruption appears here, instead of an agent acting."""
        return self.kind == ARRIVAL

    @property
    def is_ending(self) -> bool:
        """Whether the agent ends its trajectory here."""
        return self.kind in ENDINGS

    @property
    def is_unknown(self) -> bool:
        """Whether the element that it reached is unknown."""
        return self.target == UNKNOWN

    @property
    def is_unresolved(self) -> bool:
        """Whether an element is named by a number that no accessibility tree resolves."""
        return _UNRESOLVED.fullmatch(self.target) is not None

    @property
    def label(self) -> str:
        """A short text for people, without the place."""
        if self.is_arrival:
            return f"⚡ {self.target}"
        parts = [part for part in (self.target, self.argument, self.wording) if part]
        return f"{self.kind} {' · '.join(parts)}" if parts else self.kind

    @property
    def text(self) -> str:
        """The whole action as one text, as the paper compares it."""
        named = (("place", self.place), ("target", self.target), ("text", self.argument))
        parts = [f"{name}='{value}'" for name, value in named if value]
        return f"{self.kind}({', '.join([*parts, self.wording] if self.wording else parts)})"


def normalize_literal(text: str) -> str:
    """Return a text in the form in which literals are compared: NFKC, case-folded, one space between words.

    Control characters, directional overrides and unpaired surrogates are removed.
    """
    clean = _UNPRINTABLE.sub(" ", text)
    folded = _SPACE.sub(" ", unicodedata.normalize("NFKC", clean).casefold()).strip()
    if len(folded) <= MAX_LITERAL:
        return folded
    digest = hashlib.sha256(folded.encode()).hexdigest()[:8]
    return f"{folded[: MAX_LITERAL - 10]}…{digest}"

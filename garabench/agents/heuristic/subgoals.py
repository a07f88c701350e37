"""The subgoals of an instruction, as far as they can be read without knowing the app."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class SubgoalKind(enum.StrEnum):
    """What is to be done."""

    SEARCH = "search"
    """Type `Subgoal.text` into the search field and submit it."""
    FIND = "find"
    """Open what `Subgoal.names` says."""
    PICK = "pick"
    """Choose an option that is called so; it may hide in a filter, a menu or a sheet."""
    ACT = "act"
    """Press a control of the app, such as *like*; its names are synonyms."""
    SWITCH = "switch"
    """Put a switch or check box into the state of `Subgoal.on`."""
    TYPE = "type"
    """Type `Subgoal.text` into a field; `Subgoal.names` are what the way to the field may be called."""
    NAMED = "named"
    """Press what the page's heading names, again and again, until it names nothing more."""
    SYSTEM = "system"
    """Go to the phone's own settings."""
    RETURN = "return"
    """Come back to the app."""
    ANSWER = "answer"
    """Read something off the screen; `Subgoal.names` are the words of the question."""


class ListRank(enum.StrEnum):
    """Which one of a list is meant."""

    FIRST = "first"
    CHEAPEST = "cheapest"
    MOST = "most"


@dataclass(frozen=True, slots=True)
class Subgoal:
    """One thing to do.

    Attributes:
        kind: What.
        names: What it may be called on the screen, best first.
        near: Text next to it, such as the owner's name.
        text: What is to be typed.
        on: The state that a switch shall have.
        order: Which one of a list; then `names` may be empty.
        undo: The control takes back what it did before (unlike, unfollow).
        optional: It was guessed, and is passed over when it is not to be found.
    """

    kind: SubgoalKind
    names: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    text: str = ""
    on: bool = True
    order: ListRank | None = None
    undo: bool = False
    optional: bool = False

    def __str__(self) -> str:
        """For the agent's thoughts."""
        parts = [self.kind.value]
        if self.kind is SubgoalKind.SWITCH:
            parts.append("on" if self.on else "off")
        if self.order:
            parts.append(f"the {self.order.value}")
        parts += [repr(word) for word in ((self.text,) if self.text and not self.names else self.names[:1])]
        if self.near:
            parts.append("beside " + ", ".join(repr(word) for word in self.near))
        return " ".join(parts)

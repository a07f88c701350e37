"""The subgoals of an instruction, as far as they can be parsed without knowledge of the app."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class SubgoalKind(enum.StrEnum):
    """Kind of a subgoal."""

    SEARCH = "search"
    """Type `Subgoal.text` into the search field and submit it."""
    FIND = "find"
    """Open the item named by `Subgoal.names`."""
    PICK = "pick"
    """Choose the option named by `Subgoal.names`, possibly in a filter, a menu or a sheet."""
    ACT = "act"
    """Press a control of the app, such as *like*; its names are synonyms."""
    SWITCH = "switch"
    """Set a switch or check box to the state `Subgoal.on`."""
    TYPE = "type"
    """Type `Subgoal.text` into a field; `Subgoal.names` are labels of controls that lead to the field."""
    NAMED = "named"
    """Press the item that the page's heading names, repeatedly, until it names none."""
    SYSTEM = "system"
    """Open the phone's system settings."""
    RETURN = "return"
    """Return to the app."""
    ANSWER = "answer"
    """Read the answer from the screen; `Subgoal.names` are the words of the question."""


class ListRank(enum.StrEnum):
    """How an item of a list is selected."""

    FIRST = "first"
    CHEAPEST = "cheapest"
    MOST = "most"


@dataclass(frozen=True, slots=True)
class Subgoal:
    """A subgoal.

    Attributes:
        kind: Kind of subgoal.
        names: Possible labels on the screen, best first.
        near: Text next to it, such as the owner's name.
        text: The text to type.
        on: The state to which a switch is set.
        order: Rank in a list; then `names` may be empty.
        undo: Whether the control undoes an earlier action (unlike, unfollow).
        optional: Whether it is a guess, which is skipped if it is not found.
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
        """Describe it for the agent's thoughts."""
        parts = [self.kind.value]
        if self.kind is SubgoalKind.SWITCH:
            parts.append("on" if self.on else "off")
        if self.order:
            parts.append(f"the {self.order.value}")
        parts += [repr(word) for word in ((self.text,) if self.text and not self.names else self.names[:1])]
        if self.near:
            parts.append("next to " + ", ".join(repr(word) for word in self.near))
        return " ".join(parts)

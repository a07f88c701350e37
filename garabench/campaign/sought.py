"""What conditions and steps look for on a screen, as it is written: ids, texts, parts of texts, patterns."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from garabench.core.yamldoc import Path as DocPath


class Kind(enum.Enum):
    """What of an element is looked for."""

    ID = "id"
    WHOLE = "text"
    """A whole text or description."""
    PART = "part"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class Sought:
    """Something that is looked for.

    Attributes:
        path: Where it stands.
        kind: What it is.
        text: What is looked for; it may hold placeholders.
        owner: The app that it is looked for in, where the selector says so; else empty.
    """

    path: DocPath
    kind: Kind
    text: str
    owner: str = ""


_SAID = {
    "text": Kind.WHOLE,
    "desc": Kind.WHOLE,
    "near": Kind.WHOLE,
    "text_contains": Kind.PART,
    "desc_contains": Kind.PART,
    "text_matches": Kind.PATTERN,
    "desc_matches": Kind.PATTERN,
}
_COMPARED = {
    "equals": ("value", Kind.WHOLE),
    "contains": ("value", Kind.PART),
    "matches": ("pattern", Kind.PATTERN),
}
_SEEN = ("text", "desc")
_ELSEWHERE = frozenset({"answer", "give_up", "setting", "content", "keywords", "with"})
"""What stands below these is not on the screen, or is asked about by others."""


def sought(value: Any, path: DocPath, owner: str = "") -> Iterator[Sought]:
    """What a condition, a step or a list of them looks for, however deep.

    Nothing is taken for granted: what is no condition and no step is passed over.

    Args:
        value: It, as it is written.
        path: Where it stands.
        owner: The app that the selector around it names.
    """
    if isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from sought(part, (*path, number), owner)
    if not isinstance(value, dict):
        return
    owner = _owner(value) or owner
    for key, part in value.items():
        here = (*path, key)
        if key == "id" and isinstance(part, str):
            yield Sought(here, Kind.ID, part.partition(":id/")[2] or part, owner)
        elif key in _SAID and isinstance(part, str | int | float):
            yield Sought(here, _SAID[key], str(part), owner)
        elif key == "type" and isinstance(part, dict):  # its text is typed
            yield from sought(part.get("into"), (*here, "into"), owner)
        elif key in _COMPARED and isinstance(part, dict) and "select" in part:
            yield from sought(part["select"], (*here, "select"), owner)
            name, kind = _COMPARED[key]
            text = part.get(name)
            if part.get("attribute", "text") in _SEEN and isinstance(text, str | int | float):
                yield Sought((*here, name), kind, str(text), _owner(part["select"]) or owner)
        elif key not in _ELSEWHERE:
            yield from sought(part, here, owner)


def _owner(selector: Any) -> str:
    """The app whose elements alone a selector selects; empty where it says nothing of that."""
    if not isinstance(selector, dict):
        return ""
    package, name = selector.get("package"), selector.get("id")
    in_full = name.partition(":id/") if isinstance(name, str) else ("", "", "")
    return in_full[0] if in_full[1] else package if isinstance(package, str) else ""

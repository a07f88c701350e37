"""The search terms of conditions and steps as written: ids, texts, parts of texts, patterns."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from garabench.core.yamldoc import Path as DocPath


class TermKind(enum.Enum):
    """The kind of a search term."""

    ID = "id"
    WHOLE = "text"
    """A whole text or description."""
    PART = "part"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A term that a selector searches for on the screen.

    Attributes:
        path: Its location.
        kind: Its kind.
        text: The id, text or pattern; it may contain placeholders.
        owner: The app in whose elements it is searched, if the selector names one; otherwise empty.
    """

    path: DocPath
    kind: TermKind
    text: str
    owner: str = ""


_KINDS = {
    "text": TermKind.WHOLE,
    "desc": TermKind.WHOLE,
    "near": TermKind.WHOLE,
    "text_contains": TermKind.PART,
    "desc_contains": TermKind.PART,
    "text_matches": TermKind.PATTERN,
    "desc_matches": TermKind.PATTERN,
}
_COMPARED = {
    "equals": ("value", TermKind.WHOLE),
    "contains": ("value", TermKind.PART),
    "matches": ("pattern", TermKind.PATTERN),
}
_VISIBLE = ("text", "desc")
_ELSEWHERE = frozenset({"answer", "give_up", "setting", "content", "keywords", "with"})
"""Keys whose content is not on the screen or is checked elsewhere."""


def search_terms(value: Any, path: DocPath, owner: str = "") -> Iterator[SearchTerm]:
    """Iterate over the search terms of a condition, a step or a list of them, at any depth.

    Anything that is not a condition or a step is skipped.

    Args:
        value: The condition or step as written.
        path: Its location.
        owner: The app that the enclosing selector names.
    """
    if isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from search_terms(part, (*path, number), owner)
    if not isinstance(value, dict):
        return
    owner = _owner(value) or owner
    for key, part in value.items():
        here = (*path, key)
        if key == "id" and isinstance(part, str):
            yield SearchTerm(here, TermKind.ID, part.partition(":id/")[2] or part, owner)
        elif key in _KINDS and isinstance(part, str | int | float):
            yield SearchTerm(here, _KINDS[key], str(part), owner)
        elif key == "type" and isinstance(part, dict):  # its text is typed, not searched
            yield from search_terms(part.get("into"), (*here, "into"), owner)
        elif key in _COMPARED and isinstance(part, dict) and "select" in part:
            yield from search_terms(part["select"], (*here, "select"), owner)
            name, kind = _COMPARED[key]
            text = part.get(name)
            if part.get("attribute", "text") in _VISIBLE and isinstance(text, str | int | float):
                yield SearchTerm((*here, name), kind, str(text), _owner(part["select"]) or owner)
        elif key not in _ELSEWHERE:
            yield from search_terms(part, here, owner)


def _owner(selector: Any) -> str:
    """Return the app to which a selector is restricted; empty if it is not restricted."""
    if not isinstance(selector, dict):
        return ""
    package, name = selector.get("package"), selector.get("id")
    in_full = name.partition(":id/") if isinstance(name, str) else ("", "", "")
    return in_full[0] if in_full[1] else package if isinstance(package, str) else ""

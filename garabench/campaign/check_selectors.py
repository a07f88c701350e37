"""Check that no condition of a goal or a rule means just any element of a class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from garabench.campaign.suite import Sources
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError

_SELECTING = frozenset({"exists", "absent", "selected", "checked"})
_SAYING = frozenset(
    {"id", "text", "text_contains", "text_matches", "desc", "desc_contains", "desc_matches", "xpath", "near"}
)
_RELATIONS = ("inside", "has", "sibling")


def bare_classes(sources: Sources) -> Iterator[InputError]:
    """Conditions of goals and rules whose selector names a class and nothing that tells its elements apart.

    States, the package and an index do not: they are those of any element of the class. Where a text is
    compared with the element's, that text tells them apart.
    """
    for (kind, name), (doc, at) in sources.places.items():
        key = {"goal": "holds", "rule": "when"}.get(kind)
        if key is not None:
            for path in _bare(doc.value((*at, key)), (*at, key)):
                message = f"the {kind} {name!r} selects any element of a class here"
                yield doc.error(path, message, hint="Name its id, its text, or what it stands in.")


def _bare(value: Any, path: DocPath) -> Iterator[DocPath]:
    """Where a condition, as it is written, selects a bare class."""
    if isinstance(value, dict):
        for key, part in value.items():
            here = (*path, key)
            if key == "count" and isinstance(part, dict):
                if _is_bare(part.get("select")):
                    yield (*here, "select")
            elif key in _SELECTING:
                if _is_bare(part):
                    yield here
            else:
                yield from _bare(part, here)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _bare(part, (*path, number))


def _is_bare(selector: Any) -> bool:
    """Whether a selector says of an element, and of those that it is found by, no more than a class."""
    if not isinstance(selector, dict) or "class" not in selector or _SAYING & selector.keys():
        return False
    return all(_is_bare(selector[relation]) for relation in _RELATIONS if relation in selector)

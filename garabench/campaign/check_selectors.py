"""Check that no condition of a goal or a rule means just any element of a class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from garabench.campaign.suite import Sources
from garabench.core.patterns import occurs
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError

_SELECTING = frozenset({"exists", "absent", "selected", "checked"})
_COMPARING = {"equals": "value", "contains": "value", "matches": "pattern"}
_NAMES = ("id", "text", "desc")
_PARTS = ("text_contains", "desc_contains", "near")
_PATTERNS = ("text_matches", "desc_matches")
_RELATIONS = ("inside", "has", "sibling")
_WHATEVER = ("a", "0", "\u7a3b")
"""Texts that have nothing in common: a pattern that is found in each is found in every text."""

_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'")
_PREDICATE = re.compile(r"\[([^\[\]]*)\]")
_TELLING = re.compile(r"@(?:text|content-desc|resource-id|hint|\*)|(?<![\w@-])(?:\.|text\(\))(?!\w)")


def bare_classes(sources: Sources) -> Iterator[InputError]:
    """Conditions of goals and rules whose selector names a class and nothing that tells its elements apart.

    States, the package and an index do not: they are those of any element of the class. Neither does an
    XPath expression that asks for no text, description or id, nor a pattern that is found in every text.
    Where a text is compared with the element's, that text tells them apart.
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
            elif key in _COMPARING and isinstance(part, dict):
                text = part.get(_COMPARING[key])
                said = _finds_some(text) if key == "matches" else key == "equals" or _says(text)
                if not said and _is_bare(part.get("select")):
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
    if not isinstance(selector, dict) or _tells(selector):
        return False
    return not selector.keys().isdisjoint({"class", "xpath", *_PARTS, *_PATTERNS})


def _tells(selector: Any) -> bool:
    """Whether a selector tells apart elements of one class."""
    if not isinstance(selector, dict):
        return True  # it is none, which is told with its file
    return (
        any(selector.get(key) is not None for key in _NAMES)
        or any(_says(selector.get(key)) for key in _PARTS)
        or any(_finds_some(selector.get(key)) for key in _PATTERNS)
        or _asks(selector.get("xpath"))
        or any(_tells(selector[relation]) for relation in _RELATIONS if relation in selector)
    )


def _says(text: Any) -> bool:
    """Whether a text is not in every text."""
    return text is not None and bool(str(text).strip())


def _finds_some(pattern: Any) -> bool:
    """Whether a pattern is found in some texts only: not in an empty one, nor in whatever is none."""
    if pattern is None:
        return False
    try:
        return not occurs(str(pattern), "") and not all(occurs(str(pattern), text) for text in _WHATEVER)
    except ValueError:
        return True  # it is none, which is told with its file


def _asks(xpath: Any) -> bool:
    """Whether an XPath expression has a predicate that asks for a text, a description or an id."""
    plain = _LITERAL.sub("", xpath) if isinstance(xpath, str) else ""
    while predicate := _PREDICATE.search(plain):
        if _TELLING.search(predicate[1]):
            return True
        plain = plain[: predicate.start()] + plain[predicate.end() :]
    return False

"""Check that no condition of a goal or a rule selects elements by class alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from garabench.core.patterns import occurs
from garabench.core.selector import Selector
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources

_SELECTING = frozenset({"exists", "absent", "selected", "checked"})
_COMPARING = {"equals": "value", "contains": "value", "matches": "pattern"}
_NAMES = ("id", "text", "desc")
_PARTS = ("text_contains", "desc_contains", "near")
_PATTERNS = ("text_matches", "desc_matches")
_RELATIONS = ("inside", "has", "sibling")
_SAMPLES = ("a", "0", "\u7a3b")
"""Texts without a common part: a pattern that occurs in each of them occurs in every text."""

_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'")
_PREDICATE = re.compile(r"\[([^\[\]]*)\]")
_DISTINGUISHING = re.compile(r"@(?:text|content-desc|resource-id|hint|\*)|(?<![\w@-])(?:\.|text\(\))(?!\w)")


def unselective_selectors(sources: SuiteSources) -> Iterator[InputError]:
    """Find conditions of goals and rules whose selector does not distinguish the elements of a class.

    States, the package and an index do not distinguish them, nor does an XPath expression without a predicate
    on a text, description or id, nor a pattern that occurs in every text. A text that a condition compares
    with the element's text does.
    """
    for (kind, name), (doc, at) in sources.places.items():
        key = {"goal": "holds", "rule": "when"}.get(kind)
        if key is not None:
            for path in _bare(doc.value((*at, key)), (*at, key)):
                message = f"this selector of the {kind} {name!r} matches any element of a class"
                yield doc.error(path, message, hint="Add an id, a text, or a container (inside:).")


def _bare(value: Any, path: DocPath) -> Iterator[DocPath]:
    """Find the places where a condition, as written, selects a bare class."""
    if isinstance(value, dict):
        for key, part in value.items():
            here = (*path, key)
            if key == "count" and isinstance(part, dict):
                if _is_bare(part.get("select")):
                    yield (*here, "select")
            elif key in _COMPARING and isinstance(part, dict):
                text = part.get(_COMPARING[key])
                specific = _is_selective(text) if key == "matches" else key == "equals" or _is_not_blank(text)
                if not specific and _is_bare(part.get("select")):
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
    """Return whether a selector, with its relations, restricts an element to no more than a class."""
    if not isinstance(selector, dict) or _distinguishes(selector):
        return False
    return not selector.keys().isdisjoint({"class", "xpath", *_PARTS, *_PATTERNS})


def _distinguishes(selector: Any) -> bool:
    """Return whether a selector distinguishes elements of a class."""
    if not isinstance(selector, dict):
        return True  # invalid, which is reported with its file
    return (
        any(selector.get(key) is not None for key in _NAMES)
        or any(_is_not_blank(selector.get(key)) for key in _PARTS)
        or any(_is_selective(selector.get(key)) for key in _PATTERNS)
        or _has_text_predicate(selector.get("xpath"))
        or any(_distinguishes(selector[relation]) for relation in _RELATIONS if relation in selector)
    )


def _is_not_blank(text: Any) -> bool:
    """Return whether a text is not blank; a blank one is part of every text."""
    return text is not None and bool(str(text).strip())


def _is_selective(pattern: Any) -> bool:
    """Return whether a pattern occurs in only some texts."""
    if pattern is None:
        return False
    try:
        return not occurs(str(pattern), "") and not all(occurs(str(pattern), text) for text in _SAMPLES)
    except ValueError:
        return True  # invalid, which is reported with its file


def _has_text_predicate(xpath: Any) -> bool:
    """Return whether an XPath expression has a predicate on a text, a description or an id."""
    if not isinstance(xpath, str):
        return False
    try:
        Selector(xpath=xpath)
    except ValueError:
        return True  # invalid, which is reported with its file
    plain = _LITERAL.sub("", xpath)
    while predicate := _PREDICATE.search(plain):
        if _DISTINGUISHING.search(predicate[1]):
            return True
        plain = plain[: predicate.start()] + plain[predicate.end() :]
    return False

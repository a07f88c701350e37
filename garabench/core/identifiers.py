"""Types of the identifiers in the suite's files, and suggestions for unknown names."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from typing import Annotated

from pydantic import StringConstraints

KEBAB_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
_LANGUAGE = r"^[a-z]{2}$"
PACKAGE_PATTERN = r"^[A-Za-z]\w*(\.[A-Za-z]\w*)+$"

KebabId = Annotated[str, StringConstraints(pattern=KEBAB_PATTERN, max_length=80)]
"""An id such as ``bili-like-first-result``."""

PackageName = Annotated[str, StringConstraints(pattern=PACKAGE_PATTERN, max_length=200)]
"""An Android package name such as ``tv.danmaku.bili``."""

Texts = dict[Annotated[str, StringConstraints(pattern=_LANGUAGE)], str]
"""Texts for people by language: ``{zh: …, en: …}``."""

PATTERNS_IN_WORDS = {
    KEBAB_PATTERN: "an id consists of lower-case letters and digits with single hyphens, such as "
    "like-first-video",
    PACKAGE_PATTERN: "a package name has at least two parts separated by dots, such as com.example.reader",
    _LANGUAGE: "a language code has two lower-case letters, such as zh",
}
"""The message for a name that does not match a pattern, by pattern."""


def nearest(name: str, valid: Collection[str]) -> str | None:
    """Return the valid name that is most similar to a wrong one, or None if none is similar.

    A valid name that starts with the wrong one, as when its end is missing, takes precedence.
    """
    begun = min((other for other in valid if name and other.startswith(name)), key=_shortest, default=None)
    if begun is not None:
        return begun
    matches = difflib.get_close_matches(name, sorted(valid), n=1, cutoff=0.55)
    return matches[0] if matches else None


def _shortest(name: str) -> tuple[int, str]:
    return len(name), name


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return a hint for an unknown name: the nearest valid one, or else the first few valid ones."""
    names = sorted(valid)
    if found := nearest(name, names):
        return f"Did you mean {found!r}?"
    if not names:
        return ""
    more = ", …" if len(names) > 8 else ""
    return f"Known: {', '.join(names[:8])}{more}"

"""Types of the identifiers in the suite's files."""

from __future__ import annotations

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

"""Check the names that an author gives, before they become entries or paths of files."""

from __future__ import annotations

import re

from garabench.core.identifiers import KEBAB_PATTERN, PACKAGE_PATTERN, PATTERNS_IN_WORDS
from garabench.errors import InputError


def check_new_id(name: str) -> None:
    """Check the id of a new task, goal or rule.

    Raises:
        InputError: It is not an id.
    """
    _check(name, KEBAB_PATTERN)


def check_package(name: str) -> None:
    """Check an app's package name.

    Raises:
        InputError: It is not a package name.
    """
    _check(name, PACKAGE_PATTERN)


def _check(name: str, pattern: str) -> None:
    if not re.fullmatch(pattern, name):
        raise InputError(f"{name!r}: {PATTERNS_IN_WORDS[pattern]}")

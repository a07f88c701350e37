"""Check the names that an author gives, before they become entries or paths of files."""

from __future__ import annotations

import re
from pathlib import Path

from garabench.core.identifiers import KEBAB_PATTERN, PACKAGE_PATTERN, PATTERNS_IN_WORDS
from garabench.core.interruption import InterruptionFile
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.suite.files import display_path, is_suite
from garabench.suite.suite import read_sources


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


def suite_around(path: Path | None) -> Path | None:
    """Return the folder of the suite that a file belongs to, or will belong to; None if there is none."""
    folder = None if path is None else path.absolute().parent.parent
    return folder if folder is not None and is_suite(folder) else None


def check_unused_id(suite: Path | None, kind: str, name: str) -> None:
    """Check that a suite has no entry of this id yet; those of the built-in suite may be replaced.

    Args:
        suite: The suite's folder; None for the built-in one.
        kind: ``goal`` or ``rule``.
        name: The new id.

    Raises:
        InputError: The suite has one already.
    """
    place = None if suite is None else read_sources(suite).places.get((kind, name))
    if place is not None:
        document, at = place
        raise document.error((*at, "id"), f"the {kind} {name!r} exists already", hint="Choose another --id.")


def check_interruption(suite: Path | None, name: str) -> None:
    """Check that the rules of a suite may inject an interruption: it is of this suite or a built-in one.

    Other mistakes in the suite's files are left to `garabench check`.

    Args:
        suite: The suite's folder; None for the built-in one.
        name: The interruption's id.

    Raises:
        InputError: There is no such interruption.
    """
    check_new_id(name)
    sources = read_sources(suite)
    known = {*sources.suite.interruptions, *sources.suite.anomalies}
    known |= sources.files.unusable.get(InterruptionFile, set())
    if sources.files.settings.builtin and suite is not None:
        builtin = read_sources().suite
        known |= {*builtin.interruptions, *builtin.anomalies}
    if name in known or InterruptionFile in sources.files.unreadable:
        return
    listed = "garabench interruptions list"
    if suite is not None:
        listed += f" --suite {display_path(suite.absolute())}"
    near = did_you_mean(name, known)
    raise InputError(f"unknown interruption {name!r}", hint=f"{near} `{listed}` lists them all.".strip())


def _check(name: str, pattern: str) -> None:
    if not re.fullmatch(pattern, name):
        raise InputError(f"{name!r}: {PATTERNS_IN_WORDS[pattern]}")

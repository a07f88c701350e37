"""The codes of what `garabench check` reports: errors, and warnings, which a comment can silence."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class FindingLevel(enum.StrEnum):
    """How serious a finding is."""

    ERROR = "error"
    """The file cannot be used."""
    WARNING = "warning"
    """The file can be used, but is probably not what its author means."""


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding.

    Attributes:
        name: Its name.
        severity: Its severity.
        description: What is wrong, in one sentence.
    """

    name: str
    severity: FindingLevel
    description: str


_ALL = (
    Code("invalid-file", FindingLevel.ERROR, "The file, a value or a name in it is not valid."),
    Code("invalid-also-meets", FindingLevel.ERROR, "also_meets names no other feasible task of the app."),
    Code("suite-requirement", FindingLevel.ERROR, "A built-in task has too few rules or near misses."),
    Code("bare-count", FindingLevel.ERROR, "A goal counts things without naming them."),
    Code("interruption-cycle", FindingLevel.ERROR, "An interruption leads back to itself."),
    Code(
        "invalid-ignore",
        FindingLevel.ERROR,
        "A comment that silences has no reason or a wrong code.",
    ),
    Code("translation", FindingLevel.WARNING, "A text lacks a language or is in another one."),
    Code("duplicate-instruction", FindingLevel.WARNING, "Two tasks have the same instruction."),
    Code("duplicate-entry", FindingLevel.WARNING, "A near miss or an interruption is a duplicate."),
    Code("unknown-text", FindingLevel.WARNING, "No known screen shows a keyword, an id or a text."),
    Code("foreign-package", FindingLevel.WARNING, "A task, goal or rule refers to another app."),
    Code("bare-selector", FindingLevel.WARNING, "A selector matches any element of a class."),
    Code("unreachable-schedule", FindingLevel.WARNING, "No task of a rule is long enough for it to be due."),
    Code("no-solution", FindingLevel.WARNING, "A task has no solution, so it cannot be proven."),
    Code("unfinished", FindingLevel.WARNING, "A text of a template is still to be filled in."),
    Code("unused", FindingLevel.WARNING, "No task uses a goal, a rule or an interruption."),
    Code("unused-ignore", FindingLevel.WARNING, "A comment silences nothing."),
)
CODES = {code.name: code for code in _ALL}
"""All codes by name."""

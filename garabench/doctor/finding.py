"""A finding: what was checked, whether it is in order, and the command that fixes it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Status(enum.StrEnum):
    """Whether what was checked is in order."""

    PASS = "pass"  # noqa: S105  # not a password
    WARN = "warn"
    """A run is possible, but its results may suffer."""
    FAIL = "fail"
    """A run is impossible, or its results would be wrong."""


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """The result of a check.

    Attributes:
        check: Name of the check, such as ``adb-version``.
        subject: What was checked: ``host``, the serial of a device, or an agent.
        status: Whether it is in order.
        message: What was found.
        hint: The command that fixes it, or what to do by hand; empty if it is in order.
        fix: Device commands that ``--fix`` performs; empty if a person has to decide.
    """

    check: str
    subject: str
    status: Status
    message: str
    hint: str = ""
    fix: tuple[tuple[str, ...], ...] = ()


def passed(check: str, subject: str, message: str) -> DoctorFinding:
    """Return a finding that is in order."""
    return DoctorFinding(check, subject, Status.PASS, message)

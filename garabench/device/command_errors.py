"""Find the error that one of Android's own commands printed.

Before Android 7 these commands are programs that exit with 0 after most errors, and adbd reports no exit
status. ``am start`` exits with 0 up to Android 11, ``uiautomator dump`` and ``svc`` on all versions. The
texts are those of AOSP's ``Am.java``, ``Pm.java``, ``SettingsCmd.java``, ``Svc.java``, ``Input.java``,
``Content.java``, ``Wm.java``, ``Ime.java`` and ``DumpCommand.java``, seen on a real Android 4.4.2 as far as
docs/emulators.md says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_THROWN = r"(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error)\b.*"
"""First line of a stack trace: ``java.lang.SecurityException: Permission Denial …``."""


def _lines(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:{'|'.join((*patterns, _THROWN))})$", re.MULTILINE)


_ERRORS = {
    "am": _lines(r"Error: .*", r"Error type -?\d+.*", r"Security exception: .*"),
    "pm": _lines(
        r"Error: .*",
        r"Failed",
        r"Failure\b.*",
        r"Bad argument: .*",
        r"Operation not allowed: .*",
        r"usage: pm .*",
    ),
    "settings": _lines(
        r"Error: .*",
        r"Invalid (?:command|namespace).*",
        r"Bad arguments",
        r"Too many arguments",
        r"usage: +settings.*",
    ),
    "svc": _lines(r"usage: svc .*", r"Available commands:"),
    "input": _lines(r"Error: .*", r"usage: input.*", r"Killed *"),
    "content": _lines(r"\[ERROR\] .*", r"Error while accessing provider:.*"),
    "wm": _lines(r"Error: .*", r"usage: wm .*"),
    "uiautomator": _lines(r"ERROR: .*", r"Killed *"),
    "ime": _lines(r"Error: .*", r"Unknown (?:input method|id).*", r"usage: ime .*"),
    "dumpsys": _lines(
        r"Can't find service: .*", r"Permission Denial: .*", r"Unknown set option.*", r"Bad value: .*"
    ),
}
"""By command: the lines that report an error."""
_EXITS_WITH_0_LATER = frozenset({"am", "svc", "uiautomator"})
"""Commands that exit with 0 after an error even where others do not."""
_UNEXPLAINED = re.compile(r"Error type|Error while accessing provider:|usage:")
"""A line that says less than another one."""
_OVERVIEW = "Available commands:"
"""What ``svc`` prints instead of an error if it does not know the command."""


def find_error(argv: Sequence[str], output: str, *, has_exit_status: bool) -> str:
    """Return the line with the error that a command printed; empty if it printed none.

    A list of the available commands counts as an error, and is replaced by the name of the unknown one.

    Args:
        argv: The command.
        output: Its output.
        has_exit_status: Whether the device is Android 7 or newer, whose commands exit with their status.
    """
    pattern = _ERRORS.get(argv[0])
    if pattern is None or (has_exit_status and argv[0] not in _EXITS_WITH_0_LATER):
        return ""
    lines = [match.group().strip() for match in pattern.finditer(output)]
    explained = [line for line in lines if not _UNEXPLAINED.match(line)] or lines
    error = explained[0] if explained else ""
    if error != _OVERVIEW:
        return error
    match argv[1:2]:
        case ["help"]:
            return ""
        case [name]:
            return f"unknown command {name!r}"
        case _:
            return "it needs a command"

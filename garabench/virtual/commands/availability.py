"""Availability of commands by Android version.

The lists follow AOSP's ``system/core/shell_and_utilities/README.md``: Android
4.4 had toolbox and a few BSD tools, Android 6 brought toybox. The framework's programs are dated by
their directory in ``frameworks/base/cmds``.
"""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.shell.call import Command

TOYBOX_SDK = 23
_INACCESSIBLE_SDK = 30
_KITKAT = frozenset(
    {"cat", "chmod", "chown", "cmp", "cp", "date", "dd", "df", "du", "getenforce", "getprop", "grep", "id"}
    | {"ifconfig", "kill", "ln", "log", "ls", "md5", "mkdir", "mv", "printenv", "ps", "readlink", "reboot"}
    | {"rm", "rmdir", "setprop", "sleep", "sync", "time", "top", "touch", "uptime"}
)
"""The utilities of Android 4.4."""
_SINCE: Mapping[str, int] = {
    "appops": 21,
    "awk": 28,
    "base64": 24,
    "cmd": 24,
    "pidof": 23,
    "killall": 24,
    "locksettings": 24,
    "nohup": 21,
    "sha256sum": 26,
    "xxd": 24,
}
"""First API level of a command; other utilities came with toybox."""
_UNTIL: Mapping[str, int] = {"md5": 22}


def missing_command(sdk: int) -> str:
    """Return what the shell says of a command that does not exist, which mksh changed in Android 11."""
    return "inaccessible or not found" if sdk >= _INACCESSIBLE_SDK else "not found"


def is_available(name: str, sdk: int, *, utility: bool) -> bool:
    """Return whether a version of Android has a command.

    Args:
        name: Name of a command.
        sdk: API level.
        utility: Whether it is a utility rather than a program of the framework.
    """
    if sdk > _UNTIL.get(name, sdk):
        return False
    min_sdk = _SINCE.get(name, TOYBOX_SDK if utility and name not in _KITKAT else 0)
    return sdk >= min_sdk


def available(table: Mapping[str, Command], sdk: int, *, utility: bool = False) -> dict[str, Command]:
    """Return the commands of a table that a version of Android has."""
    return {name: command for name, command in table.items() if is_available(name, sdk, utility=utility)}

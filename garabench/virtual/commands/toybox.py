"""``toybox``: calls utilities by name, for clients that bypass the links in ``/system/bin``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.commands.availability import TOYBOX_SDK
from garabench.virtual.shell.call import Command, CommandCall

_UNKNOWN = 127
_SEPARATE_PROGRAMS = frozenset({"awk", "egrep", "fgrep", "grep", "getprop", "setprop"})
"""Utilities that are separate programs."""
_SHELL_BUILTINS = frozenset({"[", "echo", "false", "printf", "pwd", "test", "true", "which"})
_FRAMEWORK_APPLETS = frozenset({"ifconfig", "log", "pidof", "ps", "top"})


async def toybox(names: frozenset[str], call: CommandCall) -> int:
    """``toybox [COMMAND …]``: run one of its commands, or list them."""
    if len(call.argv) == 1:
        await call.print(" ".join(sorted(names)) + "\n")
        return 0
    name = call.argv[1]
    if name not in names or call.run is None:
        await call.print_error(f"toybox: Unknown command {name}\n")
        return _UNKNOWN
    return await call.run(
        CommandCall(call.argv[1:], call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    )


def commands(utilities: frozenset[str], sdk: int) -> Mapping[str, Command]:
    """Return the command ``toybox``, since Android 6.

    Args:
        utilities: Names of the phone's utilities.
        sdk: API level.
    """
    if sdk < TOYBOX_SDK:
        return {}
    return {
        "toybox": partial(toybox, (utilities - _SEPARATE_PROGRAMS) | _SHELL_BUILTINS | _FRAMEWORK_APPLETS)
    }

"""``toybox``: the small utilities by another way, for clients that trust no link in ``/system/bin``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.commands.versions import TOYBOX_SDK
from garabench.virtual.shell.call import Call, Command

_UNKNOWN = 127
_ELSEWHERE = frozenset({"awk", "dd", "egrep", "fgrep", "grep", "getprop", "setprop"})
"""These are programs of their own."""
_SHELLS_OWN = frozenset({"echo", "false", "printf", "pwd", "true"})
_OTHERS = frozenset({"ifconfig", "log", "pidof", "ping", "ps", "top"})


async def toybox(names: frozenset[str], call: Call) -> int:
    """``toybox [COMMAND …]``: run one of its commands, or list them."""
    if len(call.argv) == 1:
        await call.say(" ".join(sorted(names)) + "\n")
        return 0
    name = call.argv[1]
    if name not in names or call.run is None:
        await call.complain(f"toybox: Unknown command {name}\n")
        return _UNKNOWN
    return await call.run(
        Call(call.argv[1:], call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    )


def commands(small: frozenset[str], sdk: int) -> Mapping[str, Command]:
    """``toybox``, from Android 6 on.

    Args:
        small: Names of the small tools that the phone has.
        sdk: API level.
    """
    if sdk < TOYBOX_SDK:
        return {}
    return {"toybox": partial(toybox, (small - _ELSEWHERE) | _SHELLS_OWN | _OTHERS)}

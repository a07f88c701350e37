"""``su``, which the shell may use on the userdebug builds of emulators (AOSP ``system/extras/su``).

Root differs in its identity, and in that it may signal apps' processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.processes import kill
from garabench.virtual.shell.call import Command, CommandCall

_ROOT = ("0", "root")


async def su(phone: Phone, call: CommandCall) -> int:
    """``su [0|root COMMAND …]``: without a command, a shell that ends at once, as it gets no input."""
    args = call.argv[1:]
    if not args:
        return 0
    if args[0] not in _ROOT:
        await call.print_error(f"su: invalid uid/gid '{args[0]}'\n")
        return 1
    with as_root():
        return await _as_root(phone, call, args[1:])


async def _as_root(phone: Phone, call: CommandCall, args: list[str]) -> int:
    match args:
        case ["kill", *_]:
            child = CommandCall(args, call.stdin, call.write, call.write_error, call.env, call.cwd)
            return await kill(phone, child, root=True)
        case [_, *_] if call.run is not None:
            child = CommandCall(args, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
            return await call.run(child)
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the command, if the phone is rooted."""
    return {"su": partial(su, phone)} if phone.rooted else {}

"""``su``, which the shell may use on the userdebug builds of emulators (AOSP ``system/extras/su``).

Root differs in its identity, and in that it may signal apps' processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.shell.call import Command, CommandCall

_ROOT = ("0", "root")
_IDENTITY = "uid=0(root) gid=0(root) groups=0(root),1004(input),1007(log),1011(adb) context=u:r:su:s0\n"
_NUMBERS = {"KILL": 9, "TERM": 15, "CONT": 18, "STOP": 19}
_NAMES = {str(number): name for name, number in _NUMBERS.items()}


async def su(phone: Phone, call: CommandCall) -> int:
    """``su [0|root COMMAND …]``: without a command, a shell that ends at once, as it gets no input."""
    args = call.argv[1:]
    if not args:
        return 0
    if args[0] not in _ROOT:
        await call.print_error(f"su: invalid uid/gid '{args[0]}'\n")
        return 1
    match args[1:]:
        case ["id", "-u"]:
            await call.print("0\n")
        case ["id"]:
            await call.print(_IDENTITY)
        case ["whoami"]:
            await call.print("root\n")
        case ["kill", *rest]:
            return await _kill(phone, call, rest)
        case [_, *_] if call.run is not None:
            child = CommandCall(
                args[1:], call.stdin, call.write, call.write_error, call.env, call.cwd, call.run
            )
            return await call.run(child)
    return 0


async def _kill(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``kill -SIGNAL PID …`` for processes of apps."""
    signal, remaining = "TERM", list(args)
    if remaining[:1] == ["-s"]:
        signal, remaining = (remaining[1] if len(remaining) > 1 else ""), remaining[2:]
    elif remaining and remaining[0].startswith("-"):
        signal = remaining.pop(0)[1:]
    signal = _NAMES.get(signal, signal.upper().removeprefix("SIG"))
    if signal not in _NUMBERS:
        await call.print_error(f"kill: Unknown signal '{signal}'\n")
        return 1
    status = 0
    for arg in remaining:
        package = next((name for pid, name in phone.processes.list() if str(pid) == arg), None)
        if package is None:
            await call.print_error(f"kill: {arg}: No such process\n")
            status = 1
        elif signal in ("STOP", "CONT"):
            phone.processes.freeze(int(arg), on=signal == "STOP")
        else:
            phone.activities.kill_by_signal(package)
    phone.changed()
    return status


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the command, if the phone is rooted."""
    return {"su": partial(su, phone)} if phone.rooted else {}

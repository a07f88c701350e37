"""Errors of Android's framework commands, which depend on where a version runs them.

A separate program is a ``BaseCommand`` in AOSP: it reports wrong arguments after
the usage, and exits with 0 all the same. A command in the system process is a ``ShellCommand``:
an exception is printed with status 255, and an unknown verb is reported on standard output.
"""

from __future__ import annotations

from garabench.virtual.android import not_simulated
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.shell.call import CommandCall

_SERVICES = {
    "am": "activity",
    "ime": "input_method",
    "locksettings": "lock_settings",
    "media": "media_session",
    "pm": "package",
    "wm": "window",
}
"""The services whose commands have a program."""
FAILED = 255
KILLED = 137


async def report_exception(call: CommandCall, verb: str, exception: str) -> int:
    """Report an exception in the system process; Android's stack trace is omitted."""
    await call.print_error(f"\nException occurred while executing '{verb}':\n{exception}\n")
    return FAILED


async def report_illegal_argument(call: CommandCall, verb: str, message: str) -> int:
    """Report wrong arguments in the system process."""
    return await report_exception(call, verb, f"java.lang.IllegalArgumentException: {message}")


async def report_security_exception(call: CommandCall, message: str) -> int:
    """Report a ``SecurityException`` in the system process."""
    await call.print_error(f"Security exception: {message}\n\njava.lang.SecurityException: {message}\n")
    return FAILED


async def report_unknown_verb(phone: PhoneInterface, call: CommandCall, verb: str) -> int:
    """Report an unknown verb in the system process; the log says that it is not one of this phone."""
    name = call.argv[0].rpartition("/")[2]
    service = call.argv[1] if name == "cmd" else _SERVICES.get(name, name)
    if verb and verb != "help":
        not_simulated.say(phone, f"cmd {service} {verb}")
    await call.print(f"Unknown command: {verb}\n")
    return FAILED


async def report_usage_error(call: CommandCall, usage: str, message: str) -> int:
    """Report wrong arguments of a program: its usage, then the error; exit status 0."""
    await call.print_error(f"{usage}\nError: {message}\n")
    return 0


async def report_thrown(call: CommandCall, exception: str) -> int:
    """Report an exception in a program: the first line of the stack trace; exit status 1."""
    await call.print_error(f"{exception}\n")
    return 1


async def report_killed(call: CommandCall) -> int:
    """Report an exception that ends a program's virtual machine: the shell prints ``Killed``."""
    await call.print_error("Killed \n")
    return KILLED

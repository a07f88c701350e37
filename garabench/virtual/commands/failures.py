"""How commands of Android's framework fail, which depends on where a version runs them.

A program of its own has ``BaseCommand`` in the Android Open Source Project: wrong arguments are told after
the usage, and the exit status is 0 all the same. What runs within the system's process has ``ShellCommand``:
an exception is printed and the status is 255, and an unknown verb is told on the standard output.
"""

from __future__ import annotations

from garabench.virtual.shell.call import Call

FAILED = 255
KILLED = 137


async def raised(call: Call, verb: str, exception: str) -> int:
    """An exception within the system's process; Android's stack trace is left out."""
    await call.complain(f"\nException occurred while executing '{verb}':\n{exception}\n")
    return FAILED


async def illegal(call: Call, verb: str, message: str) -> int:
    """Wrong arguments within the system's process."""
    return await raised(call, verb, f"java.lang.IllegalArgumentException: {message}")


async def forbidden(call: Call, message: str) -> int:
    """A ``SecurityException`` within the system's process."""
    await call.complain(f"Security exception: {message}\n\njava.lang.SecurityException: {message}\n")
    return FAILED


async def unknown(call: Call, verb: str) -> int:
    """A verb that a command of the system's process does not know."""
    await call.say(f"Unknown command: {verb}\n")
    return FAILED


async def misused(call: Call, usage: str, message: str) -> int:
    """Wrong arguments of a program: its usage, then what was wrong, and exit status 0."""
    await call.complain(f"{usage}\nError: {message}\n")
    return 0


async def thrown(call: Call, exception: str) -> int:
    """An exception in a program: the stack trace, of which the first line is told, and exit status 1."""
    await call.complain(f"{exception}\n")
    return 1


async def killed(call: Call) -> int:
    """An exception that ends a program's virtual machine: the shell says that it was killed."""
    await call.complain("Killed \n")
    return KILLED

"""Options, operands and messages of the small utilities, in toybox's manner."""

from __future__ import annotations

import getopt
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import wraps

from garabench.virtual.os.files import FileSystem
from garabench.virtual.shell.call import Call, Command


class UsageError(Exception):
    """The call is wrong, or a file cannot be used; the text is what the utility says."""


def parsed(call: Call, letters: str, long: tuple[str, ...] = ()) -> tuple[dict[str, str], list[str]]:
    """The options by name (``-n`` as ``n``) and the operands.

    Raises:
        UsageError: An option is unknown.
    """
    try:
        found, rest = getopt.gnu_getopt(call.argv[1:], letters, list(long))
    except getopt.GetoptError as error:
        raise UsageError(f"Unknown option '{error.opt}'" if error.opt else str(error)) from error
    return {name.lstrip("-"): value for name, value in found}, rest


def number(text: str, *, least: int = 0) -> int:
    """A whole number.

    Raises:
        UsageError: It is none.
    """
    try:
        value = int(text)
    except ValueError as error:
        raise UsageError(f"not integer: {text}") from error
    if value < least:
        raise UsageError(f"{text} < {least}")
    return value


async def data_of(files: FileSystem, call: Call, name: str) -> bytes:
    """A file's bytes, or those of the input for ``-``.

    Raises:
        UsageError: It cannot be read.
    """
    if name == "-":
        return await call.read_all()
    try:
        return files.read(call.path(name))
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from error


async def inputs(files: FileSystem, call: Call, names: list[str]) -> AsyncIterator[tuple[str, bytes]]:
    """Each operand's name and bytes; the input when there is none. A file that is not there is told."""
    for name in names or ["-"]:
        try:
            yield name, await data_of(files, call, name)
        except UsageError as error:
            await call.complain(f"{call.argv[0]}: {error}\n")


def lines_of(data: bytes) -> list[str]:
    """The lines without their ends; bytes that are no UTF-8 survive."""
    text = data.decode("utf-8", errors="surrogateescape")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


Utility = Callable[[FileSystem, Call], Awaitable[int]]


def table(files: FileSystem, utilities: Mapping[str, Utility]) -> Mapping[str, Command]:
    """The utilities as commands: a wrong call is told in one line and fails."""

    def command(utility: Utility) -> Command:
        @wraps(utility)
        async def run(call: Call) -> int:
            try:
                return await utility(files, call)
            except UsageError as error:
                await call.complain(f"{call.argv[0]}: {error}\n")
                return 1
            except OSError as error:
                if isinstance(error, BrokenPipeError):
                    raise
                place = f"{error.filename}: " if error.filename else ""
                await call.complain(f"{call.argv[0]}: {place}{error.strerror}\n")
                return 1

        return run

    return {name: command(utility) for name, utility in utilities.items()}

"""Options, operands and error messages of the utilities, as in toybox."""

from __future__ import annotations

import getopt
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial, wraps

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.shell.call import Command, CommandCall

_BANNER = "Toybox 0.8.9-android multicall binary (see https://landley.net/toybox)\n"
_USAGE_PROBLEM = re.compile(r"Unknown option|Needs? \d+ argument|Max \d+ argument")
"""The beginnings of the messages of ``help_exit`` (toybox ``lib.c``), which refers to the help."""
_UNITS = ("", "K", "M", "G", "T")


class UsageError(Exception):
    """A usage error, or an unusable file; the text is the utility's message."""


def problem(call: CommandCall, error: UsageError) -> str:
    """Return the line that reports an error; one about the usage refers to the help."""
    name = call.argv[0].rpartition("/")[2]
    hint = f' (see "{name} --help")' if _USAGE_PROBLEM.match(str(error)) else ""
    return f"{name}: {error}{hint}\n"


def parse_options(
    call: CommandCall, letters: str, long: tuple[str, ...] = ()
) -> tuple[dict[str, str], list[str]]:
    """Parse the options by name (``-n`` as ``n``) and the operands.

    Raises:
        UsageError: An option is unknown.
    """
    try:
        found, rest = getopt.gnu_getopt(call.argv[1:], letters, list(long))
    except getopt.GetoptError as error:
        raise UsageError(f"Unknown option '{error.opt}'" if error.opt else str(error)) from error
    return {name.lstrip("-"): value for name, value in found}, rest


def number(text: str, *, minimum: int = 0) -> int:
    """Parse an integer.

    Raises:
        UsageError: It is not an integer, or too small.
    """
    try:
        value = int(text)
    except ValueError as error:
        raise UsageError(f"not integer: {text}") from error
    if value < minimum:
        raise UsageError(f"{text} < {minimum}")
    return value


def human(size: int) -> str:
    """Return a size in bytes as toybox's ``human_readable`` does: at most three digits, and a unit."""
    value, unit = float(size), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.1f}{_UNITS[unit]}" if unit and value < 10 else f"{value:.0f}{_UNITS[unit]}"


async def read_operand(files: FileSystem, call: CommandCall, name: str) -> bytes:
    """Read a file, or the input for ``-``.

    Raises:
        UsageError: It cannot be read.
    """
    if name == "-":
        return await call.read_all()
    try:
        return files.read(call.path(name))
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from error


async def read_operands(
    files: FileSystem, call: CommandCall, names: list[str]
) -> AsyncIterator[tuple[str, bytes]]:
    """Read each operand, or the input without operands. A missing file is reported and skipped."""
    for name in names or ["-"]:
        try:
            yield name, await read_operand(files, call, name)
        except UsageError as error:
            await call.print_error(f"{call.argv[0]}: {error}\n")


def split_lines(data: bytes) -> list[str]:
    """Split data into lines; non-UTF-8 bytes round-trip."""
    text = data.decode("utf-8", errors="surrogateescape")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _help(name: str, utility: Utility) -> str:
    """Return a utility's usage, which its documentation begins with."""
    function = utility.func if isinstance(utility, partial) else utility
    text = (function.__doc__ or "").partition("\n")[0]
    usages = re.findall(r"``(.*?)``", text)
    usage = next((each for each in usages if each.split(" ")[0] == name), f"{name} [ARGUMENT...]")
    about = "" if usages else f"\n{text}\n"
    return f"{_BANNER}\nusage: {usage.replace('…', '...')}\n{about}"


Utility = Callable[[FileSystem, CommandCall], Awaitable[int]]


def as_commands(files: FileSystem, utilities: Mapping[str, Utility]) -> Mapping[str, Command]:
    """Wrap utilities as commands: a usage error prints one line and fails; ``--help`` prints the usage."""
    names = dict(utilities)

    def command(utility: Utility) -> Command:
        @wraps(utility)
        async def run(call: CommandCall) -> int:
            try:
                if call.argv[1:] == ["--help"] and names.get(call.argv[0].rpartition("/")[2]) is utility:
                    await call.print(_help(call.argv[0].rpartition("/")[2], utility))
                    return 0
                return await utility(files, call)
            except UsageError as error:
                await call.print_error(problem(call, error))
                return 1
            except OSError as error:
                if isinstance(error, BrokenPipeError):
                    raise
                prefix = f"{error.filename}: " if error.filename else ""
                await call.print_error(f"{call.argv[0]}: {prefix}{error.strerror}\n")
                return 1

        return run

    return {name: command(utility) for name, utility in names.items()}

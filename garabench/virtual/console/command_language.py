"""The language of the emulator console: a tree of commands with help, refusals, and escapes in texts.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

Handler = Callable[[str], str]
"""Performs a command with its arguments and returns its output."""

_ESCAPES = (
    "message must be utf8 and can use the following escapes:\n    \\n      for a newline\n"
    "    \\xNN    where NN are two hexadecimal numbers\n"
    "    \\uNNNN  where NNNN are four hexadecimal numbers\n    \\\\     to send a '\\' character\n\n"
    "    anything else is an error\n"
)
_ESCAPE = re.compile(r"\\(?:(n)|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(\\)|(.?))", re.DOTALL)


class ConsoleRefusedError(ValueError):
    """A command is refused.

    Attributes:
        output: What is printed before the refusal.
    """

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.output = output


@dataclass(frozen=True, slots=True)
class ConsoleCommand:
    """A command.

    Attributes:
        names: Its name, and others after ``|``.
        abstract: One line of help.
        description: Detailed help; empty if there is no more.
        handler: Performs it; None if it has sub-commands.
        commands: Its sub-commands.
    """

    names: str
    abstract: str
    description: str = ""
    handler: Handler | None = None
    commands: tuple[ConsoleCommand, ...] = ()

    def help(self, prefix: str) -> str:
        """Return its detailed help, with the sub-commands."""
        text = f"{self.description or self.abstract}\n"
        if self.commands:
            rows = "".join(f"   {prefix} {each.names:<15}  {each.abstract}\n" for each in self.commands)
            text += f"\navailable sub-commands:\n{rows}\n"
        return text


def find_command(
    commands: tuple[ConsoleCommand, ...], line: str
) -> tuple[ConsoleCommand, str] | tuple[None, str]:
    """Return the command that a line begins with, and the arguments; None if there is none."""
    name, _, rest = line.partition(" ")
    for each in commands:
        if name in each.names.split("|"):
            return each, rest.lstrip(" ")
    return None, line


def run_command(commands: tuple[ConsoleCommand, ...], line: str) -> str:
    """Perform a line.

    Raises:
        ConsoleRefusedError: It is refused.
    """
    command, args = find_command(commands, line)
    if command is None:
        raise ConsoleRefusedError("unknown command, try 'help'")
    while command.handler is None:
        if not args:
            raise ConsoleRefusedError("missing sub-command", command.help(""))
        found, args = find_command(command.commands, args)
        if found is None:
            raise ConsoleRefusedError(" bad sub-command", command.help(""))
        command = found
    return command.handler(args)


def unescape(text: str) -> str:
    """Return a message without its escapes.

    Raises:
        ConsoleRefusedError: An escape is wrong.
    """

    def replace(found: re.Match[str]) -> str:
        newline, byte, letter, backslash, _ = found.groups()
        if newline:
            return "\n"
        if byte or letter:
            return chr(int(byte or letter, 16))
        if backslash:
            return "\\"
        raise ConsoleRefusedError("badly formatted text", _ESCAPES)

    unescaped = _ESCAPE.sub(replace, text)
    if any("\ud800" <= char <= "\udfff" for char in unescaped):
        raise ConsoleRefusedError("badly formatted text", _ESCAPES)
    return unescaped

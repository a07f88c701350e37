"""The emulator console, one port below the adb port, which ``adb emu`` talks to.

`garabench.virtual.console.command_tree` has the commands. Two ``OK`` lines precede the first answer,
because adb takes the first as the greeting and the second as the answer to its ``auth``.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from garabench.virtual.console.command_language import (
    ConsoleCommand,
    ConsoleRefusedError,
    find_command,
    run_command,
)
from garabench.virtual.console.command_tree import ConsoleCommands
from garabench.virtual.console.port_redirects import PortRedirects
from garabench.virtual.emulator_snapshots import EmulatorSnapshots
from garabench.virtual.phone_backend import PhoneBackend

_READ_SIZE = 4096
_MAX_LINE = 4096
_GREETING = "Android Console: Authentication required\r\nOK\r\n"
_AUTHENTICATED = "Android Console: type 'help' for a list of commands\r\nOK\r\n"
_HTTP = ("GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "CONNECT ", "TRACE ", "PATCH ")
_HELP, _VERBOSE, _KILL, _QUIT = "help|h|?", "help-verbose", "kill", "quit|exit"


class ConsoleSession:
    """A console connection without I/O: bytes in, bytes out.

    Attributes:
        closed: Whether to close the connection.
    """

    def __init__(self, commands: ConsoleCommands, kill: Callable[[], None]) -> None:
        """Create a session.

        Args:
            commands: The phone's commands, which all sessions share.
            kill: Called to end the phone.
        """
        self._commands = commands.commands
        self._kill = kill
        self._buffer = b""
        self._authenticated = False
        self.closed = False

    @property
    def greeting(self) -> bytes:
        """The greeting."""
        return _GREETING.encode()

    def receive(self, data: bytes) -> bytes:
        """Receive bytes; return the answers."""
        self._buffer += data
        answers = ""
        while not self.closed and b"\n" in self._buffer:
            line, _, self._buffer = self._buffer.partition(b"\n")
            answers += self._line(line.decode("utf-8", errors="replace").strip())
        if len(self._buffer) > _MAX_LINE:
            self.closed = True
        return answers.encode()

    def _line(self, line: str) -> str:
        before = "" if self._authenticated else _AUTHENTICATED  # every client is accepted
        self._authenticated = True
        if line == "auth" or line.startswith("auth ") or not line:
            return before
        return before + self._answer(line).replace("\n", "\r\n")

    def _answer(self, line: str) -> str:
        if line.startswith(_HTTP):
            self.closed = True
            return "KO: Forbidden HTTP request. Aborting\n"
        name, _, args = line.partition(" ")
        if name == _KILL:
            self.closed = True
            self._kill()
            return "OK: killing emulator, bye bye\n"
        if name in _QUIT.split("|"):
            self.closed = True
            return ""
        try:
            if name in _HELP.split("|"):
                return self._help(args.strip()) + "OK\n"
            if name == _VERBOSE:
                rows = "".join(f"    {each.names:<15}  {each.abstract}\n" for each in self._commands)
                more = "try 'help <command>' for command-specific help"
                return f"Android console command help:\n\n{rows}\n{more}\nOK\n"
            return run_command(self._commands, line) + "OK\n"
        except ConsoleRefusedError as refusal:
            return f"{refusal.output}KO: {refusal}\n"

    def _help(self, line: str) -> str:
        names = [_HELP, _VERBOSE, *(each.names for each in self._commands), _KILL, _QUIT]
        listed = (
            "Android console commands:\n"
            + "".join(f"    {name}\n" for name in names)
            + "\nTry 'help-verbose' for more description\nTry 'help <command>' for command-specific help\n"
        )
        if not line:
            return listed
        commands: tuple[ConsoleCommand, ...] = self._commands
        args = line
        while True:
            command, args = find_command(commands, args)
            if command is None:
                raise ConsoleRefusedError("unknown command", f"{listed}\n")
            if not args or not command.commands:
                return command.help(line)
            commands = command.commands


async def serve_console(
    backend: PhoneBackend,
    name: str,
    port: int,
    kill: Callable[[], None],
    snapshots: EmulatorSnapshots | None = None,
) -> asyncio.Server:
    """Listen for ``adb emu`` on loopback.

    Raises:
        OSError: The port is in use.
    """
    redirects = PortRedirects(backend)
    commands = ConsoleCommands(backend.phone, snapshots or EmulatorSnapshots(backend), redirects, name)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = ConsoleSession(commands, kill)
        writer.write(session.greeting)
        with contextlib.suppress(ConnectionError):
            while not session.closed and (data := await reader.read(_READ_SIZE)):
                writer.write(session.receive(data))
                await writer.drain()
            writer.close()
            await writer.wait_closed()

    return await asyncio.start_server(handle, "127.0.0.1", port)

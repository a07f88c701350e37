"""A running script, as its compound commands and builtins see it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.call import Command, Streams
from garabench.virtual.shell.conditions import FileTests
from garabench.virtual.shell.expansion import Expander
from garabench.virtual.shell.shell_state import ShellState


class Execution(Protocol):
    """The execution of scripts in one shell state.

    Methods that run something return its exit status and may raise `ShellJumpError`.

    Attributes:
        state: The state of the shell.
        loops: Number of enclosing loops.
        tested: Number of enclosing conditions, in which ``set -e`` does not end the shell.
        traps: The commands of ``trap`` by name of the signal, or ``EXIT`` or ``ERR``.
    """

    state: ShellState
    loops: int
    tested: int
    traps: dict[str, str]

    @property
    def commands(self) -> Mapping[str, Command]:
        """The phone's commands by name."""
        ...

    @property
    def files(self) -> FileSystem:
        """The file system."""
        ...

    @property
    def jobs(self) -> set[asyncio.Task[int]]:
        """The background jobs, named by pid."""
        ...

    def file_tests(self, streams: Streams) -> FileTests:
        """Return the tests of files, options and variables for ``test`` and ``[[``."""
        ...

    async def trapped(self, name: str, streams: Streams) -> bool:
        """Run the command of a trap; return whether there is one."""
        ...

    def expander(self, streams: Streams) -> Expander:
        """Return the expander for this state."""
        ...

    async def source(self, text: str, streams: Streams) -> int:
        """Parse and run a script in this state."""
        ...

    async def script(self, script: n.CommandList, streams: Streams) -> int:
        """Run a list."""
        ...

    async def subshell(self, command: n.Command | n.CommandList, streams: Streams) -> int:
        """Run a list in a copy of this state."""
        ...

    async def child(self, text: str, streams: Streams, name: str, arguments: list[str]) -> int:
        """Run a script in a child shell, which inherits the exported variables."""
        ...

    async def invoke(self, argv: list[str], streams: Streams, values: Mapping[str, str]) -> int:
        """Call a function, builtin or command, with assignments for this call only."""
        ...

    async def external(self, argv: list[str], streams: Streams, values: Mapping[str, str]) -> int:
        """Call a command of the phone or a script file, with assignments for this call only."""
        ...

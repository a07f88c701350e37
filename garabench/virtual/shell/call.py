"""A call of a command: its arguments, streams, environment and directory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.shell.streams import InputStream, Write, discard


@dataclass(slots=True)
class CommandCall:
    """A call of a command.

    Attributes:
        argv: The command and its arguments.
        stdin: Its input.
        write, write_error: Its output streams.
        env: Its environment.
        cwd: Its working directory.
        run: Runs another command as its child, for ``xargs``, ``find -exec`` and the like.
    """

    argv: list[str]
    stdin: AsyncIterator[bytes]
    write: Write
    write_error: Write
    env: Mapping[str, str]
    cwd: str = "/"
    run: Callable[[CommandCall], Awaitable[int]] | None = None

    async def print(self, text: str) -> None:
        """Write text to standard output."""
        await self.write(text.encode("utf-8", errors="surrogateescape"))

    async def print_error(self, text: str) -> None:
        """Write text to standard error."""
        await self.write_error(text.encode("utf-8", errors="surrogateescape"))

    async def read_all(self) -> bytes:
        """Read the whole input."""
        return b"".join([data async for data in self.stdin])

    def path(self, name: str) -> str:
        """Resolve a name from the working directory."""
        return FileSystem.resolve(name, self.cwd)


Command = Callable[[CommandCall], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Streams:
    """The file descriptors of a command; those from 3 on are write-only.

    Attributes:
        stdin: Standard input.
        out: The output streams.
        terminals: The descriptors that are a terminal.
    """

    stdin: InputStream
    out: Mapping[int, Write]
    terminals: frozenset[int] = frozenset()

    def write(self, fd: int) -> Write:
        """Return the output stream of a descriptor."""
        return self.out.get(fd, discard)

    def with_out(self, fd: int, write: Write) -> Streams:
        """Return a copy with another output stream for a descriptor."""
        return Streams(self.stdin, {**self.out, fd: write}, self.terminals - {fd})

    def with_in(self, stdin: AsyncIterator[bytes]) -> Streams:
        """Return a copy with another input."""
        source = stdin if isinstance(stdin, InputStream) else InputStream(stdin)
        return Streams(source, self.out, self.terminals - {0})

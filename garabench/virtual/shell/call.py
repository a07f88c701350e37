"""A command's call: its words, its streams, where it runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from garabench.virtual.os.files import FileSystem
from garabench.virtual.shell.streams import Input, Write, drop


@dataclass(slots=True)
class Call:
    """A command's call.

    Attributes:
        argv: The command and its arguments.
        stdin: What it reads.
        write, write_error: Its output streams.
        env: Its environment.
        cwd: The directory it runs in.
        run: Runs another command line as this one's child, such as ``xargs`` and ``find -exec`` do.
    """

    argv: list[str]
    stdin: AsyncIterator[bytes]
    write: Write
    write_error: Write
    env: Mapping[str, str]
    cwd: str = "/"
    run: Callable[[Call], Awaitable[int]] | None = None

    async def say(self, text: str) -> None:
        """Print text."""
        await self.write(text.encode("utf-8", errors="surrogateescape"))

    async def complain(self, text: str) -> None:
        """Print text to the error stream."""
        await self.write_error(text.encode("utf-8", errors="surrogateescape"))

    async def read_all(self) -> bytes:
        """All of the input."""
        return b"".join([data async for data in self.stdin])

    def path(self, name: str) -> str:
        """The absolute path of a name, from the call's directory."""
        return FileSystem.resolve(name, self.cwd)


Command = Callable[[Call], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Streams:
    """Where a command reads and writes; the descriptors from 3 on are written only."""

    stdin: Input
    out: Mapping[int, Write]

    def write(self, fd: int) -> Write:
        """The stream behind a descriptor."""
        return self.out.get(fd, drop)

    def with_out(self, fd: int, write: Write) -> Streams:
        """The same with another stream behind a descriptor."""
        return Streams(self.stdin, {**self.out, fd: write})

    def with_in(self, stdin: AsyncIterator[bytes]) -> Streams:
        """The same with another input."""
        return Streams(stdin if isinstance(stdin, Input) else Input(stdin), self.out)

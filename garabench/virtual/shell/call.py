"""A call of a command: its arguments, streams, environment and directory."""

from __future__ import annotations

import posixpath
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.shell.streams import InputStream, Write, discard, empty_input


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

    def link_path(self, name: str) -> str:
        """Resolve a name as `path`, but leave a link to the shared storage unless the name ends with a slash.

        Such a path ends with a slash, too.
        """
        if name.endswith("/"):
            return self.path(name).rstrip("/") + "/"
        return "/" + posixpath.normpath(posixpath.join(self.cwd, name)).lstrip("/")


Command = Callable[[CommandCall], Awaitable[int]]


@dataclass(slots=True)
class Streams:
    """The file descriptors of a command, or of a shell, whose ``exec`` changes them.

    Attributes:
        stdin: Standard input.
        out: The output streams.
        terminals: The descriptors that are a terminal.
        inputs: The descriptors from 3 on that are open for reading.
    """

    stdin: InputStream
    out: Mapping[int, Write]
    terminals: frozenset[int] = frozenset()
    inputs: Mapping[int, InputStream] = field(default_factory=dict)

    def copy(self) -> Streams:
        """Return a copy, which ``exec`` changes without an effect on this one."""
        return Streams(self.stdin, self.out, self.terminals, self.inputs)

    def adopt(self, other: Streams) -> None:
        """Take over all descriptors of other streams, as ``exec`` with redirections does."""
        self.stdin, self.out = other.stdin, other.out
        self.terminals, self.inputs = other.terminals, other.inputs

    def input(self, fd: int) -> InputStream | None:
        """Return the input stream of a descriptor; None if it is not open for reading."""
        return self.stdin if fd == 0 else self.inputs.get(fd)

    def write(self, fd: int) -> Write:
        """Return the output stream of a descriptor."""
        return self.out.get(fd, discard)

    def with_out(self, fd: int, write: Write) -> Streams:
        """Return a copy with another output stream for a descriptor."""
        return Streams(self.stdin, {**self.out, fd: write}, self.terminals - {fd}, self.inputs)

    def with_in(self, stdin: AsyncIterator[bytes], fd: int = 0) -> Streams:
        """Return a copy with another input for a descriptor."""
        source = stdin if isinstance(stdin, InputStream) else InputStream(stdin)
        if fd:
            return Streams(self.stdin, self.out, self.terminals - {fd}, {**self.inputs, fd: source})
        return Streams(source, self.out, self.terminals - {0}, self.inputs)

    def without(self, fd: int) -> Streams:
        """Return a copy with a descriptor closed."""
        if fd == 0:
            return self.with_in(empty_input())
        inputs = {key: source for key, source in self.inputs.items() if key != fd}
        return Streams(self.stdin, {**self.out, fd: discard}, self.terminals - {fd}, inputs)

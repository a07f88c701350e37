"""What commands read from and write to: inputs that can be read by line, pipes, files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from garabench.virtual.os.files import FileSystem

Write = Callable[[bytes], Awaitable[None]]
_PIPE_DEPTH = 64
_PIECE = 1 << 16


async def drop(data: bytes) -> None:
    """Write to ``/dev/null``."""


async def nothing() -> AsyncIterator[bytes]:
    """An empty input."""
    empty: tuple[bytes, ...] = ()
    for data in empty:
        yield data


async def once(data: bytes) -> AsyncIterator[bytes]:
    """An input of these bytes."""
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE]


class Input:
    """An input that several commands read one after the other: in pieces, whole, or by the line."""

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self._source = source
        self._held = b""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        if self._held:
            data, self._held = self._held, b""
            return data
        return await anext(self._source)

    async def line(self) -> bytes:
        """The next line with its end; the rest when it has none; empty at the end."""
        while b"\n" not in self._held:
            try:
                self._held += await anext(self._source)
            except StopAsyncIteration:
                data, self._held = self._held, b""
                return data
        line, _, self._held = self._held.partition(b"\n")
        return line + b"\n"


class Pipe:
    """What one command writes and the next one reads; it breaks off when nobody reads any more."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_PIPE_DEPTH)
        self._closed = asyncio.Event()

    async def write(self, data: bytes) -> None:
        """Write; waits while the pipe is full.

        Raises:
            BrokenPipeError: The reader has ended.
        """
        if not data:
            return
        await self._put(data)

    async def end(self) -> None:
        """Say that nothing more comes."""
        try:
            await self._put(None)
        except BrokenPipeError:
            return

    async def _put(self, data: bytes | None) -> None:
        if self._closed.is_set():
            raise BrokenPipeError
        if not self._queue.full():
            self._queue.put_nowait(data)
            return
        put = asyncio.ensure_future(self._queue.put(data))
        closed = asyncio.ensure_future(self._closed.wait())
        try:
            await asyncio.wait({put, closed}, return_when=asyncio.FIRST_COMPLETED)
            if not put.done():
                raise BrokenPipeError
        finally:
            put.cancel()
            closed.cancel()

    def close(self) -> None:
        """Stop reading."""
        self._closed.set()

    async def read(self) -> AsyncIterator[bytes]:
        """What is written."""
        while (data := await self._queue.get()) is not None:
            yield data


class FileSink:
    """A file that is being written; it is there, empty, from the moment it is opened.

    Raises:
        OSError: It cannot be written.
    """

    def __init__(self, files: FileSystem, path: str, *, append: bool) -> None:
        self._files = files
        self._path = path
        old = files.read(path) if append and files.stat(path) is not None else b""
        self._data = bytearray(old)
        if not append or files.stat(path) is None:
            files.write(path, b"")

    async def write(self, data: bytes) -> None:
        """Take bytes in."""
        self._data.extend(data)

    def close(self) -> None:
        """Put what was written into the file."""
        self._files.write(self._path, bytes(self._data))

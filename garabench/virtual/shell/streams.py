"""Streams of commands: line-readable inputs, pipes, files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from garabench.virtual.android.file_system import FileSystem

Write = Callable[[bytes], Awaitable[None]]
_PIPE_DEPTH = 64
_PIECE = 1 << 16


async def discard(data: bytes) -> None:
    """Discard data, as ``/dev/null`` does."""


async def empty_input() -> AsyncIterator[bytes]:
    """Yield an empty input."""
    empty: tuple[bytes, ...] = ()
    for data in empty:
        yield data


async def input_of(data: bytes) -> AsyncIterator[bytes]:
    """Yield an input of these bytes."""
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE]


class InputStream:
    """An input that several commands read in turn: in pieces, whole, or by line."""

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self._source = source
        self._buffer = b""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        if self._buffer:
            data, self._buffer = self._buffer, b""
            return data
        return await anext(self._source)

    async def take(self, count: int, *, whole: bool) -> bytes:
        """Read up to so many bytes: up to a line feed as well, unless `whole`."""
        while len(self._buffer) < count and (whole or b"\n" not in self._buffer):
            try:
                self._buffer += await anext(self._source)
            except StopAsyncIteration:
                break
        if not whole and b"\n" in self._buffer[:count]:
            count = self._buffer.index(b"\n") + 1
        data, self._buffer = self._buffer[:count], self._buffer[count:]
        return data

    async def line(self, end: bytes = b"\n") -> bytes:
        """Read the next line with its end, a line feed; the last one may lack it; empty at the end."""
        while end not in self._buffer:
            try:
                self._buffer += await anext(self._source)
            except StopAsyncIteration:
                data, self._buffer = self._buffer, b""
                return data
        line, _, self._buffer = self._buffer.partition(end)
        return line + end


class Pipe:
    """A pipe between two commands; writing fails once the reader has ended."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_PIPE_DEPTH)
        self._closed = asyncio.Event()

    async def write(self, data: bytes) -> None:
        """Write; wait while the pipe is full.

        Raises:
            BrokenPipeError: The reader has ended.
        """
        if not data:
            return
        await self._put(data)

    async def end(self) -> None:
        """Mark the end of the data."""
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
        """Read the data."""
        while (data := await self._queue.get()) is not None:
            yield data


class FileSink:
    """A file opened for writing; it exists, empty, from the moment it is opened.

    Raises:
        OSError: It cannot be written.
    """

    def __init__(self, files: FileSystem, path: str, *, append: bool) -> None:
        self._files = files
        self._path = path
        old = files.read(path) if append and files.stat(path) is not None else b""
        self._data = bytearray(old)
        self._stays_open = False
        if not append or files.stat(path) is None:
            files.write(path, b"")

    async def write(self, data: bytes) -> None:
        """Buffer bytes; a file that stays open gets them at once."""
        self._data.extend(data)
        if self._stays_open:
            self.close()

    def stay_open(self) -> None:
        """Write from now on at once, as the file stays open after the command (``exec``)."""
        self._stays_open = True

    def close(self) -> None:
        """Write the buffer to the file."""
        self._files.write(self._path, bytes(self._data))

"""A terminal (pty) for ``adb shell -t``: echo, line editing, ctrl-C, line ends.

It does what Linux's line discipline does in canonical mode, as far as a person at ``adb shell`` notices.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import AsyncIterator, Awaitable, Callable

from garabench.virtual.shell.interactive import INTERRUPTED

Write = Callable[[bytes], Awaitable[None]]

_CTRL_C, _CTRL_D, _CTRL_U = 0x03, 0x04, 0x15
_ERASE = (0x08, 0x7F)
_RETURN, _LINE = 0x0D, 0x0A


class ControlKey(enum.Enum):
    """A key that types no text."""

    INTERRUPT = "interrupt"
    END = "end of input"


class LineDiscipline:
    """Turns typed bytes into finished lines and their echo."""

    def __init__(self) -> None:
        self._line = bytearray()

    def receive(self, data: bytes) -> tuple[tuple[bytes | ControlKey, ...], bytes]:
        """Receive typed bytes.

        Returns:
            Finished lines and keys in order, and the bytes to show.
        """
        done: list[bytes | ControlKey] = []
        shown = bytearray()
        for byte in data:
            if byte in (_RETURN, _LINE):
                done.append(bytes(self._line) + b"\n")
                self._line.clear()
                shown += b"\r\n"
            elif byte in _ERASE:
                shown += self._erase(1)
            elif byte == _CTRL_U:
                shown += self._erase(len(self._line))
            elif byte == _CTRL_C:
                self._line.clear()
                done.append(ControlKey.INTERRUPT)
                shown += b"^C\r\n"
            elif byte == _CTRL_D:
                done.append(bytes(self._line) if self._line else ControlKey.END)
                self._line.clear()
            else:
                self._line.append(byte)
                shown.append(byte)
        return tuple(done), bytes(shown)

    def _erase(self, count: int) -> bytes:
        """Erase characters at the end of the line, multi-byte ones as a whole."""
        shown = b""
        for _ in range(count):
            while self._line and self._line[-1] & 0xC0 == 0x80:
                self._line.pop()
            if self._line:
                self._line.pop()
                shown += b"\b \b"
        return shown


class _Lines:
    """An iterator over finished lines that, unlike a generator, survives the cancellation of a reader."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def put(self, line: bytes | None) -> None:
        """Add a line, or None for the end of the input."""
        self._queue.put_nowait(line)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        line = await self._queue.get()
        if line is None:
            raise StopAsyncIteration
        return line


async def on_terminal(
    run: Callable[[AsyncIterator[bytes], Write], Awaitable[int]],
    typed: AsyncIterator[bytes],
    show: Write,
    interrupt: Callable[[], bool] | None = None,
) -> int:
    """Run a program on a terminal.

    Args:
        run: Called with its input by line and its output (of both streams); returns the exit status.
        typed: The typed bytes.
        show: Displays the output.
        interrupt: Called on ctrl-C; ends the running command and returns whether there was one. An empty
            line then brings a new prompt. Without it, ctrl-C ends `run` with status 130.
    """
    lines = _Lines()

    async def write_crlf(data: bytes) -> None:
        await show(data.replace(b"\n", b"\r\n"))

    running = asyncio.ensure_future(run(lines, write_crlf))

    async def pump() -> None:
        discipline = LineDiscipline()
        async for data in typed:
            done, shown = discipline.receive(data)
            if shown:
                await show(shown)
            for item in done:
                if item is ControlKey.INTERRUPT:
                    if not (interrupt or running.cancel)():
                        lines.put(b"\n")
                else:
                    lines.put(None if isinstance(item, ControlKey) else item)
        lines.put(None)

    pumping = asyncio.ensure_future(pump())
    try:
        await asyncio.wait((running,))
        return INTERRUPTED if running.cancelled() else running.result()
    finally:
        pumping.cancel()
        running.cancel()

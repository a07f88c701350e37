"""A terminal (pty) for ``adb shell -t``: echo, line editing, ctrl-C, line ends.

It does what Linux's line discipline does in canonical mode, as far as a person at ``adb shell`` notices.
"""

from __future__ import annotations

import asyncio
import enum
import re
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from garabench.virtual.shell.interactive import INTERRUPTED

Write = Callable[[bytes], Awaitable[None]]

_CTRL_C, _CTRL_D, _CTRL_U = 0x03, 0x04, 0x15
_ERASE = (0x08, 0x7F)
_RETURN, _LINE = 0x0D, 0x0A


_SPACE = 0x20
_KEY = re.compile(
    rb"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|\x1b[^\[O]|[\x00-\x1a\x1c-\x7f]|[\xc0-\xdf][\x80-\xbf]"
    rb"|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[\x80-\xbf\xf8-\xff]",
    re.DOTALL,
)
"""A key: an escape sequence, a control character, or a character in UTF-8."""
_UP, _DOWN = (b"\x1b[A", b"\x1bOA", b"\x10"), (b"\x1b[B", b"\x1bOB", b"\x0e")
_LEFT, _RIGHT = (b"\x1b[D", b"\x1bOD", b"\x02"), (b"\x1b[C", b"\x1bOC", b"\x06")
_START = (b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"\x01")
_FINISH = (b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"\x05")
_ERASE_BACK, _ERASE_NEXT = (b"\x7f", b"\x08"), (b"\x1b[3~", b"\x04")


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


class LineEditor(LineDiscipline):
    """Line editing at the prompt of an interactive shell: a cursor, and earlier lines by the arrow keys.

    The keys are those of mksh's emacs mode.
    """

    def __init__(self, history: Sequence[str], at_prompt: Callable[[], bool]) -> None:
        """Create an editor.

        Args:
            history: The earlier lines, the oldest first; grows while the editor is in use.
            at_prompt: Returns whether the shell waits for a line; else a program reads, without editing.
        """
        super().__init__()
        self._history = history
        self._at_prompt = at_prompt
        self._text = ""
        self._cursor = 0
        self._shown = 0  # number of lines back in the history
        self._draft = ""
        self._pending = b""

    def receive(self, data: bytes) -> tuple[tuple[bytes | ControlKey, ...], bytes]:
        """Receive typed bytes; see `LineDiscipline.receive`."""
        done: list[bytes | ControlKey] = []
        shown = bytearray()
        data, self._pending = self._pending + data, b""
        if not self._at_prompt():
            # the line that was begun at the prompt is shown already, and goes on without editing
            self._line += self._text.encode("utf-8", errors="surrogateescape")
            self._reset()
            return super().receive(data)
        # what was typed ahead of the prompt is edited like the keys that follow, and shown again
        data = bytes(self._line) + data
        self._line.clear()
        while data:
            match = _KEY.match(data)
            if match is None:  # an unfinished sequence or character
                self._pending = data
                break
            data = data[match.end() :]
            shown += self._press(match[0], done)
        return tuple(done), bytes(shown)

    def _press(self, key: bytes, done: list[bytes | ControlKey]) -> bytes:
        """Handle a key; add a finished line to `done`, and return what to show."""
        if (finished := self._finish(key, done)) is not None:
            return finished
        end = len(self._text)
        moves = {**dict.fromkeys(_LEFT, self._cursor - 1), **dict.fromkeys(_RIGHT, self._cursor + 1)}
        moves |= {**dict.fromkeys(_START, 0), **dict.fromkeys(_FINISH, end)}
        if key in moves:
            return self._move_to(moves[key])
        if key in (*_UP, *_DOWN):
            return self._recall(self._shown + (1 if key in _UP else -1))
        word = len(self._text[: self._cursor].rstrip().rpartition(" ")[0])
        removed = {
            **dict.fromkeys(_ERASE_BACK, (max(0, self._cursor - 1), self._cursor)),
            **dict.fromkeys(_ERASE_NEXT, (self._cursor, self._cursor + 1)),
            b"\x15": (0, end),
            b"\x0b": (self._cursor, end),
            b"\x17": (word + (word > 0), self._cursor),
        }
        if key in removed:
            return self._replace(*removed[key], "")
        if key[0] < _SPACE:
            return b""  # other keys do nothing
        return self._replace(self._cursor, self._cursor, key.decode("utf-8", errors="surrogateescape"))

    def _finish(self, key: bytes, done: list[bytes | ControlKey]) -> bytes | None:
        """Handle a key that ends the line; None if it does not."""
        if key in (b"\r", b"\n"):
            end = self._move_to(len(self._text))
            done.append(self._text.encode("utf-8", errors="surrogateescape") + b"\n")
            self._reset()
            return end + b"\r\n"
        if key == b"\x03":
            self._reset()
            done.append(ControlKey.INTERRUPT)
            return b"^C\r\n"
        if key == b"\x04" and not self._text:
            done.append(ControlKey.END)
            return b""
        return None

    def _reset(self) -> None:
        self._text, self._cursor, self._shown, self._draft = "", 0, 0, ""

    def _recall(self, wanted: int) -> bytes:
        """Show an earlier line; 0 is the one that was being typed."""
        if not 0 <= wanted <= len(self._history):
            return b""
        if self._shown == 0:
            self._draft = self._text
        self._shown = wanted
        return self._replace(0, len(self._text), self._history[-wanted] if wanted else self._draft)

    def _move_to(self, at: int) -> bytes:
        at = min(len(self._text), max(0, at))
        back = "\b" * _width(self._text[at : self._cursor])
        shown = back or self._text[self._cursor : at]
        self._cursor = at
        return shown.encode("utf-8", errors="surrogateescape")

    def _replace(self, start: int, end: int, text: str) -> bytes:
        """Replace a part of the line, and draw what follows it again."""
        back = self._move_to(start)
        before, after = self._text[start:], self._text[end:]
        self._text = self._text[:start] + text + after
        self._cursor = start + len(text)
        gap = max(0, _width(before) - _width(text + after))
        drawn = text + after + " " * gap + "\b" * (_width(after) + gap)
        return back + drawn.encode("utf-8", errors="surrogateescape")


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


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
    editor: LineDiscipline | None = None,
) -> int:
    """Run a program on a terminal.

    Args:
        run: Called with its input by line and its output (of both streams); returns the exit status.
        typed: The typed bytes.
        show: Displays the output.
        interrupt: Called on ctrl-C; ends the running command and returns whether there was one. An empty
            line then brings a new prompt. Without it, ctrl-C ends `run` with status 130.
        editor: Edits the typed lines; default: only at their end.
    """
    lines = _Lines()

    async def write_crlf(data: bytes) -> None:
        await show(data.replace(b"\n", b"\r\n"))

    running = asyncio.ensure_future(run(lines, write_crlf))

    async def pump() -> None:
        discipline = editor or LineDiscipline()
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

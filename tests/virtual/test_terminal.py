from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.terminal import ControlKey, LineDiscipline, Write, on_terminal


@pytest.mark.parametrize(
    ("typed", "done", "shown"),
    [
        (b"ls\r", (b"ls\n",), b"ls\r\n"),
        (b"ls\n", (b"ls\n",), b"ls\r\n"),
        (b"l", (), b"l"),
        (b"lx\x7fs\r", (b"ls\n",), b"lx\b \bs\r\n"),
        (b"\x08\r", (b"\n",), b"\r\n"),
        ("中\x7f\r".encode(), (b"\n",), "中\b \b\r\n".encode()),
        (b"abc\x15\r", (b"\n",), b"abc" + b"\b \b" * 3 + b"\r\n"),
        (b"sleep\x03", (ControlKey.INTERRUPT,), b"sleep^C\r\n"),
        (b"\x04", (ControlKey.END,), b""),
        (b"ab\x04", (b"ab",), b"ab"),
        (b"a\rb\r", (b"a\n", b"b\n"), b"a\r\nb\r\n"),
    ],
)
def test_typed_bytes_become_lines_and_echo(
    typed: bytes, done: tuple[bytes | ControlKey, ...], shown: bytes
) -> None:
    assert LineDiscipline().receive(typed) == (done, shown)


@given(st.binary(max_size=60), st.integers(1, 7))
def test_chunking_makes_no_difference(typed: bytes, cut: int) -> None:
    parts = LineDiscipline()
    done: list[bytes | ControlKey] = []
    shown = b""
    for at in range(0, len(typed), cut):
        more, echo = parts.receive(typed[at : at + cut])
        done += more
        shown += echo
    assert (tuple(done), shown) == LineDiscipline().receive(typed)


class Person:
    """Types on demand and records the output."""

    def __init__(self) -> None:
        self.keys: asyncio.Queue[bytes] = asyncio.Queue()
        self.shown_bytes = b""

    async def typed(self) -> AsyncIterator[bytes]:
        while data := await self.keys.get():
            yield data

    async def show(self, data: bytes) -> None:
        self.shown_bytes += data


async def greet(given: AsyncIterator[bytes], say: Write) -> int:
    async for line in given:
        await say(b"hello " + line)
    return 7


def test_input_by_line_and_crlf_output() -> None:
    person = Person()

    async def session() -> int:
        for keys in (b"you\r", b"\x04"):
            person.keys.put_nowait(keys)
        return await on_terminal(greet, person.typed(), person.show)

    assert asyncio.run(session()) == 7
    assert person.shown_bytes == b"you\r\nhello you\r\n"


def test_ctrl_c_ends_the_program() -> None:
    person = Person()

    async def session() -> int:
        person.keys.put_nowait(b"\x03")
        return await asyncio.wait_for(on_terminal(greet, person.typed(), person.show), 120)

    assert asyncio.run(session()) == 130
    assert person.shown_bytes == b"^C\r\n"


def test_ctrl_c_at_the_prompt_gives_a_new_prompt() -> None:
    person = Person()

    async def session() -> int:
        for keys in (b"half\x03", b"\x04"):
            person.keys.put_nowait(keys)
        return await on_terminal(greet, person.typed(), person.show, lambda: False)

    assert asyncio.run(session()) == 7
    assert person.shown_bytes == b"half^C\r\nhello \r\n"


def test_errors_propagate() -> None:
    async def fail(given: AsyncIterator[bytes], say: Write) -> int:
        raise ConnectionResetError("gone")

    person = Person()
    with pytest.raises(ConnectionResetError):
        asyncio.run(on_terminal(fail, person.typed(), person.show))

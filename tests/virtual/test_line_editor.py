"""Editing of a line at the prompt, as in mksh's emacs mode: arrow keys, history, deletion in the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.terminal import ControlKey, LineEditor

UP, DOWN, LEFT, RIGHT = b"\x1b[A", b"\x1b[B", b"\x1b[D", b"\x1b[C"


def edited(typed: bytes, *history: str) -> tuple[bytes | ControlKey, ...]:
    return LineEditor(list(history), lambda: True).receive(typed)[0]


def screen(shown: bytes) -> str:
    """Return the last line that a terminal shows."""
    cells: list[str] = []
    at = 0
    for char in shown.decode():
        if char == "\b":
            at -= 1
        else:
            cells[at : at + 1] = [char]
            at += 1
    return "".join(cells).rstrip()


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (b"ls\r", "ls"),
        (UP + b"\r", "second"),
        (UP + UP + b"\r", "first"),
        (UP * 9 + b"\r", "first"),
        (UP + UP + DOWN + b"\r", "second"),
        (b"draft" + UP + DOWN + b"\r", "draft"),
        (b"\x1bOA\r", "second"),
        (b"\x10\x10\x0e\r", "second"),
        (UP + b"!\r", "second!"),
        (b"lx" + LEFT + b"\x7f" + b"a\r", "ax"),
        (b"bc\x01a\r", "abc"),
        (b"bc\x1b[Ha\x1b[Fd\r", "abcd"),
        (b"abc" + LEFT * 2 + b"\x1b[3~\r", "ac"),
        (b"abc" + LEFT * 2 + b"\x0b\r", "a"),
        (b"abc\x15d\r", "d"),
        (b"one two\x17x\r", "one x"),
        (b"ac" + LEFT + b"b" + RIGHT + b"d\r", "abcd"),
        ("中文".encode() + b"\x7f\r", "中"),
        (b"a\x1b[5~b\x1bqc\r", "abc"),
    ],
)
def test_keys(typed: bytes, line: str) -> None:
    assert edited(typed, "first", "second") == (line.encode() + b"\n",)


def test_what_is_shown_is_what_is_typed() -> None:
    editor = LineEditor(["a longer line"], lambda: True)
    shown = editor.receive(UP + DOWN + b"short" + LEFT * 2 + b"X")[1]
    assert screen(shown) == "shoXrt"


def test_control_keys() -> None:
    assert edited(b"abc\x03") == (ControlKey.INTERRUPT,)
    assert edited(b"\x04") == (ControlKey.END,)


def test_a_running_program_reads_without_editing() -> None:
    editor = LineEditor(["earlier"], lambda: False)
    assert editor.receive(UP + b"\r")[0] == (UP + b"\n",)


@given(st.text("ab\x7f\x01\x05", max_size=20), st.integers(1, 5))
def test_chunking_makes_no_difference(text: str, cut: int) -> None:
    typed = text.encode() + UP + b"x\r"
    parts = LineEditor(["h"], lambda: True)
    done = [each for at in range(0, len(typed), cut) for each in parts.receive(typed[at : at + cut])[0]]
    assert tuple(done) == edited(typed, "h")


@pytest.mark.parametrize("cut", range(1, 12))
def test_lines_typed_ahead_lose_nothing(cut: int) -> None:
    at_prompt = True
    editor = LineEditor([], lambda: at_prompt)
    typed = b"echo one\recho two\recho three\r"
    assert editor.receive(b"sleep 1\r" + typed[: cut // 2])[0] == (b"sleep 1\n",)
    at_prompt = False  # the command begins only now
    lines = editor.receive(typed[cut // 2 : -cut])[0]
    at_prompt = True
    lines += editor.receive(typed[-cut:])[0]
    assert lines == (b"echo one\n", b"echo two\n", b"echo three\n")


def test_a_line_begun_before_the_prompt_is_edited_and_shown_again() -> None:
    at_prompt = False
    editor = LineEditor(["ls"], lambda: at_prompt)
    assert editor.receive(b"ec" + UP) == ((), b"ec" + UP)
    at_prompt = True
    done, shown = editor.receive(b"!\r")
    assert (done, screen(shown.removesuffix(b"\r\n"))) == ((b"ls!\n",), "ls!")

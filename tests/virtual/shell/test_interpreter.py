from __future__ import annotations

import asyncio
import shlex
import subprocess
from collections.abc import AsyncIterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.virtual.os.files import FileSystem
from garabench.virtual.shell.interpreter import Call, Shell


async def echo(call: Call) -> int:
    await call.say(" ".join(call.argv[1:]) + "\n")
    return 0


async def false(call: Call) -> int:
    return 1


async def cat(call: Call) -> int:
    async for data in call.stdin:
        await call.write(data)
    return 0


async def wrong(call: Call) -> int:
    await call.complain("wrong\n")
    return 3


async def show(call: Call) -> int:
    await call.say("".join(f"<{word}>" for word in call.argv[1:]))
    return 0


def run(line: str, stdin: bytes = b"") -> tuple[str, str, int]:
    out, err = bytearray(), bytearray()

    async def to_out(data: bytes) -> None:
        out.extend(data)

    async def to_err(data: bytes) -> None:
        err.extend(data)

    async def source() -> AsyncIterator[bytes]:
        if stdin:
            yield stdin

    commands = {"echo": echo, "false": false, "cat": cat, "wrong": wrong, "show": show}
    shell = Shell(commands, FileSystem(lambda: 0))
    status = asyncio.run(shell.run(line, source(), to_out, to_err))
    return out.decode(), err.decode(), status


@pytest.mark.parametrize(
    ("line", "out", "status"),
    [
        ("echo a; echo b", "a\nb\n", 0),
        ("false && echo no || echo yes", "yes\n", 0),
        ("false; echo $?", "1\n", 0),
        ("X=1 ; echo $X ${X}2 '$X' \"$X\"", "1 12 $X 1\n", 0),
        ("echo one | cat | cat", "one\n", 0),
        (
            "echo hi > /sdcard/f; cat < /sdcard/f; echo more >> /sdcard/f; cat < /sdcard/f",
            "hi\nhi\nmore\n",
            0,
        ),
        ("wrong 2>&1 | cat", "wrong\n", 0),
        ("wrong 2>/dev/null", "", 3),
        ("show a\\ b 'c d' \"\" e#f # comment", "<a b><c d><><e#f>", 0),
        ("export A=b; exec echo $A", "b\n", 0),
        ("/system/bin/echo x", "x\n", 0),
        ("show $NOTHING x", "<x>", 0),
        ("", "", 0),
    ],
)
def test_lines(line: str, out: str, status: int) -> None:
    assert run(line) == (out, "", status)


def test_an_unknown_command_answers_as_on_android() -> None:
    assert run("nope x") == ("", "/system/bin/sh: nope: not found\n", 127)
    assert run("nope; echo $?")[0] == "127\n"


@pytest.mark.parametrize("line", ["echo 'open", "| cat", "echo x |", "a && ", "echo >", '"', "${a-b}"])
def test_what_is_not_shell_is_a_syntax_error(line: str) -> None:
    out, err, status = run(line)
    assert (out, status) == ("", 1)
    assert err.startswith("/system/bin/sh: syntax error")


@given(
    st.lists(
        st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=15),
        max_size=5,
    )
)
def test_quoted_arguments_arrive_intact(words: list[str]) -> None:
    assert run(shlex.join(["show", *words]))[0] == "".join(f"<{word}>" for word in words)


_pieces = st.sampled_from(
    [
        "echo a",
        "echo 'b c'",
        "false",
        " && ",
        " || ",
        "; ",
        "echo $?",
        'echo "x y"',
        "echo a | cat",
        "X=2",
        "echo $X",
        "\n",
    ]
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(_pieces, min_size=1, max_size=5).map("".join))
def test_lines_mean_what_they_mean_to_the_computers_shell(line: str) -> None:
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=10)
    out, err, status = run(line)
    if "syntax error" in done.stderr.lower() or "not found" in done.stderr:
        assert err
    else:
        assert (out, status) == (done.stdout, done.returncode)

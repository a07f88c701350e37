"""The interactive shell, as mksh of Android behaves on a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.shell.call import CommandCall
from garabench.virtual.shell.interactive import InteractiveShell, unfinished
from garabench.virtual.shell.interpreter import Shell
from garabench.virtual.shell.streams import InputStream


@pytest.mark.parametrize(
    "text",
    [
        "echo 'a\n",
        'echo "a\n',
        "for i in 1 2\n",
        "if true; then\n",
        "a |\n",
        "a &&\n",
        "cat <<E\nx\n",
        "a \\\n",
    ],
)
def test_incomplete_input_needs_more_lines(text: str) -> None:
    assert unfinished(text)


@pytest.mark.parametrize("text", ["", "\n", "echo a\n", "fi\n", "a | | b\n", "cat <<E\nx\nE\n", "( a )\n"])
def test_complete_or_invalid_input_needs_no_more_lines(text: str) -> None:
    assert not unfinished(text)


async def forever(call: CommandCall) -> int:
    await call.print("begun\n")
    await asyncio.Event().wait()
    return 0


async def cat(call: CommandCall) -> int:
    async for data in call.stdin:
        await call.write(data)
    return 0


def interact(*lines: str, host: str | None = None) -> tuple[str, int]:
    """Feed lines to a shell and press ctrl-C once a command prints "begun"; return output and status."""
    shown = bytearray()
    shell = Shell({"forever": forever, "cat": cat}, FileSystem(lambda: 0))
    session = InteractiveShell(shell, host)

    async def out(data: bytes) -> None:
        shown.extend(data)

    async def typed() -> AsyncIterator[bytes]:
        for line in lines:
            yield line.encode() + b"\n"

    async def session_with_ctrl_c() -> int:
        async def at_begun() -> None:
            while b"begun" not in shown:
                await asyncio.sleep(0)
            session.interrupt()

        helper = asyncio.ensure_future(at_begun())
        try:
            return await asyncio.wait_for(session.run(InputStream(typed()), out, out), 120)
        finally:
            helper.cancel()

    status = asyncio.run(session_with_ctrl_c())
    return bytes(shown).decode(), status


def test_lines_share_variables_and_the_directory() -> None:
    assert interact("a=1", "cd /sdcard", "echo $a $PWD") == ("1 /sdcard\n", 0)


def test_the_shell_exits_with_the_last_status() -> None:
    assert interact("true", "false") == ("", 1)
    assert interact("exit 3", "echo never") == ("", 3)


def test_a_command_reads_the_lines_that_follow_it() -> None:
    assert interact("cat", "typed") == ("typed\n", 0)


def test_a_syntax_error_does_not_end_the_shell() -> None:
    shown, status = interact("fi", "nope", "${", "echo on")
    assert "syntax error" in shown
    assert "/system/bin/sh: nope: inaccessible or not found" in shown
    shown, status = interact("echo ${a?missing}", "echo on")
    assert shown.endswith("on\n")
    assert status == 0


def test_a_loop_over_several_lines() -> None:
    assert interact("for i in 1 2; do", "echo $i", "done") == ("1\n2\n", 0)


def test_the_prompt_shows_device_directory_and_failure() -> None:
    shown, _ = interact("cd /sdcard", "false", "echo 'a", "b'", host="oriole")
    assert shown == ("oriole:/ $ oriole:/sdcard $ 1|oriole:/sdcard $ > a\nb\noriole:/sdcard $ ")


def test_ctrl_c_ends_the_command_and_not_the_shell() -> None:
    assert interact("forever", "echo $?") == ("begun\n130\n", 0)


def test_ctrl_c_at_the_prompt_is_harmless() -> None:
    assert not InteractiveShell(Shell({}, FileSystem(lambda: 0))).interrupt()
    assert interact("echo still") == ("still\n", 0)

"""The shell's grammar and builtins, by mksh's manual page and POSIX (XCU 2)."""

from __future__ import annotations

import shlex

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from garabench.virtual.shell.call import CommandCall
from tests.cases import every_case
from tests.virtual.shell import harness


async def cat(call: CommandCall) -> int:
    async for data in call.stdin:
        await call.write(data)
    return 0


async def failing(call: CommandCall) -> int:
    await call.print_error("wrong\n")
    return 3


async def show(call: CommandCall) -> int:
    await call.print("".join(f"<{word}>" for word in call.argv[1:]))
    return 0


COMMANDS = {"cat": cat, "wrong": failing, "show": show}


def run(line: str, stdin: bytes = b"") -> tuple[str, str, int]:
    return harness.run(line, stdin, commands=COMMANDS)


@every_case(
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


def test_an_unknown_command_fails_as_on_android() -> None:
    assert run("nope x") == ("", "/system/bin/sh: nope: inaccessible or not found\n", 127)
    assert run("nope; echo $?")[0] == "127\n"


@every_case(
    "line",
    [
        "echo 'open",
        "| cat",
        "echo x |",
        "a && ",
        "echo >",
        '"',
        "${a!b}",
        "if true",
        "fi",
        "for 1 in a; do :; done",
        "case x in",
        "( echo",
        "a ;; b",
        "{ echo",
    ],
)
def test_syntax_errors(line: str) -> None:
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
        "(exit 3)",
        "echo $(echo s)",
        "! ",
        "{ echo g; }",
        "if false; then echo t; else echo e; fi",
        "for i in 1 2; do echo $i; done",
        "echo $X",
        "\n",
    ]
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(_pieces, min_size=1, max_size=5).map("".join))
def test_lines_behave_as_in_the_hosts_shell(line: str) -> None:
    assume("! !" not in line)  # only dash rejects two of them
    expected, errors, code = harness.on_host(line, program="dash")
    out, err, status = run(line)
    if "syntax error" in errors.lower() or "not found" in errors:
        assert err
    else:
        assert (out, status) == (expected, code)


def test_background_jobs_are_awaited_and_killed_by_pid() -> None:
    line = "sleep 1 & A=$!; timeout 60 yes >/dev/null & B=$!; [ $A != $B ] && echo differ; "
    line += "kill -0 $B && echo runs; kill $B; wait $B; echo $?; wait $A; echo $?; wait 1; echo $?; kill $B"
    out, err, status = harness.on_phone(line)
    assert out == "differ\nruns\n130\n0\n127\n"
    assert (err.startswith("/system/bin/sh: kill: "), status) == (True, 1)

"""The builtins of the shell."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from garabench.virtual.shell import conditions
from garabench.virtual.shell.arithmetic import ShellArithmeticError, evaluate_arithmetic
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.printf import PrintfFormatError, format_arguments, process_escapes
from garabench.virtual.shell.printing import print_error, print_text
from garabench.virtual.shell.shell_state import ShellError, ShellJumpError, Variables
from garabench.virtual.shell.variables import (
    alias,
    declare,
    export,
    history,
    read,
    set_,
    shift,
    unalias,
    unset,
)

_KILLED, _NO_CHILD = 130, 127
Builtin = Callable[[Execution, list[str], Streams], Awaitable[int]]


async def colon(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``:`` and ``true``."""
    return 0


async def false(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Return a non-zero status."""
    return 1


async def echo(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the arguments; options ``-n``, ``-e`` and ``-E``, as in mksh."""
    words, newline, escapes = argv[1:], True, False
    while words and len(words[0]) > 1 and words[0][0] == "-" and set(words[0][1:]) <= set("neE"):
        newline = newline and "n" not in words[0]
        escapes = words[0].rfind("e") > words[0].rfind("E") or (escapes and "E" not in words[0])
        words = words[1:]
    text = " ".join(words)
    if escapes:
        text, cut = process_escapes(text)
        newline = newline and not cut
    await print_text(streams, text + ("\n" if newline else ""))
    return 0


async def printf(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the arguments in a format."""
    if len(argv) < 2:
        await print_error(streams, "printf: usage: printf format [arg ...]")
        return 1
    try:
        text, problems = format_arguments(argv[1], argv[2:])
    except PrintfFormatError as problem:
        await print_error(streams, f"printf: {problem}")
        return 1
    await print_text(streams, text)
    for message in problems:
        await print_error(streams, f"printf: {message}")
    return int(bool(problems))


async def test(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``test`` and ``[``."""
    words = argv[1:]
    if argv[0] == "[":
        if words[-1:] != ["]"]:
            await print_error(streams, "[: missing ]")
            return 2
        words = words[:-1]
    try:
        files = conditions.FileTests(sh.files, sh.state.cwd, terminals=streams.terminals)
        return int(not conditions.evaluate_test(words, files))
    except conditions.ShellConditionError as problem:
        await print_error(streams, f"{argv[0]}: {problem}")
        return 2


async def cd(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Change the directory."""
    wanted = argv[1] if len(argv) > 1 else sh.state.variables.get("HOME", "/")
    if wanted == "-":
        wanted = sh.state.variables.get("OLDPWD", sh.state.cwd)
    absolute = sh.files.resolve(wanted, sh.state.cwd)
    if not sh.files.is_dir(absolute):
        await print_error(streams, f"cd: {wanted}: No such file or directory")
        return 2
    sh.state.variables["OLDPWD"] = sh.state.cwd
    sh.state.variables["PWD"] = sh.state.cwd = absolute
    return 0


async def pwd(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the working directory."""
    await print_text(streams, sh.state.cwd + "\n")
    return 0


async def eval_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run the arguments as a script in this shell."""
    text = " ".join(argv[1:])
    if not text.strip():
        return 0
    sh.state.depth += 1
    try:
        if sh.state.depth > 60:
            raise ShellError("eval: nested too deeply")
        return await sh.source(text, streams)
    finally:
        sh.state.depth -= 1


async def dot(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run a file in this shell."""
    path = sh.files.resolve(argv[1], sh.state.cwd) if len(argv) > 1 else ""
    try:
        text = sh.files.read(path).decode("utf-8", errors="surrogateescape")
    except OSError as error:
        await print_error(streams, f".: {argv[1] if path else ''}: {error.strerror}")
        return 1
    try:
        return await sh.source(text, streams)
    except ShellJumpError as leave:
        if leave.kind != "return":
            raise
        return leave.value


async def exec_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Replace the shell with a command."""
    if len(argv) == 1:
        return 0
    raise ShellJumpError("exit", await sh.invoke(argv[1:], streams, {}))


async def command(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run a command bypassing functions, or with ``-v`` describe a name."""
    words = argv[1:]
    while words and words[0] in ("-p", "--"):
        words = words[1:]
    if words and words[0] in ("-v", "-V"):
        return await type_(sh, ["command", *words], streams)
    if not words:
        return 0
    builtin = BUILTINS.get(words[0])
    if builtin is not None:
        return await builtin(sh, words, streams)
    return await sh.external(words, streams, {})


async def type_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Describe names; ``command -v`` and ``which`` print their paths."""
    short = "-v" in argv[1:2] or argv[0] == "which"
    status = 0
    for name in (word for word in argv[1:] if not word.startswith("-")):
        bare = name.rpartition("/")[2]
        if name in sh.state.functions:
            description = name if short else f"{name} is a function"
        elif name in BUILTINS and argv[0] != "which":
            description = name if short else f"{name} is a shell builtin"
        elif bare in sh.commands or bare in BUILTINS:
            description = f"/system/bin/{bare}" if short else f"{name} is /system/bin/{bare}"
        else:
            status = 1
            if not short:
                await print_text(streams, f"{name} not found\n")
            continue
        await print_text(streams, description + "\n")
    return status


def _jump(kind: str) -> Builtin:
    async def leave(sh: Execution, argv: list[str], streams: Streams) -> int:
        operand = argv[1] if len(argv) > 1 else ""
        if kind in ("break", "continue"):
            if not sh.loops:
                return 0
            raise ShellJumpError(kind, max(1, int(operand)) if operand.isdecimal() else 1)
        try:
            value = int(operand) & 255 if operand else sh.state.status
        except ValueError:
            await print_error(streams, f"{kind}: {operand}: bad number")
            value = 1
        raise ShellJumpError(kind, value)

    return leave


async def trap(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Set a command to run when the shell exits."""
    words = argv[1:]
    if len(words) >= 2 and {"EXIT", "0"} & set(words[1:]):
        sh.trap = "" if words[0] == "-" else words[0]
    return 0


async def wait(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Wait for all background jobs of this shell, or for those with these pids."""
    wanted = argv[1:]
    jobs = [task for task in sh.state.children if not wanted or task.get_name() in wanted]
    if jobs:
        await asyncio.wait(jobs)
    known = {task.get_name(): _KILLED if task.cancelled() else task.result() for task in jobs}
    return known.get(wanted[-1], _NO_CHILD) if wanted else 0


async def kill(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Kill background jobs by pid; the phone's ``kill`` handles other processes."""
    jobs = {task.get_name(): task for task in sh.jobs}
    words = [word for word in argv[1:] if word not in jobs]
    for word in argv[1:]:
        if word in jobs and "-0" not in argv:
            jobs[word].cancel()
    await asyncio.sleep(0)
    if any(word.isdecimal() for word in words) or len(words) == len(argv) - 1:
        return await sh.external([argv[0], *words], streams, {})
    return 0


async def let(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Evaluate expressions; fails if the last result is 0."""
    value = 0
    for word in argv[1:]:
        try:
            value = evaluate_arithmetic(word, Variables(sh.state))
        except ShellArithmeticError as problem:
            await print_error(streams, f"let: {problem}")
            return 2
    return int(not value)


async def umask(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the file mode mask; setting it has no effect."""
    if len(argv) == 1:
        await print_text(streams, "0077\n")
    return 0


async def shell(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``sh -c`` and ``sh FILE``."""
    words = argv[1:]
    while words and words[0] in ("-e", "-x", "-u", "--"):
        words = words[1:]
    if words[:1] and words[0].startswith("-") and "c" in words[0]:
        text, name, arguments = (words[1] if len(words) > 1 else ""), words[2:3], words[3:]
    elif words:
        try:
            data = sh.files.read(sh.files.resolve(words[0], sh.state.cwd))
        except OSError as error:
            await print_error(streams, f"{words[0]}: {error.strerror}")
            return 127
        text, name, arguments = data.decode("utf-8", errors="surrogateescape"), words[:1], words[1:]
    else:
        text = b"".join([data async for data in streams.stdin]).decode("utf-8", errors="surrogateescape")
        name, arguments = [], []
    return await sh.child(text, streams, name[0] if name else "sh", arguments)


BUILTINS: Mapping[str, Builtin] = {
    ":": colon,
    "true": colon,
    "false": false,
    "echo": echo,
    "printf": printf,
    "test": test,
    "[": test,
    "cd": cd,
    "pwd": pwd,
    "export": export,
    "readonly": export,
    "local": declare,
    "typeset": declare,
    "declare": declare,
    "unset": unset,
    "alias": alias,
    "unalias": unalias,
    "history": history,
    "fc": history,
    "set": set_,
    "shift": shift,
    "read": read,
    "eval": eval_,
    ".": dot,
    "source": dot,
    "exec": exec_,
    "command": command,
    "type": type_,
    "which": type_,
    "break": _jump("break"),
    "continue": _jump("continue"),
    "return": _jump("return"),
    "exit": _jump("exit"),
    "trap": trap,
    "wait": wait,
    "kill": kill,
    "let": let,
    "umask": umask,
    "sh": shell,
    "/system/bin/sh": shell,
}
PROGRAMS = frozenset({"echo", "printf", "test", "[", "true", "false", "pwd", "sh", "which"})
"""Builtins that exist as programs in ``/system/bin``, too."""
SPECIAL = frozenset(
    {":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return"}
) | {
    "set",
    "shift",
    "trap",
    "unset",
}
"""Special builtins: assignments before them persist (POSIX 2.14)."""

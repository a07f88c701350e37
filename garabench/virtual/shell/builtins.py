"""The commands that are part of the shell, because they change it or ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from garabench.virtual.shell import conditions
from garabench.virtual.shell.arithmetic import ArithmeticProblem, evaluate
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.messages import complain, say
from garabench.virtual.shell.printf import PrintfProblem, escaped, formatted
from garabench.virtual.shell.state import Failure, Leave, Variables
from garabench.virtual.shell.variables import declare, export, read, set_, shift, unset

if TYPE_CHECKING:
    from garabench.virtual.shell.interpreter import Execution

_KILLED, _NO_CHILD = 130, 127
Builtin = Callable[["Execution", list[str], Streams], Awaitable[int]]


async def colon(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``:`` and ``true``."""
    return 0


async def false(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Fail."""
    return 1


async def echo(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the arguments; as mksh's, it knows ``-n``, ``-e`` and ``-E``."""
    words, newline, escapes = argv[1:], True, False
    while words and len(words[0]) > 1 and words[0][0] == "-" and set(words[0][1:]) <= set("neE"):
        newline = newline and "n" not in words[0]
        escapes = words[0].rfind("e") > words[0].rfind("E") or (escapes and "E" not in words[0])
        words = words[1:]
    text = " ".join(words)
    if escapes:
        text, cut = escaped(text)
        newline = newline and not cut
    await say(streams, text + ("\n" if newline else ""))
    return 0


async def printf(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print by a format."""
    if len(argv) < 2:
        await complain(streams, "printf: usage: printf format [arg ...]")
        return 1
    try:
        text, problems = formatted(argv[1], argv[2:])
    except PrintfProblem as problem:
        await complain(streams, f"printf: {problem}")
        return 1
    await say(streams, text)
    for each in problems:
        await complain(streams, f"printf: {each}")
    return int(bool(problems))


async def test(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``test`` and ``[``."""
    words = argv[1:]
    if argv[0] == "[":
        if words[-1:] != ["]"]:
            await complain(streams, "[: missing ]")
            return 2
        words = words[:-1]
    try:
        return int(not conditions.evaluate(words, conditions.Files(sh.shell.files, sh.state.cwd)))
    except conditions.ConditionProblem as problem:
        await complain(streams, f"{argv[0]}: {problem}")
        return 2


async def cd(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Go to a directory."""
    wanted = argv[1] if len(argv) > 1 else sh.state.variables.get("HOME", "/")
    if wanted == "-":
        wanted = sh.state.variables.get("OLDPWD", sh.state.cwd)
    whole = sh.shell.files.resolve(wanted, sh.state.cwd)
    if not sh.shell.files.is_dir(whole):
        await complain(streams, f"cd: {wanted}: No such file or directory")
        return 2
    sh.state.variables["OLDPWD"] = sh.state.cwd
    sh.state.variables["PWD"] = sh.state.cwd = whole
    return 0


async def pwd(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the directory."""
    await say(streams, sh.state.cwd + "\n")
    return 0


async def eval_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run the arguments as a script, in this shell."""
    text = " ".join(argv[1:])
    if not text.strip():
        return 0
    sh.state.depth += 1
    try:
        if sh.state.depth > 60:
            raise Failure("eval: nested too deeply")
        return await sh.source(text, streams)
    finally:
        sh.state.depth -= 1


async def dot(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run a file in this shell."""
    path = sh.shell.files.resolve(argv[1], sh.state.cwd) if len(argv) > 1 else ""
    try:
        text = sh.shell.files.read(path).decode("utf-8", errors="surrogateescape")
    except OSError as error:
        await complain(streams, f".: {argv[1] if path else ''}: {error.strerror}")
        return 1
    try:
        return await sh.source(text, streams)
    except Leave as leave:
        if leave.kind != "return":
            raise
        return leave.value


async def exec_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run a command in place of the shell."""
    if len(argv) == 1:
        return 0
    raise Leave("exit", await sh.invoke(argv[1:], streams, {}))


async def command(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run a command that is no function, or with ``-v`` tell what a name is."""
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
    """Tell what names are; ``command -v`` and ``which`` print their places."""
    short = "-v" in argv[1:2] or argv[0] == "which"
    status = 0
    for name in (word for word in argv[1:] if not word.startswith("-")):
        bare = name.rpartition("/")[2]
        if name in sh.state.functions:
            said = name if short else f"{name} is a function"
        elif name in BUILTINS and argv[0] != "which":
            said = name if short else f"{name} is a shell builtin"
        elif bare in sh.shell.commands or bare in BUILTINS:
            said = f"/system/bin/{bare}" if short else f"{name} is /system/bin/{bare}"
        else:
            status = 1
            if not short:
                await say(streams, f"{name} not found\n")
            continue
        await say(streams, said + "\n")
    return status


def _leaving(kind: str) -> Builtin:
    async def leave(sh: Execution, argv: list[str], streams: Streams) -> int:
        given = argv[1] if len(argv) > 1 else ""
        if kind in ("break", "continue"):
            if not sh.loops:
                return 0
            raise Leave(kind, max(1, int(given)) if given.isdecimal() else 1)
        try:
            value = int(given) & 255 if given else sh.state.status
        except ValueError:
            await complain(streams, f"{kind}: {given}: bad number")
            value = 1
        raise Leave(kind, value)

    return leave


async def trap(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run something when the shell ends."""
    words = argv[1:]
    if len(words) >= 2 and {"EXIT", "0"} & set(words[1:]):
        sh.trap = "" if words[0] == "-" else words[0]
    return 0


async def wait(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Wait for what this shell runs in the background, or for the jobs of these pids."""
    wanted = argv[1:]
    jobs = [task for task in sh.state.children if not wanted or task.get_name() in wanted]
    if jobs:
        await asyncio.wait(jobs)
    known = {task.get_name(): _KILLED if task.cancelled() else task.result() for task in jobs}
    return known.get(wanted[-1], _NO_CHILD) if wanted else 0


async def kill(sh: Execution, argv: list[str], streams: Streams) -> int:
    """End jobs of the background by their pid; ``kill`` of the phone has the other processes."""
    jobs = {task.get_name(): task for task in sh.shell.jobs}
    words = [word for word in argv[1:] if word not in jobs]
    for word in argv[1:]:
        if word in jobs and "-0" not in argv:
            jobs[word].cancel()
    await asyncio.sleep(0)
    if any(word.isdecimal() for word in words) or len(words) == len(argv) - 1:
        return await sh.external([argv[0], *words], streams, {})
    return 0


async def let(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Calculate; fails when the last result is 0."""
    value = 0
    for word in argv[1:]:
        try:
            value = evaluate(word, Variables(sh.state))
        except ArithmeticProblem as problem:
            await complain(streams, f"let: {problem}")
            return 2
    return int(not value)


async def umask(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the file mode mask; setting it changes nothing."""
    if len(argv) == 1:
        await say(streams, "0077\n")
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
            data = sh.shell.files.read(sh.shell.files.resolve(words[0], sh.state.cwd))
        except OSError as error:
            await complain(streams, f"{words[0]}: {error.strerror}")
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
    "break": _leaving("break"),
    "continue": _leaving("continue"),
    "return": _leaving("return"),
    "exit": _leaving("exit"),
    "trap": trap,
    "wait": wait,
    "kill": kill,
    "let": let,
    "umask": umask,
    "sh": shell,
    "/system/bin/sh": shell,
}
PROGRAMS = frozenset({"echo", "printf", "test", "[", "true", "false", "pwd", "sh", "which"})
"""These are files in ``/system/bin`` as well, for those who call them from there."""
SPECIAL = frozenset(
    {":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return"}
) | {
    "set",
    "shift",
    "trap",
    "unset",
}
"""Assignments before these stay (POSIX 2.14)."""

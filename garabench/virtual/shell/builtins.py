"""The builtins of the shell."""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Awaitable, Callable, Mapping

from garabench.virtual.shell import conditions
from garabench.virtual.shell.arithmetic import ShellArithmeticError, evaluate_arithmetic
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.declarations import export, typeset
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.jobs import jobs, kill, times, trap, ulimit, wait
from garabench.virtual.shell.lookups import describe
from garabench.virtual.shell.option_words import getopts, set_
from garabench.virtual.shell.printf import PrintfFormatError, format_arguments, process_escapes
from garabench.virtual.shell.printing import print_error, print_text
from garabench.virtual.shell.shell_state import ShellError, ShellJumpError, Variables
from garabench.virtual.shell.variables import alias, history, read, shift, unalias, unset

Builtin = Callable[[Execution, list[str], Streams], Awaitable[int]]


async def colon(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``:`` and ``true``."""
    return 0


async def false(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Return a non-zero status."""
    return 1


async def echo(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the arguments; options ``-n``, ``-e`` and ``-E``, as in mksh."""
    words, newline, escapes = argv[1:], True, True
    while words and len(words[0]) > 1 and words[0][0] == "-" and set(words[0][1:]) <= set("neE"):
        newline = newline and "n" not in words[0]
        if words[0].rfind("e") != words[0].rfind("E"):
            escapes = words[0].rfind("e") > words[0].rfind("E")
        words = words[1:]
    text = " ".join(words)
    if escapes:
        text, cut = process_escapes(text)
        newline = newline and not cut
    await print_text(streams, text + ("\n" if newline else ""))
    return 0


async def toybox_echo(sh: Execution, argv: list[str], streams: Streams) -> int:
    """The program ``echo``, which processes escapes only with ``-e``."""
    return await echo(sh, [argv[0], "-E", *argv[1:]], streams)


async def print_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``print [-AcelNnprsu[FD]] [WORD …]``: print the arguments."""
    words, newline, escapes, separator, fd = argv[1:], True, True, " ", 1
    while words and words[0].startswith("-") and len(words[0]) > 1:
        word = words.pop(0)
        if word == "--":
            break
        if word.startswith("-u"):
            fd = int(word[2:]) if word[2:].isdecimal() else 1
            continue
        if word == "-R":
            escapes = False
            break
        if set(word[1:]) - set("elNnr"):
            raise ShellError(f"print: {word}: unknown option")
        newline = newline and "n" not in word
        escapes = (escapes and "r" not in word) or "e" in word
        separator = "\n" if "l" in word else "\0" if "N" in word else separator
    text = separator.join(words)
    if escapes:
        text, cut = process_escapes(text)
        newline = newline and not cut
    end = ("\n" if separator == " " else separator) if newline else ""
    await streams.write(fd)((text + end).encode("utf-8", errors="surrogateescape"))
    return 0


async def bind(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``bind``: the keys of the line editor, which has none to bind."""
    if 0 in streams.terminals:
        return 0
    await print_error(streams, "bind: can't bind, not a tty")
    return 1


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
        return int(not conditions.evaluate_test(words, sh.file_tests(streams)))
    except conditions.ShellConditionError as problem:
        await print_error(streams, f"{argv[0]}: {problem}")
        return 2


async def cd(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Change the directory."""
    words = [word for word in argv[1:] if word not in ("-L", "-P", "--")]
    if len(words) > 2:
        await print_error(streams, "cd: too many arguments")
        return 2
    wanted = words[0] if words else sh.state.variables.get("HOME", "/")
    back = wanted == "-"
    if back:
        wanted = sh.state.variables.get("OLDPWD", sh.state.cwd)
    absolute = "/" + posixpath.normpath(posixpath.join(sh.state.cwd, wanted)).lstrip("/")
    if "-P" in argv:
        absolute = sh.files.real_path(absolute)
    if not sh.files.is_dir(absolute):
        await print_error(streams, f"cd: {wanted}: No such file or directory")
        return 2
    sh.state.variables["OLDPWD"] = sh.state.cwd
    sh.state.variables["PWD"] = sh.state.cwd = absolute
    if back:
        await print_text(streams, f"{absolute}\n")
    return 0


async def pwd(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Print the working directory."""
    shown = sh.files.real_path(sh.state.cwd) if "-P" in argv else sh.state.cwd
    await print_text(streams, f"{shown}\n")
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
        raise ShellError(f".: {argv[1] if path else ''}: {error.strerror}") from error
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
        return await whence(sh, ["whence", *([words[0]] if words[0] == "-V" else []), *words[1:]], streams)
    if not words:
        return 0
    found = BUILTINS.get(words[0])
    if found is not None:
        try:
            return await found(sh, words, streams)
        except ShellError as problem:  # ``command`` runs no special builtins: their errors end nothing
            await print_error(streams, str(problem))
            return 1
    return await sh.external(words, streams, {})


async def whence(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``whence [-pv] NAME …``, ``type`` and ``which``: say what names are."""
    options = "".join(word for word in argv[1:] if word.startswith("-"))
    names = [word for word in argv[1:] if not word.startswith("-")]
    long = argv[0] == "type" or "v" in options.lower()
    programs = argv[0] == "which" or "p" in options
    known = PROGRAMS if programs else BUILTINS
    return await describe(sh, names, streams, known, long=long, programs=programs)


async def builtin(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Run a builtin, bypassing functions."""
    if len(argv) == 1:
        return 0
    found = BUILTINS.get(argv[1])
    if found is None:
        await print_error(streams, f"builtin: {argv[1]}: not found")
        return 1
    return await found(sh, argv[1:], streams)


def _jump(kind: str) -> Builtin:
    async def leave(sh: Execution, argv: list[str], streams: Streams) -> int:
        operand = argv[1] if len(argv) > 1 else ""
        if kind in ("break", "continue"):
            if not sh.loops:
                return 0
            raise ShellJumpError(kind, max(1, int(operand)) if operand.isdecimal() else 1)
        try:
            value = int(operand) & 255 if operand else sh.state.status
        except ValueError as error:
            raise ShellError(f"{kind}: bad number: {operand}") from error
        raise ShellJumpError(kind, value)

    return leave


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
    """Print the file mode mask; setting it has no effect on files."""
    mask = sh.state.mask
    match argv[1:]:
        case []:
            await print_text(streams, f"{mask:03o}\n")
        case ["-S"]:
            groups = [stat.filemode(~mask & 0o777)[at : at + 3].replace("-", "") for at in (1, 4, 7)]
            shown = ",".join(f"{who}={group}" for who, group in zip("ugo", groups, strict=True))
            await print_text(streams, shown + "\n")
        case [text, *_] if text and set(text) <= set("01234567"):
            sh.state.mask = int(text, 8) & 0o777
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
    "local": typeset,
    "typeset": typeset,
    "global": typeset,
    "getopts": getopts,
    "print": print_,
    "bind": bind,
    "builtin": builtin,
    "jobs": jobs,
    "times": times,
    "ulimit": ulimit,
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
    "type": whence,
    "whence": whence,
    "which": whence,
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
PROGRAMS: Mapping[str, Builtin] = {
    **{name: BUILTINS[name] for name in ("printf", "test", "[", "true", "false", "pwd", "sh", "which")},
    "echo": toybox_echo,
}
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

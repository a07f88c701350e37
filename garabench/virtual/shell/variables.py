"""The builtins that read, print and unset variables, arguments and aliases."""

from __future__ import annotations

import getopt

from garabench.virtual.shell.arithmetic import ShellArithmeticError, evaluate_arithmetic
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.printing import print_error, print_text, quote
from garabench.virtual.shell.shell_state import ShellError, Variables

_LISTED_LINES = 16
"""Number of lines that ``fc -l`` lists."""


async def unset(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Unset variables, or functions with ``-f``."""
    functions, status = "-f" in argv[1:2], 0
    for name in argv[1:]:
        if name in ("-f", "-v"):
            continue
        base, bracket, rest = name.partition("[")
        if base in sh.state.read_only:
            await print_error(streams, f"read-only: {base}")
            status = 1
            continue
        if bracket:
            _unset_element(sh, base, rest.removesuffix("]"))
        elif functions or (name in sh.state.functions and name not in sh.state.variables):
            sh.state.functions.pop(name, None)
        else:
            sh.state.unset(name)
            sh.state.exported.discard(name)
    return status


def _unset_element(sh: Execution, name: str, subscript: str) -> None:
    """Remove an element of an array, or with ``@`` or ``*`` all."""
    if subscript in ("@", "*"):
        sh.state.unset(name)
        return
    try:
        index = evaluate_arithmetic(subscript, Variables(sh.state))
    except ShellArithmeticError as problem:
        raise ShellError(str(problem)) from problem
    if index == 0:
        sh.state.variables.pop(name, None)
    else:
        sh.state.arrays.get(name, {}).pop(index, None)


async def alias(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``alias [NAME[=VALUE] …]``: define aliases, or print them."""
    names, status = argv[1:], 0
    while names and names[0][:1] in ("-", "+") and len(names[0]) > 1:
        option = names.pop(0)
        if "t" in option or "d" in option:  # tracked aliases and directories: it has none
            return 0
    if not names:
        names = sorted(sh.state.aliases)
    for word in names:
        name, equals, value = word.partition("=")
        if equals:
            sh.state.aliases[name] = value
        elif name in sh.state.aliases:
            await print_text(streams, f"{name}={quote(sh.state.aliases[name])}\n")
        else:
            await print_text(streams, f"{name} alias not found\n")
            status = 1
    return status


async def unalias(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``unalias NAME …``, or ``unalias -a``."""
    if "-a" in argv[1:2]:
        sh.state.aliases.clear()
        return 0
    missing = [name for name in argv[1:] if sh.state.aliases.pop(name, None) is None]
    return int(bool(missing))


async def history(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``history`` and ``fc -l``: the lines typed at the prompt."""
    lines = sh.state.history
    if argv[0] == "fc" and "-l" not in argv:
        await print_error(streams, "fc: history function not available")
        return 1
    first = max(0, len(lines) - _LISTED_LINES)
    for number, line in enumerate(lines[first:], first + 1):
        await print_text(streams, f"{number}\t{line}\n")
    return 0


async def shift(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Drop the first arguments."""
    try:
        count = evaluate_arithmetic(argv[1], Variables(sh.state)) if len(argv) > 1 else 1
    except ShellArithmeticError as problem:
        raise ShellError(f"shift: {problem}") from problem
    if not 0 <= count <= len(sh.state.arguments):
        raise ShellError("shift: nothing to shift")
    del sh.state.arguments[:count]
    return 0


async def read(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``read [-Ar] [-d CHAR] [-n COUNT | -N COUNT] [-u FD] [NAME …]``: read a line into variables."""
    try:
        pairs, words = getopt.getopt(argv[1:], "Aad:N:n:pru:st:")
    except getopt.GetoptError as error:
        raise ShellError(f"read: -{error.opt}: unknown option") from error
    options = dict(pairs)
    raw = "-r" in options
    names = words or ["REPLY"]
    fd = options.get("-u", "0")
    source = streams.input(int(fd)) if fd.isdecimal() else None
    if source is None:
        await print_error(streams, f"read: -u: {fd}: bad file descriptor")
        return 2
    wanted = options.get("-N", options.get("-n", ""))
    if wanted.isdecimal():
        data = await source.take(int(wanted), whole="-N" in options)
        sh.state.set(names[0], data.removesuffix(b"\n").decode("utf-8", errors="surrogateescape"))
        return int(not data)
    end = (options["-d"].encode("utf-8", errors="surrogateescape")[:1] or b"\0") if "-d" in options else b"\n"
    data = await source.line(end)
    line = data.decode("utf-8", errors="surrogateescape")
    while not raw and line.rstrip("\n").endswith("\\") and line.endswith("\n"):
        more = await source.line()
        line = line[:-2] + more.decode("utf-8", errors="surrogateescape")
    line = line.removesuffix(end.decode("latin-1"))
    if "-A" in options or "-a" in options:
        fields = _fields(line, sh.state.variables.get("IFS", " \t\n"), len(line) + 1, raw=raw)
        while fields and not fields[-1]:
            fields.pop()
        sh.state.set_array(names[0], fields)
        return int(not data.endswith(end))
    fields = _fields(line, sh.state.variables.get("IFS", " \t\n"), len(names), raw=raw)
    for name, value in zip(names, fields, strict=True):
        sh.state.set(name, value)
    return int(not data.endswith(end))


def _fields(line: str, separators: str, count: int, *, raw: bool) -> list[str]:
    """Split a line into so many fields; the last one gets the rest, stripped of separators."""
    blank = "".join(char for char in separators if char in " \t\n")
    hard = "".join(char for char in separators if char not in " \t\n")
    fields: list[str] = []
    rest = line.lstrip(blank) if blank else line
    while len(fields) < count - 1:
        piece, at = "", 0
        while at < len(rest) and rest[at] not in separators:
            if rest[at] == "\\" and not raw:
                at += 1
            piece += rest[at : at + 1]
            at += 1
        while at < len(rest) and rest[at] in blank:
            at += 1
        if at < len(rest) and rest[at] in hard:
            at += 1
            while at < len(rest) and rest[at] in blank:
                at += 1
        fields.append(piece)
        rest = rest[at:]
    rest = rest.rstrip(blank) if blank else rest
    if hard and rest[-1:] in hard and rest and not any(char in hard for char in rest[:-1]):
        rest = rest[:-1].rstrip(blank)
    if not raw:
        rest = rest.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")
    return [*fields, rest]

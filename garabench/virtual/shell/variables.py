"""The builtins that set, print and unset variables, arguments and options."""

from __future__ import annotations

from garabench.virtual.shell.arithmetic import ShellArithmeticError, evaluate_arithmetic
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.printing import print_error, print_text
from garabench.virtual.shell.shell_state import ShellError, Variables

_LISTED_LINES = 16
"""Number of lines that ``fc -l`` lists."""


async def export(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Export variables, or make them read-only (``readonly``)."""
    names = sh.state.read_only if argv[0] == "readonly" else sh.state.exported
    words = [word for word in argv[1:] if word != "-p"]
    if not words:
        for name in sorted(names):
            await print_text(streams, f"{argv[0]} {name}={_quote(sh.state.variables.get(name, ''))}\n")
        return 0
    for word in words:
        name, equals, value = word.partition("=")
        if not name.isidentifier():
            await print_error(streams, f"{argv[0]}: {name}: is not an identifier")
            return 1
        if equals:
            sh.state.set(name, value)
        names.add(name)
    return 0


async def declare(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``local`` and ``typeset``: set variables."""
    for word in argv[1:]:
        if word.startswith(("-", "+")):
            continue
        name, equals, value = word.partition("=")
        if equals or name not in sh.state.variables:
            sh.state.set(name, value)
    return 0


async def unset(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Unset variables, or functions with ``-f``."""
    functions = "-f" in argv[1:2]
    for name in argv[1:]:
        if name in ("-f", "-v"):
            continue
        base, bracket, rest = name.partition("[")
        if base in sh.state.read_only:
            raise ShellError(f"read-only: {base}")
        if bracket:
            _unset_element(sh, base, rest.removesuffix("]"))
        elif functions or (name in sh.state.functions and name not in sh.state.variables):
            sh.state.functions.pop(name, None)
        else:
            sh.state.unset(name)
            sh.state.exported.discard(name)
    return 0


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
    if not names:
        names = sorted(sh.state.aliases)
    for word in names:
        name, equals, value = word.partition("=")
        if equals:
            sh.state.aliases[name] = value
        elif name in sh.state.aliases:
            await print_text(streams, f"{name}={_quote(sh.state.aliases[name])}\n")
        else:
            await print_error(streams, f"alias: {name}: not found")
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


async def set_(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Set options and arguments, or print the variables."""
    if len(argv) == 1:
        for name, value in sorted(sh.state.variables.items()):
            await print_text(streams, f"{name}={_quote(value)}\n")
        return 0
    words = argv[1:]
    while words and words[0][:1] in ("-", "+") and len(words[0]) > 1:
        word = words.pop(0)
        if word in ("-A", "+A") and words:
            sh.state.set_array(words[0], words[1:])
            return 0
        if word == "--":
            sh.state.arguments = words
            return 0
        if word in ("-o", "+o") and words:
            name = words.pop(0)
            letters = {"errexit": "e", "xtrace": "x", "nounset": "u", "noglob": "f"}.get(name, "")
        else:
            letters = word[1:]
        change = sh.state.options.update if word[0] == "-" else sh.state.options.difference_update
        change(set(letters) & set("exuf"))
    if words:
        sh.state.arguments = words
    return 0


async def shift(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Drop the first arguments."""
    count = int(argv[1]) if len(argv) > 1 and argv[1].isdecimal() else 1
    if count > len(sh.state.arguments):
        await print_error(streams, "shift: nothing to shift")
        return 1
    del sh.state.arguments[:count]
    return 0


async def read(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Read a line into variables."""
    words, raw = argv[1:], False
    while words and words[0].startswith("-"):
        option = words.pop(0)
        raw = raw or "r" in option
        if option in ("-p", "-t", "-n", "-u", "-d") and words:
            words.pop(0)
    names = words or ["REPLY"]
    data = await streams.stdin.line()
    line = data.decode("utf-8", errors="surrogateescape")
    while not raw and line.rstrip("\n").endswith("\\") and line.endswith("\n"):
        more = await streams.stdin.line()
        line = line[:-2] + more.decode("utf-8", errors="surrogateescape")
    line = line.removesuffix("\n")
    fields = _fields(line, sh.state.variables.get("IFS", " \t\n"), len(names), raw=raw)
    for name, value in zip(names, fields, strict=True):
        sh.state.set(name, value)
    return int(not data.endswith(b"\n"))


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


def _quote(text: str) -> str:
    plain = text and all(char.isalnum() or char in "_-./:@%+=," for char in text)
    return text if plain else "'" + text.replace("'", "'\\''") + "'"

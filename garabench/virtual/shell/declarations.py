"""The builtins that declare variables: ``typeset``, ``export`` and ``readonly`` (``mksh.1``)."""

from __future__ import annotations

import re
from dataclasses import replace

from garabench.virtual.shell.attributes import Attributes
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.printing import print_error, print_text, quote
from garabench.virtual.shell.shell_state import ShellError, ShellState

_OPTIONS = re.compile(r"[-+](?:[LRZi]\d*|[UfglnprtuxA])+")
_OPTION = re.compile(r"([LRZi])(\d*)|([Ufglnprtux])")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?")


async def typeset(sh: Execution, argv: list[str], streams: Streams) -> int:
    """``typeset [-+ilnprtuxU] [-LRZi N] [NAME[=VALUE] …]``: in a function the variables are local."""
    state, words = sh.state, argv[1:]
    letters: dict[str, str] = {}
    while words and words[0][:1] in ("-", "+") and len(words[0]) > 1:
        word = words.pop(0)
        if word == "--":
            break
        if _OPTIONS.fullmatch(word) is None:
            await print_error(streams, f"{argv[0]}: {word}: unknown option")
            return 1
        for letter, width, plain in _OPTION.findall(word[1:]):
            letters[letter or plain] = width or word[0]
    if "f" in letters:
        return await _functions(state, words, streams)
    if "p" in letters or not words:
        return await _print(state, words, streams, values="p" in letters)
    for word in words:
        name, equals, value = word.partition("=")
        if _NAME.fullmatch(name) is None:
            raise ShellError(f"{argv[0]}: {word}: is not an identifier")
        _declare(state, name, value if equals else None, letters)
    return 0


def _declare(state: ShellState, name: str, value: str | None, letters: dict[str, str]) -> None:
    """Give a variable attributes and a value."""
    base = name.partition("[")[0]
    if "g" not in letters:
        state.make_local(base)
    if "n" in letters:
        state.references.pop(base, None)
        if letters["n"] == "-":
            state.references[base] = value or base
        return
    attributes = changed(state.attributes.get(base, Attributes()), letters)
    if attributes != Attributes():
        state.attributes[base] = attributes
    else:
        state.attributes.pop(base, None)
    current = state.parameter(base) if value is None and attributes != Attributes() else value
    if current is not None:
        state.set(name, current)
    for letter, names in (("x", state.exported), ("r", state.read_only)):
        if letters.get(letter) == "-":
            names.add(base)
        elif letter in letters:
            names.discard(base)


def changed(attributes: Attributes, letters: dict[str, str]) -> Attributes:
    """Return attributes with options of ``typeset`` applied: by letter, their sign or number."""
    for letter, value in letters.items():
        on = value != "+"
        number = int(value) if value.isdecimal() else 0
        match letter:
            case "i":
                attributes = replace(attributes, integer=on, base=number if 2 <= number <= 36 else 10)
            case "U":
                attributes = replace(attributes, unsigned=on)
            case "u" | "l":
                attributes = replace(attributes, case=letter if on else "")
            case "L" | "R":
                justify = "Z" if attributes.justify == "Z" and letter == "R" else letter
                attributes = replace(attributes, justify=justify if on else "", width=number)
            case "Z":
                attributes = replace(attributes, justify="Z" if on else "", width=number)
    return attributes


async def _functions(state: ShellState, names: list[str], streams: Streams) -> int:
    """Print functions as they were typed."""
    missing = [name for name in names if name not in state.functions]
    for name in names or sorted(state.functions):
        if name in state.definitions:
            await print_text(streams, f"{state.definitions[name]}\n")
    return int(bool(missing))


async def _print(state: ShellState, names: list[str], streams: Streams, *, values: bool) -> int:
    """Print variables with their attributes, as commands that set them (``typeset -p``)."""
    for name in names or sorted(set(state.variables) | set(state.arrays)):
        head = "typeset"
        if name in state.references:
            head += " -n"
        if (attributes := state.attributes.get(name)) is not None:
            head += f" {attributes.flags}"
        head += " -r" * (name in state.read_only) + " -x" * (name in state.exported)
        elements = state.elements(name)
        if not values:
            await print_text(streams, f"{head} {name}\n")
        elif state.arrays.get(name):
            await print_text(streams, f"set -A {name}\n")
            for index, value in elements.items():
                await print_text(streams, f"{head} {name}[{index}]={quote(value)}\n")
        elif 0 in elements:
            await print_text(streams, f"{head} {name}={quote(elements[0])}\n")
    return 0


async def export(sh: Execution, argv: list[str], streams: Streams) -> int:
    """Export variables, or make them read-only (``readonly``)."""
    names = sh.state.read_only if argv[0] == "readonly" else sh.state.exported
    words = [word for word in argv[1:] if word not in ("-p", "--")]
    if not words:
        prefix = f"{argv[0]} " if "-p" in argv else ""
        for name in sorted(names):
            value = f"={quote(sh.state.variables[name])}" if name in sh.state.variables else ""
            await print_text(streams, f"{prefix}{name}{value}\n")
        return 0
    for word in words:
        name, equals, value = word.partition("=")
        if not name.isidentifier():
            raise ShellError(f"{argv[0]}: {word}: not an identifier")
        if equals:
            sh.state.set(name, value)
        names.add(name)
    return 0

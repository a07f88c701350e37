"""Utilities on lines: ``comm``, ``expand``, ``fmt``, ``more``, ``tac`` (forms of toybox)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.toybox_options import (
    UsageError,
    Utility,
    number,
    parse_options,
    read_operand,
    read_operands,
    split_lines,
)
from garabench.virtual.shell.call import CommandCall

_WIDTH, _TABS = 75, 8


async def comm(files: FileSystem, call: CommandCall) -> int:
    """``comm [-123] FILE FILE``: the lines of the first, of the second and of both, from sorted files."""
    options, names = parse_options(call, "123")
    if len(names) != 2:
        raise UsageError("Need 2 arguments")
    first, second = [split_lines(await read_operand(files, call, name)) for name in names]
    shown = [column for column in "123" if column not in options]
    out = []
    while first or second:
        if first and second and first[0] == second[0]:
            column, line = "3", first.pop(0)
            second.pop(0)
        elif not second or (first and first[0] < second[0]):
            column, line = "1", first.pop(0)
        else:
            column, line = "2", second.pop(0)
        if column in shown:
            out.append("\t" * shown.index(column) + line + "\n")
    await call.print("".join(out))
    return 0


async def expand(files: FileSystem, call: CommandCall) -> int:
    """``expand [-t WIDTH] [FILE…]``: spaces for tabs."""
    options, names = parse_options(call, "t:")
    width = number(options.get("t", str(_TABS)), minimum=1)
    async for _, data in read_operands(files, call, names):
        await call.print(data.decode("utf-8", errors="surrogateescape").expandtabs(min(width, 1000)))
    return 0


async def fmt(files: FileSystem, call: CommandCall) -> int:
    """``fmt [-w WIDTH] [FILE…]``: paragraphs with lines of one width (75)."""
    options, names = parse_options(call, "w:")
    width = number(options.get("w", str(_WIDTH)), minimum=1)
    async for _, data in read_operands(files, call, names):
        text = data.decode("utf-8", errors="surrogateescape")
        for paragraph in re.split(r"(\n\s*\n)", text):
            indent = re.match(r"[ \t]*", paragraph)
            if not paragraph.strip():
                await call.print("\n" * max(0, paragraph.count("\n") - 1))
                continue
            await call.print(_filled(paragraph.split(), indent[0] if indent else "", width))
    return 0


def _filled(words: list[str], indent: str, width: int) -> str:
    lines, line = [], ""
    for word in words:
        if line and len(indent) + len(line) + 1 + len(word) > width:
            lines.append(indent + line)
            line = ""
        line += f" {word}" if line else word
    return "".join(f"{each}\n" for each in [*lines, indent + line])


async def more(files: FileSystem, call: CommandCall) -> int:
    """``more [FILE…]``: without a terminal, as here, it prints its files like ``cat``."""
    _, names = parse_options(call, "")
    async for name, data in read_operands(files, call, names):
        head = f"{':' * 14}\n{name}\n{':' * 14}\n" if len(names) > 1 else ""
        await call.print(head)
        await call.write(data)
    return 0


async def tac(files: FileSystem, call: CommandCall) -> int:
    """``tac [FILE…]``: the lines of each file, the last first."""
    _, names = parse_options(call, "")
    async for _, data in read_operands(files, call, names):
        await call.write(b"".join(reversed(data.splitlines(keepends=True))))
    return 0


UTILITIES: Mapping[str, Utility] = {
    "comm": comm,
    "expand": expand,
    "fmt": fmt,
    "more": more,
    "tac": tac,
}

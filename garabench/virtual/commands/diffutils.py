"""``diff`` (toybox): normal, unified and brief forms, and directories."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.toybox_options import (
    UsageError,
    parse_options,
    problem,
    read_operand,
    split_lines,
)
from garabench.virtual.shell.call import CommandCall

_TROUBLE = 2


async def diff(files: FileSystem, call: CommandCall) -> int:
    """``diff [-qrsuiwbB] [-U LINES] FILE FILE``: 0 if they are equal, 1 if not, 2 in case of trouble."""
    try:
        options, names = parse_options(call, "aBbdiNqrsTtuwL:S:U:")
        if len(names) != 2:
            raise UsageError("Need 2 arguments")
        first, second = names
        if files.is_dir(call.path(first)) and files.is_dir(call.path(second)):
            return await _directories(files, call, first, second, options)
        return await _files(files, call, first, second, options)
    except UsageError as error:
        await call.print_error(problem(call, error))
        return _TROUBLE


async def _directories(
    files: FileSystem, call: CommandCall, first: str, second: str, options: dict[str, str]
) -> int:
    left, right = (set(files.listdir(call.path(name)) or ()) for name in (first, second))
    status = 0
    for name in sorted(left | right):
        pair = f"{first.rstrip('/')}/{name}", f"{second.rstrip('/')}/{name}"
        if name not in left or name not in right:
            await call.print(f"Only in {second if name in right else first}: {name}\n")
            status = 1
        elif not files.is_dir(call.path(pair[0])):
            status |= await _files(files, call, *pair, options)
        elif "r" in options:
            status |= await _directories(files, call, *pair, options)
        else:
            await call.print(f"Common subdirectories: {pair[0]} and {pair[1]}\n")
    return status


async def _files(
    files: FileSystem, call: CommandCall, first: str, second: str, options: dict[str, str]
) -> int:
    old = split_lines(await read_operand(files, call, first))
    new = split_lines(await read_operand(files, call, second))
    matcher = difflib.SequenceMatcher(None, _keys(old, options), _keys(new, options), autojunk=False)
    if all(tag == "equal" for tag, *_ in matcher.get_opcodes()):
        if "s" in options:
            await call.print(f"Files {first} and {second} are identical\n")
        return 0
    if "q" in options:
        await call.print(f"Files {first} and {second} differ\n")
    elif {"u", "U"} & options.keys():
        context = int(options["U"]) if options.get("U", "").isdecimal() else 3
        lines = difflib.unified_diff(old, new, first, second, n=context, lineterm="")
        await call.print("".join(f"{line}\n" for line in lines))
    else:
        await call.print(_normal(matcher, old, new))
    return 1


def _keys(lines: Sequence[str], options: dict[str, str]) -> list[str]:
    """Return the lines as they are compared."""
    found = list(lines)
    if "i" in options:
        found = [line.lower() for line in found]
    if "w" in options:
        return ["".join(line.split()) for line in found]
    return [" ".join(line.split()) for line in found] if "b" in options else found


def _normal(matcher: difflib.SequenceMatcher[str], old: Sequence[str], new: Sequence[str]) -> str:
    parts = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        before, after = _range(a, b), _range(c, d)
        parts.append(f"{before}{tag[0] if tag != 'insert' else 'a'}{after}\n".replace("r", "c"))
        parts += [f"< {line}\n" for line in old[a:b]]
        parts += ["---\n"] if tag == "replace" else []
        parts += [f"> {line}\n" for line in new[c:d]]
    return "".join(parts)


def _range(start: int, end: int) -> str:
    """Return a range of lines; that of an empty one is the line before it."""
    if end == start:
        return str(start)
    return str(start + 1) if end == start + 1 else f"{start + 1},{end}"

"""``grep``, ``egrep`` and ``fgrep``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.posix_regex import compile_posix
from garabench.virtual.commands.toybox_options import (
    UsageError,
    Utility,
    number,
    parse_options,
    read_operand,
    split_lines,
)
from garabench.virtual.shell.call import CommandCall


async def grep(files: FileSystem, call: CommandCall) -> int:
    """Print matching lines; exit status 0 if there are any, 1 if not, 2 after an error."""
    try:
        return await _grep(files, call)
    except UsageError as error:
        await call.print_error(f"{call.argv[0]}: {error}\n")
        return 2


def _walk(files: FileSystem, name: str, path: str) -> list[tuple[str, str]]:
    if not files.is_dir(path):
        return [(name, path)]
    found: list[tuple[str, str]] = []
    for entry in files.listdir(path) or ():
        found += _walk(files, f"{name.rstrip('/')}/{entry}", f"{path.rstrip('/')}/{entry}")
    return found


async def _grep(files: FileSystem, call: CommandCall) -> int:
    letters = "EFGivcnolLqsxwrRhHe:A:B:C:m:ab"
    options, rest = parse_options(call, letters, ("color=", "include=", "line-buffered"))
    patterns = [options["e"]] if "e" in options else rest[:1]
    names = rest if "e" in options else rest[1:]
    if not patterns:
        raise UsageError("no REGEX")
    explicit = [arg for index, arg in enumerate(call.argv) if call.argv[index - 1] == "-e"]
    lines = [
        line for pattern in (explicit if len(explicit) > 1 else patterns) for line in pattern.split("\n")
    ]
    expressions = [_expression(line, options, call.argv[0].rpartition("/")[2]) for line in lines]
    recursive = "r" in options or "R" in options
    sources: list[tuple[str, str]] = []
    for name in names or (["."] if recursive else ["-"]):
        full = call.path(name)
        sources += _walk(files, name, full) if recursive and name != "-" else [(name, full)]
    shown_names = "H" in options or ((len(sources) > 1 or recursive) and "h" not in options)
    found, wrong = False, False
    for name, path in sources:
        try:
            data = await read_operand(files, call, "-" if name == "-" else path)
        except UsageError as error:
            wrong = True
            if "s" not in options:
                await call.print_error(f"{call.argv[0]}: {name}{str(error)[len(path) :]}\n")
            continue
        shown = "(standard input)" if name == "-" else name
        matched = await _search(
            call, split_lines(data), expressions, options, shown if shown_names else "", shown
        )
        found = found or matched
        if matched and "q" in options:
            return 0
    return 2 if wrong and not found else int(not found)


def _expression(text: str, options: Mapping[str, str], name: str) -> re.Pattern[str]:
    fixed = "F" in options or name == "fgrep"
    ignore = "i" in options
    if fixed:
        expression = re.compile(re.escape(text), re.IGNORECASE if ignore else 0)
    else:
        expression = compile_posix(text, extended="E" in options or name == "egrep", ignore_case=ignore)
    if "x" in options:
        return re.compile(f"(?:{expression.pattern})\\Z", expression.flags & re.IGNORECASE)
    if "w" in options:
        return re.compile(f"(?<!\\w)(?:{expression.pattern})(?!\\w)", expression.flags & re.IGNORECASE)
    return expression


async def _search(
    call: CommandCall,
    lines: list[str],
    expressions: list[re.Pattern[str]],
    options: Mapping[str, str],
    prefix: str,
    name: str,
) -> bool:
    max_count = number(options["m"]) if "m" in options else len(lines)
    full = "x" in options

    def matches(line: str) -> bool:
        hit = any((e.match(line) if full else e.search(line)) is not None for e in expressions)
        return hit != ("v" in options)

    hits = [k for k, line in enumerate(lines) if matches(line)][:max_count]
    if "q" in options:
        return bool(hits)
    start = f"{prefix}:" if prefix else ""
    if "c" in options:
        await call.print(f"{start}{len(hits)}\n")
    elif "l" in options or "L" in options:
        if bool(hits) != ("L" in options):
            await call.print(f"{name}\n")
    elif "o" in options and "v" not in options:
        for k in hits:
            label = f"{start}{k + 1}:" if "n" in options else start
            pieces = {m.start(): m[0] for e in reversed(expressions) for m in e.finditer(lines[k]) if m[0]}
            await call.print("".join(f"{label}{pieces[at]}\n" for at in sorted(pieces)))
    else:
        await _context(call, lines, hits, options, prefix)
    return bool(hits)


async def _context(
    call: CommandCall, lines: list[str], hits: list[int], options: Mapping[str, str], prefix: str
) -> None:
    after = number(options.get("A", options.get("C", "0")))
    before = number(options.get("B", options.get("C", "0")))
    chosen, last = frozenset(hits), -1
    for k in sorted(
        {j for hit in hits for j in range(max(0, hit - before), min(len(lines), hit + after + 1))}
    ):
        if (after or before) and last >= 0 and k > last + 1:
            await call.print("--\n")
        mark = ":" if k in chosen else "-"
        label = (f"{prefix}{mark}" if prefix else "") + (f"{k + 1}{mark}" if "n" in options else "")
        await call.print(f"{label}{lines[k]}\n")
        last = k


UTILITIES: Mapping[str, Utility] = {"grep": grep, "egrep": grep, "fgrep": grep}

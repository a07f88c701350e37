"""Utilities on lines of text: cat, head, tail, wc, cut, sort, uniq, tr and others."""

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

_COUNT = re.compile(r"-\d+")
_RANGE = re.compile(r"(\d*)(-?)(\d*)")


async def cat(files: FileSystem, call: CommandCall) -> int:
    """Print files, or the input as it arrives."""
    options, names = parse_options(call, "uentv")
    status = 0
    for name in names or ["-"]:
        if name == "-" and "n" not in options:
            async for piece in call.stdin:
                await call.write(piece)
            continue
        try:
            data = await read_operand(files, call, name)
        except UsageError as error:
            await call.print_error(f"cat: {error}\n")
            status = 1
            continue
        if "n" in options:
            data = "".join(f"{k:>6}\t{line}\n" for k, line in enumerate(split_lines(data), 1)).encode()
        await call.write(data)
    return status


async def head(files: FileSystem, call: CommandCall) -> int:
    """Print the first lines."""
    call.argv = [f"-n{word[1:]}" if _COUNT.fullmatch(word) else word for word in call.argv]
    options, names = parse_options(call, "n:c:qv")
    many = len(names) > 1
    seen = 0
    async for name, data in read_operands(files, call, names):
        if many and "q" not in options:
            await call.print(("\n" if seen else "") + f"==> {name} <==\n")
        seen += 1
        if "c" in options:
            await call.write(data[: number(options["c"])])
        else:
            count = int(options.get("n", "10"))
            await call.write(b"".join(data.splitlines(keepends=True)[:count]))
    return int(seen < len(names))


async def tail(files: FileSystem, call: CommandCall) -> int:
    """Print the last lines, or with ``+n`` those from the n-th on."""
    call.argv = [f"-n{word[1:]}" if _COUNT.fullmatch(word) else word for word in call.argv]
    options, names = parse_options(call, "n:c:fq")
    text = options.get("c", options.get("n", "10"))
    from_start, count = text.startswith("+"), number(text.lstrip("+-"))
    seen = 0
    async for name, data in read_operands(files, call, names):
        if len(names) > 1 and "q" not in options:
            await call.print(("\n" if seen else "") + f"==> {name} <==\n")
        seen += 1
        parts = [bytes([byte]) for byte in data] if "c" in options else data.splitlines(keepends=True)
        selected = parts[max(0, count - 1) :] if from_start else parts[len(parts) - min(count, len(parts)) :]
        await call.write(b"".join(selected))
    return int(seen < len(names or ["-"]))


async def wc(files: FileSystem, call: CommandCall) -> int:
    """Count lines, words and bytes."""
    options, names = parse_options(call, "lwcm")
    wanted = [char for char in "lwmc" if char in options] or ["l", "w", "c"]
    totals = dict.fromkeys("lwmc", 0)
    seen = 0
    async for name, data in read_operands(files, call, names):
        seen += 1
        text = data.decode("utf-8", errors="replace")
        counts = {"l": data.count(b"\n"), "w": len(data.split()), "m": len(text), "c": len(data)}
        for char, count in counts.items():
            totals[char] += count
        await call.print(_format_counts(counts, wanted, name if names else ""))
    if len(names) > 1:
        await call.print(_format_counts(totals, wanted, "total"))
    return int(seen < len(names))


def _format_counts(counts: Mapping[str, int], wanted: list[str], name: str) -> str:
    numbers = " ".join(str(counts[char]) for char in wanted)
    return f"{numbers} {name}\n" if name else f"{numbers}\n"


def ranges(text: str) -> list[tuple[int, int]]:
    """Parse ranges such as ``1,3-5,7-`` into pairs of first and last.

    Raises:
        UsageError: It is not a list of ranges.
    """
    found = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None or not (match[1] or match[3]):
            raise UsageError(f"bad range '{part}'")
        first = int(match[1] or 1)
        last = int(match[3]) if match[3] else (1 << 30 if match[2] else first)
        if first < 1 or last < first:
            raise UsageError(f"bad range '{part}'")
        found.append((first, last))
    return found


async def cut(files: FileSystem, call: CommandCall) -> int:
    """Print parts of lines: fields, characters or bytes."""
    options, names = parse_options(call, "f:c:b:d:s", ("output-delimiter=",))
    chosen = next((char for char in "fcb" if char in options), None)
    if chosen is None:
        raise UsageError("needs -fFbcC")
    wanted, tab = ranges(options[chosen]), options.get("d", "\t")
    joiner = options.get("output-delimiter", tab)
    async for _, data in read_operands(files, call, names):
        out = []
        for line in split_lines(data):
            if chosen == "f":
                if tab not in line:
                    if "s" not in options:
                        out.append(line)
                    continue
                parts = line.split(tab)
                out.append(joiner.join(p for k, p in enumerate(parts, 1) if _in_ranges(k, wanted)))
            else:
                out.append("".join(char for k, char in enumerate(line, 1) if _in_ranges(k, wanted)))
        await call.print("".join(f"{line}\n" for line in out))
    return 0


def _in_ranges(position: int, wanted: list[tuple[int, int]]) -> bool:
    return any(first <= position <= last for first, last in wanted)


async def sort(files: FileSystem, call: CommandCall) -> int:
    """Sort lines."""
    options, names = parse_options(call, "nrufk:t:sbo:c")
    lines: list[str] = []
    async for _, data in read_operands(files, call, names):
        lines += split_lines(data)
    spec = options.get("k", "")
    numeric, backwards = "n" in options or "n" in spec, "r" in options or "r" in spec
    field = int(re.match(r"\d+", spec)[0]) if re.match(r"\d+", spec) else 0  # type: ignore[index]
    last = re.search(r",(\d+)", spec)

    def key(line: str) -> tuple[object, ...]:
        text = line
        if field:
            parts = line.split(options["t"]) if "t" in options else line.split()
            end = int(last[1]) if last else len(parts)
            text = options.get("t", " ").join(parts[field - 1 : end])
        if "f" in options:
            text = text.upper()
        if numeric:
            match = re.match(r"\s*-?\d+(\.\d+)?", text)
            return (float(match[0]) if match else 0.0,)
        return (text.encode("utf-8", errors="surrogateescape"),)

    ordered = sorted(
        lines, key=lambda line: line.encode("utf-8", errors="surrogateescape"), reverse=backwards
    )
    ordered = sorted(ordered if field or numeric or "f" in options else lines, key=key, reverse=backwards)
    if "u" in options:
        unique: dict[tuple[object, ...], str] = {}
        for line in ordered:
            unique.setdefault(key(line), line)
        ordered = list(unique.values())
    text = "".join(f"{line}\n" for line in ordered)
    if "o" in options:
        files.write(call.path(options["o"]), text.encode("utf-8", errors="surrogateescape"))
    else:
        await call.print(text)
    return 0


async def uniq(files: FileSystem, call: CommandCall) -> int:
    """Drop lines that equal the previous one."""
    options, names = parse_options(call, "cduif:s:")
    groups: list[tuple[str, int]] = []
    async for _, data in read_operands(files, call, names[:1]):
        for line in split_lines(data):
            same = groups and (
                groups[-1][0].lower() == line.lower() if "i" in options else groups[-1][0] == line
            )
            groups[-1:] = [(groups[-1][0], groups[-1][1] + 1)] if same else [*groups[-1:], (line, 1)]
    for line, count in groups:
        if ("d" in options and count < 2) or ("u" in options and count > 1):
            continue
        await call.print(f"{count:>7} {line}\n" if "c" in options else f"{line}\n")
    return 0


def _expand_set(text: str) -> list[str]:
    classes = {
        "alpha": [chr(k) for k in range(128) if chr(k).isalpha()],
        "digit": list("0123456789"),
        "alnum": [chr(k) for k in range(128) if chr(k).isalnum()],
        "upper": [chr(k) for k in range(65, 91)],
        "lower": [chr(k) for k in range(97, 123)],
        "space": list(" \t\n\r\v\f"),
        "blank": list(" \t"),
        "punct": [chr(k) for k in range(33, 127) if not chr(k).isalnum()],
        "cntrl": [chr(k) for k in (*range(32), 127)],
        "print": [chr(k) for k in range(32, 127)],
    }
    escapes = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "0": "\0", "f": "\f", "v": "\v"}
    found: list[str] = []
    at = 0
    while at < len(text):
        if match := re.compile(r"\[:(\w+):\]").match(text, at):
            if match[1] not in classes:
                raise UsageError(f"bad class {match[1]}")
            found += classes[match[1]]
            at = match.end()
            continue
        if text[at] == "\\" and at + 1 < len(text):
            octal = re.compile(r"[0-7]{1,3}").match(text, at + 1)
            char = chr(int(octal[0], 8)) if octal else escapes.get(text[at + 1], text[at + 1])
            at = octal.end() if octal else at + 2
        else:
            char = text[at]
            at += 1
        if text[at : at + 1] == "-" and at + 1 < len(text):
            found += [chr(k) for k in range(ord(char), ord(text[at + 1]) + 1)]
            at += 2
        else:
            found.append(char)
    return found


async def tr(files: FileSystem, call: CommandCall) -> int:
    """Replace, delete or squeeze characters."""
    options, sets = parse_options(call, "cdsC")
    if not sets or (len(sets) == 1 and not {"d", "s"} & options.keys()):
        raise UsageError("needs 2 arguments")
    first = _expand_set(sets[0])
    second = _expand_set(sets[1]) if len(sets) > 1 else []
    data = (await call.read_all()).decode("utf-8", errors="surrogateescape")
    complement = "c" in options or "C" in options
    chosen = frozenset(first)

    def is_in(char: str) -> bool:
        return (char in chosen) != complement

    if "d" in options:
        data = "".join(char for char in data if not is_in(char))
        squeezed = frozenset(second)
    else:
        if second:
            table = {char: second[min(k, len(second) - 1)] for k, char in reversed(list(enumerate(first)))}
            data = "".join(
                (second[-1] if complement else table[char]) if is_in(char) else char for char in data
            )
        squeezed = frozenset(second or first)
    if "s" in options:
        selected: list[str] = []
        for char in data:
            inside = char in squeezed if second or not complement else char not in chosen
            if not (selected and selected[-1] == char and inside):
                selected.append(char)
        data = "".join(selected)
    await call.print(data)
    return 0


async def tee(files: FileSystem, call: CommandCall) -> int:
    """Print the input and write it to files."""
    options, names = parse_options(call, "ai")
    data = await call.read_all()
    for name in names:
        path = call.path(name)
        old = files.read(path) if "a" in options and files.stat(path) is not None else b""
        files.write(path, old + data)
    await call.write(data)
    return 0


async def rev(files: FileSystem, call: CommandCall) -> int:
    """Reverse each line."""
    async for _, data in read_operands(files, call, call.argv[1:]):
        await call.print("".join(f"{line[::-1]}\n" for line in split_lines(data)))
    return 0


async def nl(files: FileSystem, call: CommandCall) -> int:
    """Number the non-empty lines."""
    _, names = parse_options(call, "b:n:s:w:v:")
    seen = 0
    async for _, data in read_operands(files, call, names):
        for line in split_lines(data):
            seen += bool(line)
            await call.print(f"{seen:>6}\t{line}\n" if line else "       \n")
    return 0


async def paste(files: FileSystem, call: CommandCall) -> int:
    """Join lines of files side by side, or with ``-s`` those of each file."""
    options, names = parse_options(call, "d:s")
    joiner = options.get("d", "\t")
    columns = [split_lines(data) async for _, data in read_operands(files, call, names)]
    if "s" in options:
        rows = [joiner.join(lines) for lines in columns]
    else:
        longest = max(map(len, columns), default=0)
        rows = [joiner.join(c[k] if k < len(c) else "" for c in columns) for k in range(longest)]
    await call.print("".join(f"{row}\n" for row in rows))
    return 0


async def seq(files: FileSystem, call: CommandCall) -> int:
    """Print a sequence of numbers."""
    words = call.argv[1:]
    joiner = "\n"
    if words[:1] == ["-s"] and len(words) > 1:
        joiner, words = words[1], words[2:]
    if not 1 <= len(words) <= 3:
        raise UsageError("Needs 1 argument" if not words else "Max 3 arguments")
    try:
        values = [int(word) for word in words]
    except ValueError as error:
        raise UsageError(f"not a number: {words}") from error
    first, step, last = {1: (1, 1, *values[:1]), 2: (*values[:1], 1, *values[1:])}.get(len(values), values)
    if step == 0:
        raise UsageError("step of 0")
    numbers = range(first, last + (1 if step > 0 else -1), step)[:100_000]
    text = joiner.join(map(str, numbers))
    await call.print(text + "\n" if text else "")
    return 0


async def strings(files: FileSystem, call: CommandCall) -> int:
    """Print runs of at least four printable characters."""
    async for _, data in read_operands(
        files, call, [word for word in call.argv[1:] if not word.startswith("-")]
    ):
        for match in re.finditer(rb"[ -~]{4,}", data):
            await call.write(match[0] + b"\n")
    return 0


UTILITIES: Mapping[str, Utility] = {
    "cat": cat,
    "cut": cut,
    "head": head,
    "nl": nl,
    "paste": paste,
    "rev": rev,
    "seq": seq,
    "sort": sort,
    "strings": strings,
    "tail": tail,
    "tee": tee,
    "tr": tr,
    "uniq": uniq,
    "wc": wc,
}

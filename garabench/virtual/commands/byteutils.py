"""Utilities on bytes: sums, base64, xxd, cmp and dd."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.toybox_options import (
    UsageError,
    Utility,
    number,
    parse_options,
    read_operands,
)
from garabench.virtual.shell.call import CommandCall


async def digest(files: FileSystem, call: CommandCall) -> int:
    """``md5sum [FILE…]``, ``sha1sum`` and the sums of SHA-2, and ``md5``."""
    name_of = call.argv[0].rpartition("/")[2]
    options, names = parse_options(call, "bc")
    status = len(names)
    async for name, data in read_operands(files, call, names):
        status -= 1
        text = hashlib.new(name_of.removesuffix("sum"), data, usedforsecurity=False).hexdigest()
        await call.print(f"{text}\n" if "b" in options else f"{text}  {name}\n")
    return int(status > 0)


async def base64_(files: FileSystem, call: CommandCall) -> int:
    """Encode, or with ``-d`` decode."""
    options, names = parse_options(call, "diw:")
    async for _, data in read_operands(files, call, names[:1]):
        if "d" in options:
            try:
                await call.write(base64.b64decode(re.sub(rb"\s", b"", data), validate="i" not in options))
            except ValueError as error:
                raise UsageError("bad input") from error
            continue
        text = base64.b64encode(data).decode()
        width = number(options.get("w", "76"))
        lines = [text[at : at + width] for at in range(0, len(text), width)] if width else [text]
        await call.print("".join(f"{line}\n" for line in lines))
    return 0


async def xxd(files: FileSystem, call: CommandCall) -> int:
    """Dump bytes in hexadecimal."""
    options, names = parse_options(call, "pl:c:rs:")
    async for _, data in read_operands(files, call, names[:1]):
        data = data[: number(options["l"])] if "l" in options else data
        if "r" in options:
            await call.write(bytes.fromhex(re.sub(r"\s", "", data.decode("ascii", errors="replace"))))
            continue
        width = 30 if "p" in options else 16
        for at in range(0, len(data), width):
            row = data[at : at + width]
            if "p" in options:
                await call.print(row.hex() + "\n")
                continue
            pairs = " ".join(row[k : k + 2].hex() for k in range(0, len(row), 2))
            shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
            await call.print(f"{at:08x}: {pairs:<39}  {shown}\n")
    return 0


async def cmp(files: FileSystem, call: CommandCall) -> int:
    """Compare two files."""
    options, names = parse_options(call, "sl")
    if len(names) != 2:
        raise UsageError("Need 2 arguments")
    one, other = [files.read(call.path(name)) for name in names]
    if one == other:
        return 0
    if "s" not in options:
        at = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
        if at is None:
            short = names[0] if len(one) < len(other) else names[1]
            await call.print_error(f"cmp: EOF on {short}\n")
        else:
            line = one[:at].count(b"\n") + 1
            await call.print(f"{names[0]} {names[1]} differ: char {at + 1}, line {line}\n")
    return 1


async def dd(files: FileSystem, call: CommandCall) -> int:
    """Copy blocks."""
    values = dict(word.partition("=")[::2] for word in call.argv[1:])
    block = number(values.get("bs", "512").lower().replace("k", "024").replace("m", "048576"), minimum=1)
    data = files.read(call.path(values["if"])) if "if" in values else await call.read_all()
    start = number(values.get("skip", "0")) * block
    end = start + number(values["count"]) * block if "count" in values else len(data)
    data = data[start:end]
    if "of" in values:
        files.write(call.path(values["of"]), data)
    else:
        await call.write(data)
    whole, part = divmod(len(data), block)
    await call.print_error(f"{whole}+{int(bool(part))} records in\n{whole}+{int(bool(part))} records out\n")
    return 0


_OD_FORMS = {"a": "x1", "b": "o1", "c": "c1", "d": "u2", "o": "o2", "s": "d2", "x": "x2"}
_OD_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}


async def od(files: FileSystem, call: CommandCall) -> int:
    """``od [-A BASE] [-t TYPE] [-j SKIP] [-N COUNT] [-bcdosxv] [FILE…]``."""
    options, names = parse_options(call, "j:vw:N:xsodcbA:t:")
    data = b"".join([part async for _, part in read_operands(files, call, names)])
    data = data[number(options.get("j", "0")) :]
    data = data[: number(options["N"])] if "N" in options else data
    form = options.get("t") or next((_OD_FORMS[key] for key in options if key in _OD_FORMS), "o2")
    kind = form[0]
    size = {"C": 1, "S": 2, "I": 4, "L": 8}.get(form[1:2], 0) or (
        int(form[1:]) if form[1:].isdecimal() else 0
    )
    size = size or (1 if kind in "ac" else 4)
    base = options.get("A", "o")[:1]
    if kind not in "acduox" or size not in (1, 2, 4, 8):
        raise UsageError(f"bad -t {form}")
    if base not in "doxn":
        raise UsageError(f"bad -A '{base}'")
    width = number(options.get("w", "16"), minimum=1)
    previous, starred = None, False
    for start in range(0, len(data), width):
        row = data[start : start + width]
        if row == previous and "v" not in options and start + width < len(data):
            await call.print("" if starred else "*\n")
            starred = True
            continue
        previous, starred = row, False
        cells = [row[at : at + size].ljust(size, b"\0") for at in range(0, len(row), size)]
        await call.print(_od_address(start, base) + "".join(_od_cell(cell, kind) for cell in cells) + "\n")
    await call.print("" if base == "n" else f"{_od_address(len(data), base)}\n")
    return 0


def _od_address(offset: int, base: str) -> str:
    return {"o": f"{offset:07o}", "d": f"{offset:07d}", "x": f"{offset:07x}", "n": ""}[base]


def _od_cell(cell: bytes, kind: str) -> str:
    """Return a value of a row, as wide as the widest of its size."""
    if kind in "ac":
        value = cell[0]
        shown = _OD_ESCAPES.get(value) or (chr(value) if 32 <= value < 127 else f"{value:03o}")
        return f" {shown:>3}"
    bits, value = 8 * len(cell), int.from_bytes(cell, "little", signed=kind == "d")
    if kind in "du":
        return f" {value:>{len(str((1 << bits) - 1)) + (kind == 'd')}}"
    digits = -(-bits // 3) if kind == "o" else bits // 4
    return f" {value:0{digits}{kind}}"


UTILITIES: Mapping[str, Utility] = {
    "base64": base64_,
    "cmp": cmp,
    "dd": dd,
    "od": od,
    "md5": digest,
    "md5sum": digest,
    **{f"sha{bits}sum": digest for bits in (1, 224, 256, 384, 512)},
    "xxd": xxd,
}

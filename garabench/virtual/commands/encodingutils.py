"""Utilities on encodings: sums, line ends, character sets and ``uuencode`` (forms of toybox)."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.toybox_options import (
    UsageError,
    Utility,
    parse_options,
    read_operand,
    read_operands,
)
from garabench.virtual.shell.call import CommandCall

_POLYNOMIAL, _MASK = 0x04C11DB7, 0xFFFFFFFF
_LINE = 45
"""Bytes of a line of ``uuencode``."""
_BEGIN = re.compile(rb"^begin(?P<kind>-base64)? (?P<mode>[0-7]+) (?P<name>[^\r\n]+)\r?\n", re.MULTILINE)


def _remainder(byte: int) -> int:
    value = byte << 24
    for _ in range(8):
        value = (value << 1) ^ (_POLYNOMIAL if value & 0x80000000 else 0)
    return value & _MASK


_REMAINDERS = tuple(_remainder(byte) for byte in range(256))


def crc(data: bytes) -> int:
    """Return the sum of POSIX ``cksum``: of the data and of their length."""
    size, length = len(data), bytearray()
    while size:
        length.append(size & 0xFF)
        size >>= 8
    value = 0
    for byte in (*data, *length):
        value = (value << 8) & _MASK ^ _REMAINDERS[value >> 24 ^ byte]
    return value ^ _MASK


async def cksum(files: FileSystem, call: CommandCall) -> int:
    """``cksum [FILE…]``: the sum and the length of each file."""
    _, names = parse_options(call, "")
    async for name, data in read_operands(files, call, names):
        await call.print(f"{crc(data)} {len(data)}{'' if name == '-' else ' ' + name}\n")
    return 0


async def line_ends(end: bytes, files: FileSystem, call: CommandCall) -> int:
    """``dos2unix [FILE…]``, ``unix2dos [FILE…]``: change the ends of lines in each file, or of the input."""
    _, names = parse_options(call, "")
    for name in names or ["-"]:
        data = (await read_operand(files, call, name)).replace(b"\r\n", b"\n").replace(b"\n", end)
        if name == "-":
            await call.write(data)
        else:
            files.write(call.path(name), data)
    return 0


async def iconv(files: FileSystem, call: CommandCall) -> int:
    """``iconv [-f FROM] [-t TO] [FILE…]``: another encoding; UTF-8 by default."""
    options, names = parse_options(call, "cst:f:")
    try:
        source, target = (codecs.lookup(options.get(name, "utf8")).name for name in "ft")
    except LookupError as error:
        raise UsageError("bad encoding") from error
    async for _, data in read_operands(files, call, names):
        try:
            await call.write(data.decode(source, "ignore").encode(target, "ignore"))
        except (LookupError, ValueError) as error:  # such as "hex", which is a codec but no character set
            raise UsageError("bad encoding") from error
    return 0


async def uuencode(files: FileSystem, call: CommandCall) -> int:
    """``uuencode [-m] [FILE] NAME``: a file as text; ``-m`` by base64."""
    options, names = parse_options(call, "m")
    if not names or len(names) > 2:
        raise UsageError("Needs 1 argument" if not names else "Max 2 arguments")
    data = await read_operand(files, call, names[0] if len(names) > 1 else "-")
    parts = [data[at : at + _LINE] for at in range(0, len(data), _LINE)]
    if "m" in options:
        body = "".join(f"{base64.b64encode(part).decode()}\n" for part in parts)
        await call.print(f"begin-base64 744 {names[-1]}\n{body}====\n")
    else:
        body = "".join(binascii.b2a_uu(part, backtick=True).decode() for part in parts)
        await call.print(f"begin 744 {names[-1]}\n{body}`\nend\n")
    return 0


async def uudecode(files: FileSystem, call: CommandCall) -> int:
    """``uudecode [-o FILE] [FILE]``: the file that ``uuencode`` has written."""
    options, names = parse_options(call, "o:")
    text = await read_operand(files, call, names[0] if names else "-")
    found = _BEGIN.search(text)
    if found is None:
        raise UsageError("no begin line")
    data = bytearray()
    try:
        for line in text[found.end() :].splitlines():
            if line in (b"====", b"end", b"`"):
                break
            data += base64.b64decode(line) if found["kind"] else binascii.a2b_uu(line)
    except ValueError as error:
        raise UsageError("bad line") from error
    target = options.get("o", found["name"].decode(errors="replace"))
    if target == "-":
        await call.write(bytes(data))
    else:
        files.write(call.path(target), bytes(data), mode=int(found["mode"], 8) & 0o777)
    return 0


UTILITIES: Mapping[str, Utility] = {
    "cksum": cksum,
    "dos2unix": partial(line_ends, b"\n"),
    "iconv": iconv,
    "unix2dos": partial(line_ends, b"\r\n"),
    "uudecode": uudecode,
    "uuencode": uuencode,
}

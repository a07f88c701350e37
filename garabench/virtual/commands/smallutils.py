"""Small utilities: ``file``, ``split``, ``tty``, ``setsid``, ``unlink`` (forms of toybox)."""

from __future__ import annotations

import posixpath
import stat as modes
from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.toybox_options import UsageError, Utility, number, parse_options, read_operand
from garabench.virtual.shell.call import CommandCall

_KINDS = (
    (b"\x7fELF", "ELF shared object"),
    (b"\x89PNG\r\n\x1a\n", "PNG image data"),
    (b"\xff\xd8", "JPEG image data"),
    (b"GIF8", "GIF image data"),
    (b"PK\x03\x04", "Zip archive data, requires at least v2.0 to extract"),
    (b"\x1f\x8b", "gzip compressed data"),
    (b"dex\n", "Android dex file, version 035"),
    (b"SQLite format 3\0", "SQLite3 database"),
    (b"BZh", "bzip2 compressed data"),
)
_TEXT = frozenset({7, 8, 9, 10, 11, 12, 13, 27, *range(32, 127), *range(128, 256)})
_UNITS = {"": 1, "b": 512, "k": 1024, "m": 1 << 20}
_FIRST_LETTERS = 2


async def file(files: FileSystem, call: CommandCall) -> int:
    """``file [-bhLs] FILE…``: the kind of each file, by its first bytes."""
    options, names = parse_options(call, "bhLs")
    if not names:
        raise UsageError("Needs 1 argument")
    width = max(len(name) for name in names) + 2
    for name in names:
        head = "" if "b" in options else f"{name + ': ':<{width}}"
        await call.print(f"{head}{_kind(files, call.path(name))}\n")
    return 0


def _kind(files: FileSystem, path: str) -> str:
    found, target = files.stat(path), files.readlink(path)
    if target is not None:
        return f"symbolic link to {target}"
    if found is None:
        return "cannot open: No such file or directory"
    if modes.S_ISDIR(found.mode):
        return "directory"
    if modes.S_ISCHR(found.mode):
        return "character special"
    try:
        data = files.read(path)[:4096]
    except OSError as error:
        return f"cannot open: {error.strerror}"
    if not data:
        return "empty"
    known = next((kind for start, kind in _KINDS if data.startswith(start)), "")
    if known:
        return known
    if data.startswith(b"#!"):
        program = data[2:].partition(b"\n")[0].strip()
        return f"{program.decode(errors='replace')} script"
    if not set(data) <= _TEXT:
        return "data"
    return "ASCII text" if max(data) < 0x80 else "UTF-8 text"


async def split(files: FileSystem, call: CommandCall) -> int:
    """``split [-a LENGTH] [-b BYTES] [-l LINES] [FILE [PREFIX]]``: parts named ``PREFIXaa`` and so on."""
    options, names = parse_options(call, "a:b:l:n:")
    data = await read_operand(files, call, names[0] if names else "-")
    letters = number(options.get("a", str(_FIRST_LETTERS)), minimum=1)
    if "b" in options:
        text = options["b"].lower()
        unit = text.lstrip("0123456789")
        size = number(text.removesuffix(unit), minimum=1) * _UNITS.get(unit, 1)
        parts = [data[at : at + size] for at in range(0, len(data), size)]
    else:
        count = number(options.get("l", "1000"), minimum=1)
        lines = data.splitlines(keepends=True)
        parts = [b"".join(lines[at : at + count]) for at in range(0, len(lines), count)]
    if len(parts) > 26**letters:
        raise UsageError("bad suffix length")
    prefix = names[1] if len(names) > 1 else "x"
    for place, part in enumerate(parts):
        suffix, left = "", place
        for _ in range(letters):
            left, letter = divmod(left, 26)
            suffix = chr(ord("a") + letter) + suffix
        files.write(call.path(f"{prefix}{suffix}"), part)
    return 0


async def tty(files: FileSystem, call: CommandCall) -> int:
    """``tty [-s]``: programs of this phone have pipes, also at a prompt."""
    options, _ = parse_options(call, "s")
    if "s" not in options:
        await call.print("not a tty\n")
    return 1


async def setsid(files: FileSystem, call: CommandCall) -> int:
    """``setsid [-cdw] COMMAND …``: run a command in another session."""
    args = call.argv[1:]
    while args and args[0].startswith("-"):
        args = args[1:]
    if not args or call.run is None:
        raise UsageError("Needs 1 argument")
    return await call.run(
        CommandCall(args, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    )


async def unlink(files: FileSystem, call: CommandCall) -> int:
    """``unlink FILE``: remove one file."""
    _, names = parse_options(call, "")
    if len(names) != 1:
        raise UsageError("Needs 1 argument" if not names else "Max 1 argument")
    path = call.path(names[0])
    try:
        files.remove(path)
    except OSError as error:
        shown = posixpath.normpath(names[0])
        raise UsageError(f"Couldn't unlink '{shown}': {error.strerror}") from error
    return 0


UTILITIES: Mapping[str, Utility] = {
    "file": file,
    "setsid": setsid,
    "split": split,
    "tty": tty,
    "unlink": unlink,
}

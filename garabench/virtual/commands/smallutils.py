"""Small utilities: ``file``, ``split``, ``tty``, ``install``, ``mountpoint`` and others (forms of toybox)."""

from __future__ import annotations

import posixpath
import stat as modes
from collections.abc import Mapping

from garabench.virtual.android.file_system import MAX_FILE_SIZE, FileSystem
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
_SOURCE_AND_TARGET = 2
_LIMITS = {
    **{"ARG_MAX": 131_072, "CHILD_MAX": 999, "OPEN_MAX": 32_768, "PAGESIZE": 4096, "PAGE_SIZE": 4096},
    **{"_NPROCESSORS_CONF": 4, "_NPROCESSORS_ONLN": 4, "CLK_TCK": 100, "LONG_BIT": 64, "PATH_MAX": 4096},
}
"""Limits of Android on x86-64 (bionic ``limits.h``)."""


async def file(files: FileSystem, call: CommandCall) -> int:
    """``file [-bhLs] FILE…``: the kind of each file, by its first bytes."""
    options, names = parse_options(call, "bhLs")
    if not names:
        raise UsageError("Needs 1 argument")
    width = max(len(name) for name in names) + 2
    for name in names:
        head = "" if "b" in options else f"{name + ': ':<{width}}"
        await call.print(f"{head}{_kind(files, call.link_path(name))}\n")
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


async def clear(files: FileSystem, call: CommandCall) -> int:
    """``clear``: the sequence that clears a terminal."""
    await call.print("\x1b[2J\x1b[H")
    return 0


async def logname(files: FileSystem, call: CommandCall) -> int:
    """``logname``: the user of the shell, who never logged in."""
    await call.print("shell\n")
    return 0


async def mountpoint(files: FileSystem, call: CommandCall) -> int:
    """``mountpoint [-q] DIRECTORY``: whether a file system is mounted there."""
    options, names = parse_options(call, "qdx")
    if len(names) != 1:
        raise UsageError("Needs 1 argument" if not names else "Max 1 argument")
    path = call.path(names[0])
    if files.stat(path) is None:
        raise UsageError(f"{names[0]}: No such file or directory")
    places = {line.split()[1] for line in files.read("/proc/mounts").decode().splitlines()}
    mounted = path in places or (path == "/sdcard" and "/storage/emulated" in places)
    if "q" not in options:
        await call.print(f"{names[0]} is {'' if mounted else 'not '}a mountpoint\n")
    return 0 if mounted else 1


async def fallocate(files: FileSystem, call: CommandCall) -> int:
    """``fallocate -l SIZE FILE``: make a file at least as long."""
    options, names = parse_options(call, "l:o:")
    if len(names) != 1 or "l" not in options:
        raise UsageError("Needs 1 argument" if not names else "Needs -l")
    size = number(options["l"]) + number(options.get("o", "0"))
    path = call.path(names[0])
    data = files.read(path) if files.stat(path) is not None else b""
    if size > MAX_FILE_SIZE:
        raise UsageError(f"fallocate '{names[0]}': No space left on device")
    files.write(path, data.ljust(size, b"\0"))
    return 0


async def fsync(files: FileSystem, call: CommandCall) -> int:
    """``fsync [-d] FILE…``: files are stored at once."""
    _, names = parse_options(call, "d")
    missing = [name for name in names if files.stat(call.path(name)) is None]
    for name in missing:
        await call.print_error(f"fsync: {name}: No such file or directory\n")
    return int(bool(missing))


async def install(files: FileSystem, call: CommandCall) -> int:
    """``install [-dDp] [-m MODE] SOURCE… TARGET``: copy files and set their mode (755)."""
    options, names = parse_options(call, "cdDpvs:m:o:g:t:")
    try:
        mode = int(options.get("m", "755"), 8) & 0o777
    except ValueError as error:
        raise UsageError(f"bad mode '{options['m']}'") from error
    if "d" in options:
        for name in names:
            files.mkdir(call.path(name))
        return 0
    if len(names) < _SOURCE_AND_TARGET:
        raise UsageError("Need 2 arguments")
    *sources, target = names
    for name in sources:
        place = call.path(target)
        if files.is_dir(place):
            place = f"{place}/{posixpath.basename(name)}"
        elif "D" in options:
            files.mkdir(posixpath.dirname(place))
        files.write(place, await read_operand(files, call, name), mode=mode)
    return 0


async def getconf(files: FileSystem, call: CommandCall) -> int:
    """``getconf NAME``: a limit of the system."""
    _, names = parse_options(call, "al")
    if not names:
        raise UsageError("Needs 1 argument")
    if names[0] not in _LIMITS:
        raise UsageError(f"bad '{names[0]}'")
    await call.print(f"{_LIMITS[names[0]]}\n")
    return 0


UTILITIES: Mapping[str, Utility] = {
    "clear": clear,
    "fallocate": fallocate,
    "file": file,
    "fsync": fsync,
    "getconf": getconf,
    "install": install,
    "logname": logname,
    "mountpoint": mountpoint,
    "setsid": setsid,
    "split": split,
    "tty": tty,
    "unlink": unlink,
}

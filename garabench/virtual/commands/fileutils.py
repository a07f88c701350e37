"""Utilities on files: ls, rm, mkdir, cp, mv, touch, chmod, stat, du, df and others."""

from __future__ import annotations

import datetime as dt
import posixpath
import re
import stat as modes
from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.find import MAX_DEPTH, below
from garabench.virtual.commands.toybox_options import UsageError, Utility, parse_options
from garabench.virtual.shell.call import CommandCall

_ZONE = dt.timezone(dt.timedelta(hours=8))


def _format_time(seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, _ZONE)


def _children(files: FileSystem, path: str) -> list[str]:
    return [f"{path.rstrip('/')}/{name}" for name in files.listdir(path) or ()]


async def ls(files: FileSystem, call: CommandCall) -> int:
    """List files."""
    options, names = parse_options(call, "la1dRAhiStrFpn", ("color=",))
    status = 0
    folders: list[tuple[str, str]] = []
    plain: list[tuple[str, str]] = []
    for name in names or ["."]:
        path = call.path(name)
        if files.stat(path) is None:
            await call.print_error(f"ls: {name}: No such file or directory\n")
            status = 1
        elif files.is_dir(path) and "d" not in options:
            folders.append((name, path))
        else:
            plain.append((name, path))
    await call.print("".join(_list_entry(files, path, name, options) for name, path in plain))
    many = len(folders) + len(plain) > 1 or "R" in options
    queue = list(folders)
    first = not plain
    while queue:
        name, path = queue.pop(0)
        entries = [(each, f"{path.rstrip('/')}/{each}") for each in files.listdir(path) or ()]
        if "a" not in options and "A" not in options:
            entries = [pair for pair in entries if not pair[0].startswith(".")]
        if "t" in options:
            entries.sort(key=lambda pair: -(found.mtime if (found := files.stat(pair[1])) else 0))
        if "r" in options:
            entries.reverse()
        text = "" if first else "\n"
        first = False
        if many:
            text += f"{name}:\n"
        if "l" in options:
            text += f"total {sum(_blocks(files, each) for _, each in entries)}\n"
        dots = [(".", path), ("..", posixpath.dirname(path))] if "a" in options else []
        text += "".join(_list_entry(files, each, label, options) for label, each in [*dots, *entries])
        await call.print(text)
        if "R" in options:
            queue[:0] = [(f"{name.rstrip('/')}/{n}", each) for n, each in entries if files.is_dir(each)]
    return status


def _blocks(files: FileSystem, path: str) -> int:
    found = files.stat(path)
    return -(-found.size // 4096) * 4 if found else 0


def _list_entry(files: FileSystem, path: str, name: str, options: Mapping[str, str]) -> str:
    found = files.stat(path)
    if found is None:
        return ""
    tail = "/" if ("F" in options or "p" in options) and files.is_dir(path) else ""
    if "l" not in options:
        return f"{name}{tail}\n"
    owner = "root root" if path.startswith(("/system", "/proc", "/dev", "/etc")) else "shell shell"
    when = _format_time(found.mtime).strftime("%Y-%m-%d %H:%M")
    links = 2 if files.is_dir(path) else 1
    return f"{modes.filemode(found.mode)} {links} {owner} {found.size:>7} {when} {name}{tail}\n"


async def rm(files: FileSystem, call: CommandCall) -> int:
    """Remove files."""
    options, names = parse_options(call, "rRfiv")
    if not names and "f" not in options:
        raise UsageError("Needs 1 argument")
    status = 0
    for name in names:
        try:
            files.remove(call.path(name), recursive="r" in options or "R" in options)
        except FileNotFoundError:
            if "f" not in options:
                await call.print_error(f"rm: {name}: No such file or directory\n")
                status = 1
        except OSError as error:
            await call.print_error(f"rm: {name}: {error.strerror}\n")
            status = 1
    return status


async def mkdir(files: FileSystem, call: CommandCall) -> int:
    """Create directories."""
    options, names = parse_options(call, "pm:v")
    status = 0
    for name in names:
        path = call.path(name)
        if "p" not in options and files.stat(path) is not None:
            problem = "File exists"
        elif "p" not in options and not files.is_dir(posixpath.dirname(path)):
            problem = "No such file or directory"
        else:
            files.mkdir(path)
            continue
        await call.print_error(f"mkdir: '{name}': {problem}\n")
        status = 1
    return status


async def rmdir(files: FileSystem, call: CommandCall) -> int:
    """Remove empty directories."""
    _, names = parse_options(call, "p")
    for name in names:
        path = call.path(name)
        if not files.is_dir(path):
            raise UsageError(
                f"{name}: {'Not a directory' if files.stat(path) else 'No such file or directory'}"
            )
        if files.listdir(path):
            raise UsageError(f"{name}: Directory not empty")
        files.remove(path, recursive=True)
    return 0


def _copy(files: FileSystem, source: str, target: str) -> None:
    if files.is_dir(source):
        files.mkdir(target)
        for name in files.listdir(source) or ():
            _copy(files, f"{source}/{name}", f"{target}/{name}")
        return
    found = files.stat(source)
    files.write(target, files.read(source), mode=(found.mode & 0o777) if found else 0o644)


async def cp(files: FileSystem, call: CommandCall) -> int:
    """Copy (or as ``mv``, move) files."""
    moving = call.argv[0].rpartition("/")[2] == "mv"
    options, names = parse_options(call, "rRapfvniT")
    if len(names) < 2:
        raise UsageError(f"Needs {2 if not names else 'more'} arguments")
    *sources, last = names
    target = call.path(last)
    if len(sources) > 1 and not files.is_dir(target):
        raise UsageError(f"'{last}' not directory")
    for name in sources:
        source = call.path(name)
        if files.stat(source) is None:
            raise UsageError(f"bad '{name}': No such file or directory")
        if files.is_dir(source) and not moving and not {"r", "R", "a"} & options.keys():
            raise UsageError(f"Skipped dir '{name}'")
        within = files.is_dir(target)
        path_parts = posixpath.join(target, posixpath.basename(source)).rstrip("/") if within else target
        if path_parts == source or path_parts.startswith(source.rstrip("/") + "/"):
            raise UsageError(f"'{name}' is '{last}'")
        _copy(files, source, path_parts)
        if moving:
            files.remove(source, recursive=True)
    return 0


async def touch(files: FileSystem, call: CommandCall) -> int:
    """Create files, or update their time stamps."""
    options, names = parse_options(call, "acmd:t:r:")
    for name in names:
        path = call.path(name)
        if files.is_dir(path) or (files.stat(path) is None and "c" in options):
            continue
        files.write(path, files.read(path) if files.stat(path) else b"")
    return 0


async def chmod(files: FileSystem, call: CommandCall) -> int:
    """Change the mode of files."""
    _, names = (
        parse_options(call, "Rfv") if not call.argv[1:2] or call.argv[1][:1] != "-" else ({}, call.argv[1:])
    )
    if len(names) < 2:
        raise UsageError("Needs 2 arguments")
    for name in names[1:]:
        path = call.path(name)
        found = files.stat(path)
        if found is None:
            raise UsageError(f"{name}: No such file or directory")
        files.chmod(path, _mode(names[0], found.mode))
    return 0


def _mode(text: str, old: int) -> int:
    if re.fullmatch(r"[0-7]{1,4}", text):
        return int(text, 8)
    mode = old & 0o7777
    for part in text.split(","):
        match = re.fullmatch(r"([ugoa]*)([-+=])([rwx]*)", part)
        if match is None:
            raise UsageError(f"bad mode '{text}'")
        operands = match[1].replace("a", "ugo") or "ugo"
        bits = sum({"r": 4, "w": 2, "x": 1}[char] for char in set(match[3]))
        for char in operands:
            shift = {"u": 6, "g": 3, "o": 0}[char]
            if match[2] == "+":
                mode |= bits << shift
            elif match[2] == "-":
                mode &= ~(bits << shift)
            else:
                mode = (mode & ~(7 << shift)) | (bits << shift)
    return mode


async def no_op(files: FileSystem, call: CommandCall) -> int:
    """``chown``, ``chgrp``, ``sync``: the file system has neither owners nor caches."""
    return 0


async def stat(files: FileSystem, call: CommandCall) -> int:
    """Print the metadata of files."""
    options, names = parse_options(call, "c:tf")
    for name in names:
        path = call.path(name)
        found = files.stat(path)
        if found is None:
            raise UsageError(f"'{name}': No such file or directory")
        kind = "directory" if files.is_dir(path) else "regular file"
        values = {
            "n": name,
            "s": str(found.size),
            "a": f"{found.mode & 0o7777:o}",
            "A": modes.filemode(found.mode),
            "Y": str(found.mtime),
            "y": _format_time(found.mtime).strftime("%Y-%m-%d %H:%M:%S.000000000 +0800"),
            "F": kind,
            "U": "shell",
            "G": "shell",
            "u": "2000",
            "g": "2000",
            "%": "%",
        }
        form = options.get("c", "  File: %n\n  Size: %s\t %F\nAccess: (%a/%A)\nModify: %y")
        parts = re.split(r"%(.)", form)
        await call.print("".join(values.get(p, f"%{p}") if k % 2 else p for k, p in enumerate(parts)) + "\n")
    return 0


async def du(files: FileSystem, call: CommandCall) -> int:
    """Print the disk usage of files in KiB."""
    _, names = parse_options(call, "shkam")
    for name in names or ["."]:
        total = sum(_blocks(files, path) for _, path, _ in below(files, name, call.path(name), 0, MAX_DEPTH))
        await call.print(f"{total}\t{name}\n")
    return 0


async def df(files: FileSystem, call: CommandCall) -> int:
    """Print the space of the file systems."""
    await call.print(
        "Filesystem     1K-blocks     Used Available Use% Mounted on\n"
        "/dev/block/dm-5 112345678 62000000  50345678  56% /data\n"
        "/dev/fuse       112345678 62000000  50345678  56% /storage/emulated\n"
    )
    return 0


async def path_parts(files: FileSystem, call: CommandCall) -> int:
    """``basename``, ``dirname``, ``realpath`` and ``readlink -f``."""
    name_of = call.argv[0].rpartition("/")[2]
    _, names = parse_options(call, "fs:a")
    if not names:
        raise UsageError("Needs 1 argument")
    match name_of:
        case "basename":
            base = posixpath.basename(names[0].rstrip("/")) or "/"
            ending = names[1] if len(names) > 1 else ""
            await call.print((base.removesuffix(ending) or base) + "\n")
        case "dirname":
            await call.print(
                (posixpath.dirname(names[0].rstrip("/")) or ("/" if names[0][:1] == "/" else ".")) + "\n"
            )
        case _:
            path = call.path(names[0])
            if files.stat(path) is None and name_of == "realpath":
                raise UsageError(f"{names[0]}: No such file or directory")
            await call.print(path + "\n")
    return 0


UTILITIES: Mapping[str, Utility] = {
    "basename": path_parts,
    "chgrp": no_op,
    "chmod": chmod,
    "chown": no_op,
    "cp": cp,
    "df": df,
    "dirname": path_parts,
    "du": du,
    "ls": ls,
    "mkdir": mkdir,
    "mv": cp,
    "readlink": path_parts,
    "realpath": path_parts,
    "rm": rm,
    "rmdir": rmdir,
    "stat": stat,
    "sync": no_op,
    "touch": touch,
}

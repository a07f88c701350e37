"""Utilities on files: ls, rm, mkdir, cp, mv, touch, chmod, stat, du, df and others."""

from __future__ import annotations

import base64
import datetime as dt
import errno
import posixpath
import re
import stat as modes
import unicodedata
import zlib
from collections.abc import Mapping

from garabench.virtual.android.file_system import MAX_FILE_SIZE, SHARED_STORAGE, FileSystem
from garabench.virtual.commands.diffutils import diff
from garabench.virtual.commands.find import MAX_DEPTH, below
from garabench.virtual.commands.toybox_options import UsageError, Utility, human, number, parse_options
from garabench.virtual.shell.call import CommandCall

_SYSTEM_PLACES = ("/system", "/proc", "/dev", "/etc", "/sys", "/vendor", "/product", "/apex")
_ZONE = dt.timezone(dt.timedelta(hours=8))


def _format_time(seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, _ZONE)


def _children(files: FileSystem, path: str) -> list[str]:
    return [f"{path.rstrip('/')}/{name}" for name in files.listdir(path) or ()]


_SCREEN_COLUMNS = 80
"""Width of a terminal that has not told its size."""


async def ls(files: FileSystem, call: CommandCall) -> int:
    """List files."""
    options, names = parse_options(call, "la1CdRAhiStrFpnxmZ", ("color=",))
    status = 0
    folders: list[tuple[str, str]] = []
    plain: list[tuple[str, str]] = []
    for name in names or ["."]:
        path = call.link_path(name)
        dangling = files.stat(path) is None
        if ({"l", "d", "F"} & options.keys() or dangling) and files.readlink(path) is not None:
            plain.append((name, path))
        elif dangling:
            await call.print_error(f"ls: {name}: No such file or directory\n")
            status = 1
        elif files.is_dir(path) and "d" not in options:
            try:
                files.check_listable(path)
            except PermissionError as error:
                await call.print_error(f"ls: {name}: {error.strerror}\n")
                status = 1
                continue
            folders.append((name, path))
        else:
            plain.append((name, path))
    await call.print(_arrange([_list_entry(files, path, name, options) for name, path in plain], options))
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
        dots = [(".", f"{path}/"), ("..", f"{posixpath.dirname(path)}/")] if "a" in options else []
        text += _arrange(
            [_list_entry(files, each, label, options) for label, each in [*dots, *entries]], options
        )
        await call.print(text)
        if "R" in options:
            queue[:0] = [
                (f"{name.rstrip('/')}/{n}", each) for n, each in entries if _is_real_dir(files, each)
            ]
    return status


def _is_real_dir(files: FileSystem, path: str) -> bool:
    """Return whether it is a directory and no link to one."""
    return files.is_dir(path) and files.readlink(path) is None


def _arrange(lines: list[str], options: Mapping[str, str]) -> str:
    """Return entries one a line, or with ``-C`` in sorted columns, ``-x`` in rows, ``-m`` with commas."""
    names = [line.rstrip("\n") for line in lines if line]
    if not names or {"l", "1"} & options.keys() or not {"C", "x", "m"} & options.keys():
        return "".join(lines)
    if "m" in options:
        return ", ".join(names) + "\n"
    cells = [sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in name) for name in names]
    columns, table, widths = 1, [list(range(len(names)))], [0]
    for rows in range(1, len(names) + 1):
        columns = -(-len(names) // rows)
        if "x" in options:
            table = [list(range(column, len(names), columns)) for column in range(columns)]
        else:
            table = [list(range(len(names)))[at : at + rows] for at in range(0, len(names), rows)]
        widths = [max(cells[index] for index in column) for column in table]
        if sum(widths) + 2 * (len(table) - 1) <= _SCREEN_COLUMNS:
            break
    shown = []
    for row in range(max(map(len, table))):
        cellular = [
            (column[row], width) for column, width in zip(table, widths, strict=True) if row < len(column)
        ]
        shown.append(
            "  ".join(names[index] + " " * (width - cells[index]) for index, width in cellular).rstrip()
        )
    return "".join(f"{line}\n" for line in shown)


def _blocks(files: FileSystem, path: str) -> int:
    found = files.stat(path) if files.readlink(path) is None else None
    return -(-found.size // 4096) * 4 if found else 0


def _security_context(path: str) -> str:
    """Return the label that SELinux gives a file (AOSP ``file_contexts``)."""
    return next(label for start, label in _CONTEXTS if f"{path}/".startswith(start))


def _list_entry(files: FileSystem, path: str, name: str, options: Mapping[str, str]) -> str:
    found, target = files.stat(path), files.readlink(path)
    if found is None and target is None:
        return ""
    tail = "/" if ("F" in options or "p" in options) and _is_real_dir(files, path) else ""
    tail = "@" if "F" in options and target is not None else tail
    if "l" not in options:
        label = f"{_security_context(path)} " if "Z" in options else ""
        return f"{label}{name}{tail}\n"
    of_system = path.startswith(_SYSTEM_PLACES) or path in SHARED_STORAGE.links
    owner = "root root" if of_system else "shell shell"
    # a link whose target is missing has the time of its directory
    stamp = found or files.stat(posixpath.dirname(path))
    when = _format_time(stamp.mtime if stamp else 0).strftime("%Y-%m-%d %H:%M")
    if target is not None:
        link = files.lstat(path)
        mode = modes.filemode(link.mode) if link is not None else "lrwxrwxrwx"
        return f"{mode} 1 {owner} {len(target):>7} {when} {name} -> {target}\n"
    if found is None:
        return ""
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
        raise UsageError(f"Need {2 if not names else 'more'} arguments")
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
        raise UsageError("Need 2 arguments")
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


_STAT_FORM = (
    "  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: %B\t%F\nDevice: 10302h/66306d\t Inode: %i\t Links: %h\n"
    "Access: (%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nAccess: %x\nModify: %y\nChange: %z"
)
_KINDS = {
    modes.S_IFDIR: "directory",
    modes.S_IFCHR: "character device",
    modes.S_IFLNK: "symbolic link",
    modes.S_IFREG: "regular file",
}


_FILE_SYSTEM_FORM = (
    '  File: "%n"\n    ID: %i Namelen: %l    Type: %T\nBlock Size: %s    Fundamental block size: %S\n'
    "Blocks: Total: %b\tFree: %f\tAvailable: %a\nInodes: Total: %c\tFree: %d"
)


def _file_system_values(path: str) -> dict[str, str]:
    """Return what ``stat -f`` prints of the file system that holds a path."""
    on_data = path.startswith(("/data", "/sdcard", "/storage"))
    blocks, free = (28_086_419, 12_586_419) if on_data else (625_000, 1_500)
    return {
        **{"i": f"{zlib.crc32(path.split('/')[1].encode()):016x}", "l": "255", "s": "4096", "S": "4096"},
        **{"T": "f2fs" if on_data else "ext4", "t": "f2f52010" if on_data else "ef53"},
        **{"b": str(blocks), "f": str(free), "a": str(free), "c": "7150000" if on_data else "160000"},
        "d": "7000000" if on_data else "155000",
    }


async def stat(files: FileSystem, call: CommandCall) -> int:
    """Print the metadata of files."""
    options, names = parse_options(call, "c:tfL")
    status = 0
    for name in names:
        path = call.link_path(name)
        target = None if "L" in options else files.readlink(path)
        found = files.stat(path) if target is None else files.lstat(path)
        if found is None and target is None:
            await call.print_error(f"stat: '{name}': No such file or directory\n")
            status = 1
            continue
        mode, size, when = (found.mode, found.size, found.mtime) if found is not None else (0, 0, 0)
        owner = ("root", "0") if path.startswith(_SYSTEM_PLACES) else ("shell", "2000")
        time = _format_time(when).strftime("%Y-%m-%d %H:%M:%S.000000000 +0800")
        values = {
            "n": name,
            "N": f"{name} -> {target}" if target is not None else name,
            "s": str(size),
            "b": str(-(-size // 4096) * 8),
            "B": "512",
            "o": "4096",
            "i": str(zlib.crc32(path.encode()) % 1_000_000 + 100),
            "h": "2" if modes.S_ISDIR(mode) else "1",
            "a": f"{mode & 0o7777:04o}" if "c" not in options else f"{mode & 0o7777:o}",
            "f": f"{mode:x}",
            "A": modes.filemode(mode),
            **{key: str(when) for key in "XYZ"},
            **dict.fromkeys("xyz", time),
            "F": _KINDS.get(modes.S_IFMT(mode), "regular file"),
            **{"U": owner[0], "G": owner[0], "u": owner[1], "g": owner[1], "%": "%"},
        }
        form = options.get("c", _STAT_FORM)
        if "f" in options:
            values = {"n": name, "%": "%", **_file_system_values(path)}
            form = options.get("c", _FILE_SYSTEM_FORM)
        parts = re.split(r"%(.)", form)
        await call.print("".join(values.get(p, f"%{p}") if k % 2 else p for k, p in enumerate(parts)) + "\n")
    return status


async def du(files: FileSystem, call: CommandCall) -> int:
    """``du [-abcdhkmsxlL] [FILE…]``: the disk usage of directories, of files with ``-a``."""
    options, names = parse_options(call, "d:cmhksxHLlab")
    unit = 1024 if "m" in options else 1
    depth = 0 if "s" in options else number(options["d"]) if "d" in options else MAX_DEPTH
    total, status = 0, 0

    def line(size: int, name: str) -> str:
        shown = (
            human(size * 1024) if "h" in options else str(size * 1024 if "b" in options else -(-size // unit))
        )
        return f"{shown}\t{name}\n"

    for name in names or ["."]:
        if files.stat(call.path(name)) is None:
            await call.print_error(f"du: {name}: No such file or directory\n")
            status = 1
            continue
        entries = list(below(files, name, call.link_path(name), 0, MAX_DEPTH))
        sizes = {path: _blocks(files, path) for _, path, _ in entries}
        for shown, path, level in reversed(entries):
            start = f"{path.rstrip('/')}/"
            within = [size for each, size in sizes.items() if each == path or each.startswith(start)]
            listed = level == 0 or files.is_dir(path) or "a" in options
            if level <= depth and listed:
                await call.print(line(sum(within), shown))
        total += sum(sizes.values())
    if "c" in options:
        await call.print(line(total, "total"))
    return status


async def ln(files: FileSystem, call: CommandCall) -> int:
    """``ln [-sfnvt] TARGET… [LINK]``: without ``-s`` a copy, as the file system has no shared files."""
    options, names = parse_options(call, "t:Tvnfsr")
    if not names:
        raise UsageError("Needs 1 argument")
    last = names.pop() if len(names) > 1 else "."
    into = files.is_dir(call.path(last)) and "n" not in options
    status = 0
    for name in names:
        link = f"{last.rstrip('/')}/{posixpath.basename(name)}" if into else last
        path = call.path(link)
        try:
            if "f" in options and (files.readlink(path) is not None or files.stat(path) is not None):
                files.remove(path)
            if "s" in options:
                files.symlink(name, path)
            elif files.stat(path) is not None:
                raise FileExistsError(errno.EEXIST, "File exists")
            else:
                files.write(path, files.read(call.path(name)))
            if "v" in options:
                arrow = "->" if "s" in options else "=>"
                await call.print(f"'{link}' {arrow} '{name}'\n")
        except OSError as error:
            kind = "symbolic" if "s" in options else "hard"
            await call.print_error(
                f"ln: cannot create {kind} link from '{name}' to '{link}': {error.strerror}\n"
            )
            status = 1
    return status


async def mktemp(files: FileSystem, call: CommandCall) -> int:
    """``mktemp [-dqtu] [-p DIRECTORY] [TEMPLATE]``."""
    options, names = parse_options(call, "up:qtd", ("tmpdir=",))
    template = names[0] if names else "tmp.XXXXXXXXXX"
    found = re.search(r"X{2,}$", template)
    if found is None:
        raise UsageError("need 2 XX")
    default = call.env.get("TMPDIR", "/data/local/tmp")
    folder = options.get("p") or (default if "t" in options or not names else "")
    base = posixpath.join(folder, template[: found.start()]) if folder else template[: found.start()]
    for attempt in range(10_000):
        digits = base64.b32encode(zlib.crc32(f"{base}{attempt}".encode()).to_bytes(4, "big") * 3).decode()
        name = base + digits[: len(found[0])]
        if files.stat(call.path(name)) is not None:
            continue
        if not files.is_dir(posixpath.dirname(call.path(name))):
            raise UsageError(f"Failed to create file {template}: No such file or directory")
        if "d" in options:
            files.mkdir(call.path(name))
        elif "u" not in options:
            files.write(call.path(name), b"", mode=0o600)
        await call.print(f"{name}\n")
        return 0
    raise UsageError(f"Failed to create file {template}: File exists")


_SIZE_UNITS = {"": 1, "b": 512, "c": 1, "k": 1024, "m": 1024**2, "g": 1024**3}


async def truncate(files: FileSystem, call: CommandCall) -> int:
    """``truncate [-c] -s SIZE FILE…``: ``+`` and ``-`` change the size."""
    options, names = parse_options(call, "s:c")
    found = re.fullmatch(r"([-+<>]?)(\d+)([bckmgBCKMG]?)", options.get("s", ""))
    if found is None or not names:
        raise UsageError("No -s" if "s" not in options else f"bad size '{options['s']}'")
    sign, amount = found[1], int(found[2]) * _SIZE_UNITS[found[3].lower()]
    for name in names:
        path = call.path(name)
        if files.stat(path) is None and "c" in options:
            continue
        data = files.read(path) if files.stat(path) is not None else b""
        size = {
            "": amount,
            "+": len(data) + amount,
            "-": max(0, len(data) - amount),
            "<": min(len(data), amount),
            ">": max(len(data), amount),
        }[sign]
        if size > MAX_FILE_SIZE:
            raise UsageError(f"truncate '{name}' to '{size}': File too large")
        files.write(path, data[:size] + bytes(max(0, size - len(data))))
    return 0


async def path_parts(files: FileSystem, call: CommandCall) -> int:
    """``basename``, ``dirname``, ``realpath`` and ``readlink -f``."""
    name_of = call.argv[0].rpartition("/")[2]
    options, names = parse_options(call, "fs:aemnqz")
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
        case "readlink" if "f" not in options:
            target = files.readlink(call.link_path(names[0]))
            await call.print("" if target is None else f"{target}\n")
            return int(target is None)
        case _:
            path = files.real_path(call.path(names[0]))
            if files.stat(path) is None and name_of == "realpath":
                raise UsageError(f"{names[0]}: No such file or directory")
            await call.print(path + "\n")
    return 0


_CONTEXTS = (
    ("/data/local/tmp/", "u:object_r:shell_data_file:s0"),
    ("/data/app/", "u:object_r:apk_data_file:s0"),
    ("/data/data/", "u:object_r:app_data_file:s0"),
    ("/data/", "u:object_r:system_data_file:s0"),
    ("/sdcard/", "u:object_r:media_rw_data_file:s0"),
    ("/system/bin/", "u:object_r:system_file:s0"),
    ("/system/", "u:object_r:system_file:s0"),
    ("/vendor/", "u:object_r:vendor_file:s0"),
    ("/proc/", "u:object_r:proc:s0"),
    ("/sys/", "u:object_r:sysfs:s0"),
    ("/dev/", "u:object_r:device:s0"),
    ("/", "u:object_r:rootfs:s0"),
)
"""The labels of files by the directory."""
UTILITIES: Mapping[str, Utility] = {
    "basename": path_parts,
    "chgrp": no_op,
    "chmod": chmod,
    "chown": no_op,
    "cp": cp,
    "diff": diff,
    "dirname": path_parts,
    "du": du,
    "ln": ln,
    "ls": ls,
    "mkdir": mkdir,
    "mktemp": mktemp,
    "mv": cp,
    "readlink": path_parts,
    "realpath": path_parts,
    "rm": rm,
    "rmdir": rmdir,
    "stat": stat,
    "sync": no_op,
    "touch": touch,
    "truncate": truncate,
}

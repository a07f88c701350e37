"""Archives and compression: ``tar``, ``gzip``, ``gunzip``, ``zcat`` (forms of toybox)."""

from __future__ import annotations

import gzip as compression
import io
import posixpath
import stat as modes
import tarfile
import zlib
from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.toybox_options import UsageError, Utility, parse_options, read_operand
from garabench.virtual.shell.call import CommandCall

_GZIP = b"\x1f\x8b"
_OLD_STYLE = frozenset("cxt")
_LARGEST = 64 * 1024 * 1024
"""The most bytes that compressed data may hold."""


async def gzip(name: str, files: FileSystem, call: CommandCall) -> int:
    """``gzip [-19cdfkt] [FILE…]``, ``gunzip``, ``zcat``."""
    options, names = parse_options(call, "123456789cdfktn")
    unpack = "d" in options or "t" in options or name != "gzip"
    to_output = "c" in options or name == "zcat"
    status = 0
    for each in names or ["-"]:
        data = await read_operand(files, call, each)
        try:
            done = _unpacked(data) if unpack else compression.compress(data, mtime=0)
        except (OSError, EOFError, zlib.error):
            await call.print_error(f"{name}: {'(stdin)' if each == '-' else each}: not gzip\n")
            status = 1
            continue
        if "t" in options:
            continue
        if to_output or each == "-":
            await call.write(done)
            continue
        if unpack and not each.endswith(".gz"):
            await call.print_error(f"{name}: {each}: no .gz\n")
            status = 1
            continue
        target = call.path(each.removesuffix(".gz") if unpack else f"{each}.gz")
        if files.stat(target) is not None and "f" not in options:
            raise UsageError(f"{posixpath.basename(target)}: File exists")
        files.write(target, done)
        if "k" not in options:
            files.remove(call.path(each))
    return status


def _unpacked(data: bytes) -> bytes:
    """Return what compressed data holds, up to `_LARGEST` bytes."""
    with compression.GzipFile(fileobj=io.BytesIO(data)) as packed:
        return packed.read(_LARGEST)


async def tar(files: FileSystem, call: CommandCall) -> int:
    """``tar [-cxtvzpO] [-f FILE] [-C DIRECTORY] [NAME…]``; the letters may lack their dash."""
    argv = list(call.argv)
    if len(argv) > 1 and not argv[1].startswith("-") and _OLD_STYLE & set(argv[1]):
        argv[1] = f"-{argv[1]}"
    inner = CommandCall(argv, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    options, names = parse_options(inner, "cxtvzpOkf:C:ohmT:", ("exclude=",))
    chosen = [letter for letter in "cxt" if letter in options]
    if len(chosen) != 1:
        raise UsageError("Needs -txc" if not chosen else "No '-t' with '-c'")
    place = options.get("f", "-")
    folder = call.path(options.get("C", "."))
    if chosen == ["c"]:
        if not names:
            raise UsageError("empty archive")
        data = await _packed_files(files, inner, names, folder, verbose="v" in options)
        packed = "z" in options or place.endswith((".gz", ".tgz"))
        data = compression.compress(data, mtime=0) if packed else data
        if place == "-":
            await call.write(data)
        else:
            files.write(call.path(place), data)
        return 0
    data = await read_operand(files, inner, place)
    try:
        data = _unpacked(data) if data.startswith(_GZIP) else data
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            return await _read(files, inner, archive, names, folder, options)
    except (EOFError, zlib.error, tarfile.TarError, compression.BadGzipFile) as error:
        raise UsageError("bad header" if data else "empty archive") from error


async def _packed_files(
    files: FileSystem, call: CommandCall, names: list[str], folder: str, *, verbose: bool
) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        queue = list(names)
        while queue:
            name = queue.pop(0)
            path = files.resolve(name, folder)
            found = files.stat(path)
            if found is None:
                raise UsageError(f"{name}: No such file or directory")
            entry = tarfile.TarInfo(name.lstrip("/"))
            entry.mode, entry.mtime = modes.S_IMODE(found.mode), found.mtime
            entry.uid = entry.gid = 2000
            entry.uname = entry.gname = "shell"
            if files.is_dir(path):
                entry.type = tarfile.DIRTYPE
                archive.addfile(entry)
                inside = [f"{name.rstrip('/')}/{each}" for each in files.listdir(path) or ()]
                queue[:0] = inside
            else:
                content = files.read(path)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
            if verbose:
                await call.print_error(f"{name}{'/' if files.is_dir(path) else ''}\n")
    return out.getvalue()


async def _read(
    files: FileSystem,
    call: CommandCall,
    archive: tarfile.TarFile,
    names: list[str],
    folder: str,
    options: Mapping[str, str],
) -> int:
    """List or extract the members; one that would leave the directory is skipped, as toybox does."""
    status, missing = 0, set(names)
    for entry in archive:
        wanted = [
            name for name in names if entry.name == name or entry.name.startswith(f"{name.rstrip('/')}/")
        ]
        if names and not wanted:
            continue
        missing -= set(wanted)
        shown = f"{entry.name}/" if entry.isdir() else entry.name
        if "t" in options or "v" in options:
            await call.print(f"{shown}\n")
        if "t" in options:
            continue
        member = archive.extractfile(entry) if entry.isfile() else None
        content = member.read(_LARGEST) if member is not None else b""
        if "O" in options:
            await call.write(content)
            continue
        path = files.resolve(entry.name.lstrip("/"), folder)
        if path != folder and not path.startswith(f"{folder.rstrip('/')}/"):
            await call.print_error(f"tar: '{entry.name}' not under '{folder}'\n")
            status = 1
        elif entry.isdir():
            files.mkdir(path)
        elif entry.issym():
            files.symlink(entry.linkname, path)
        elif member is not None:
            files.write(path, content, mode=entry.mode & 0o777, mtime=int(entry.mtime))
    for name in sorted(missing):
        await call.print_error(f"tar: '{name}' not in archive\n")
        status = 1
    return status


UTILITIES: Mapping[str, Utility] = {
    "gunzip": partial(gzip, "gunzip"),
    "gzip": partial(gzip, "gzip"),
    "tar": tar,
    "zcat": partial(gzip, "zcat"),
}

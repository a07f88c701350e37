"""``find``: searches directory trees by tests and applies actions."""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Mapping

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.commands.toybox_options import UsageError, Utility, number
from garabench.virtual.shell.call import CommandCall
from garabench.virtual.shell.globs import regex
from garabench.virtual.shell.streams import empty_input

_TYPES = {stat.S_IFDIR: "d", stat.S_IFLNK: "l", stat.S_IFCHR: "c", stat.S_IFBLK: "b", stat.S_IFIFO: "p"}
MAX_DEPTH = 100_000
"""Maximum depth of the search."""


async def find(files: FileSystem, call: CommandCall) -> int:
    """Find the files below directories that pass all tests."""
    args = call.argv[1:]
    starts: list[str] = []
    while args and not args[0].startswith(("-", "!", "(")):
        starts.append(args.pop(0))
    deepest, shallowest = MAX_DEPTH, 0
    tests: list[tuple[str, str]] = []
    actions: list[tuple[str, list[str]]] = []
    negate = ""
    while args:
        arg = args.pop(0)
        if arg in ("!", "-not"):
            negate = "!"
        elif arg in ("-name", "-iname", "-path", "-type", "-size", "-newer") and args:
            tests.append((negate + arg, args.pop(0)))
            negate = ""
        elif arg in ("-maxdepth", "-mindepth") and args:
            value = number(args.pop(0))
            deepest, shallowest = (value, shallowest) if arg == "-maxdepth" else (deepest, value)
        elif arg in ("-print", "-delete", "-print0"):
            actions.append((arg, []))
        elif arg == "-exec":
            end = next((k for k, entry in enumerate(args) if entry in (";", "+")), None)
            if end is None:
                raise UsageError("-exec needs ;")
            actions.append((arg, args[:end]))
            args = args[end + 1 :]
        elif arg not in ("-a", "-and", "-xdev"):
            raise UsageError(f"bad arg '{arg}'")
    status = 0
    for start in starts or ["."]:
        path = call.link_path(start)
        if files.stat(path) is None:
            await call.print_error(f"find: '{start}': No such file or directory\n")
            status = 1
            continue
        found = [
            (name, entry)
            for name, entry, depth in below(files, start, path, 0, deepest)
            if depth >= shallowest and all(_passes(files, name, entry, *test) for test in tests)
        ]
        await _act(files, call, found, actions or [("-print", [])])
    return status


def below(files: FileSystem, name: str, path: str, depth: int, deepest: int) -> list[tuple[str, str, int]]:
    """Walk a path and its descendants: displayed name, path and depth."""
    found = [(name, path, depth)]
    if depth < deepest and files.is_dir(path) and files.readlink(path) is None:
        for entry in files.listdir(path) or ():
            found += below(
                files, f"{name.rstrip('/')}/{entry}", f"{path.rstrip('/')}/{entry}", depth + 1, deepest
            )
    return found


def _passes(files: FileSystem, name: str, path: str, test: str, value: str) -> bool:
    wanted = not test.startswith("!")
    entry = files.stat(path)
    base = posixpath.basename(name.rstrip("/")) or name
    match test.lstrip("!"):
        case "-name":
            holds = regex(((value, False),)).fullmatch(base) is not None
        case "-iname":
            holds = regex(((value.lower(), False),)).fullmatch(base.lower()) is not None
        case "-path":
            holds = regex(((value, False),)).fullmatch(name) is not None
        case "-type":
            found = files.lstat(path)
            kind = _TYPES.get(stat.S_IFMT(found.mode), "f") if found is not None else ""
            holds = kind in value.split(",")
        case "-newer":
            other = files.stat(FileSystem.resolve(value))
            holds = bool(entry and other and entry.mtime > other.mtime)
        case _:
            size = entry.size if entry else 0
            unit = {"c": 1, "k": 1024, "M": 1 << 20}.get(value[-1:], 512)
            count = number(value.lstrip("+-").rstrip("ckM"))
            blocks = -(-size // unit)
            holds = (
                blocks > count
                if value[:1] == "+"
                else blocks < count
                if value[:1] == "-"
                else blocks == count
            )
    return holds == wanted


async def _act(
    files: FileSystem, call: CommandCall, found: list[tuple[str, str]], actions: list[tuple[str, list[str]]]
) -> None:
    for action, args in actions:
        for name, path in reversed(found) if action == "-delete" else found:
            if action == "-print":
                await call.print(f"{name}\n")
            elif action == "-print0":
                await call.print(f"{name}\0")
            elif action == "-delete":
                files.remove(path, recursive=True)
            elif call.run is not None:
                argv = [arg.replace("{}", name) for arg in args]
                await call.run(
                    CommandCall(
                        argv, empty_input(), call.write, call.write_error, call.env, call.cwd, call.run
                    )
                )


UTILITIES: Mapping[str, Utility] = {"find": find}

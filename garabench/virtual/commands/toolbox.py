"""``toolbox``, the utilities before toybox, and those in its own form (AOSP ``system/core/toolbox``)."""

from __future__ import annotations

import posixpath
import stat as modes
from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.availability import TOYBOX_SDK
from garabench.virtual.shell.call import Command, CommandCall

_NO_SUCH_TOOL = 255
_MISSING = "No such file or directory"
_LS_OPTIONS = frozenset("lsRdZaiFn1")
_SEPARATE_PROGRAMS = frozenset({"getenforce", "getprop", "grep", "log", "sh"})
_GROUPS = (
    "1003(graphics),1004(input),1007(log),1009(mount),1011(adb),1015(sdcard_rw),1028(sdcard_r),"
    "3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats)"
)


async def toolbox(names: frozenset[str], call: CommandCall) -> int:
    """``toolbox [COMMAND …]``: run one of its commands."""
    if len(call.argv) == 1:
        await call.print("Toolbox!\n")
        return 0
    name = call.argv[1]
    if name not in names or call.run is None:
        await call.print_error(f"{name}: no such tool\n")
        return _NO_SUCH_TOOL
    return await call.run(
        CommandCall(call.argv[1:], call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    )


async def ls(phone: Phone, call: CommandCall) -> int:
    """``ls``: without totals, link counts and headings; a folder has no size."""
    options, names = set[str](), list[str]()
    for arg in call.argv[1:]:
        if not arg.startswith("-") or arg == "-":
            names.append(arg)
            continue
        for char in arg[1:]:
            if char not in _LS_OPTIONS:
                await call.print_error(f"{call.argv[0]}: Unknown option '-{char}'. Aborting.\n")
                return 1
            options.add(char)
    files, status = phone.files, 0
    for name in names or ["."]:
        path = call.link_path(name)
        if files.stat(path) is None:
            await call.print_error(f"{name}: {_MISSING}\n")
            status = 1
        elif files.is_dir(path) and "d" not in options and not ("l" in options and files.readlink(path)):
            await _list_directory(phone, call, name, path, options)
        else:
            await call.print(_entry(phone, path, name, options))
    return status


async def _list_directory(phone: Phone, call: CommandCall, name: str, path: str, options: set[str]) -> None:
    files = phone.files
    if "R" in options:
        await call.print(f"\n{name}:\n")
    found = [(each, f"{path.rstrip('/')}/{each}") for each in files.listdir(path) or ()]
    if "a" in options:
        found = [(".", f"{path}/"), ("..", f"{posixpath.dirname(path)}/"), *found]
    else:
        found = [pair for pair in found if not pair[0].startswith(".")]
    await call.print("".join(_entry(phone, each, label, options) for label, each in found))
    if "R" in options:
        for label, each in found:
            if files.is_dir(each) and label not in (".", ".."):
                await _list_directory(phone, call, f"{name.rstrip('/')}/{label}", each, options)


def _entry(phone: Phone, path: str, name: str, options: set[str]) -> str:
    found = phone.files.stat(path)
    if found is None:
        return ""
    directory = phone.files.is_dir(path)
    if "l" not in options:
        blocks = f"{-(-found.size // 512)} " if "s" in options else ""
        return f"{blocks}{name}{'/' if 'F' in options and directory else ''}\n"
    target = phone.files.readlink(path)
    owner, group = _owner(path) if target is None else ("root", "root")
    when = phone.clock.at(found.mtime).strftime("%Y-%m-%d %H:%M")
    size = " " * 8 if directory or target is not None else f"{found.size:8d}"
    if target is not None:
        name, found = f"{name} -> {target}", phone.files.lstat(path) or found
    return f"{modes.filemode(found.mode)} {owner:<8} {group:<8} {size} {when} {name}\n"


def _owner(path: str) -> tuple[str, str]:
    if path.startswith(("/system", "/proc", "/dev", "/etc")):
        return "root", "root"
    return ("root", "sdcard_rw") if FileSystem.resolve(path).startswith("/sdcard") else ("shell", "shell")


async def identify(call: CommandCall) -> int:
    """``id``: the shell's user and groups."""
    await call.print(f"uid=2000(shell) gid=2000(shell) groups={_GROUPS} context=u:r:shell:s0\n")
    return 0


def commands(phone: Phone, utilities: frozenset[str]) -> Mapping[str, Command]:
    """Return ``toolbox`` and the utilities in its form, before Android 6.

    Args:
        phone: The phone.
        utilities: Names of the phone's utilities.
    """
    if phone.profile.sdk >= TOYBOX_SDK:
        return {}
    names = (utilities | {"ps", "top", "reboot", "ifconfig"}) - _SEPARATE_PROGRAMS
    return {"id": identify, "ls": partial(ls, phone), "toolbox": partial(toolbox, names)}

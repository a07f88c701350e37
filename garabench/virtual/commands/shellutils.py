"""Utilities for the system and for running commands: date, sleep, id, uname, xargs, kill and others."""

from __future__ import annotations

import asyncio
import datetime as dt
import shlex
import uuid
from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import AS_ROOT, FileSystem
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_files import KERNEL_BUILD, LOAD_AVERAGE, kernel_release
from garabench.virtual.android.system_properties import property_context, property_type, system_properties
from garabench.virtual.commands import (
    archiveutils,
    awk,
    byteutils,
    encodingutils,
    fileutils,
    find,
    grep,
    lineutils,
    sed,
    smallutils,
    textutils,
)
from garabench.virtual.commands.availability import TOYBOX_SDK
from garabench.virtual.commands.toybox_options import UsageError, Utility, as_commands, number, parse_options
from garabench.virtual.shell.arithmetic import ShellArithmeticError, evaluate_arithmetic
from garabench.virtual.shell.call import Command, CommandCall
from garabench.virtual.shell.streams import empty_input

_DAY = 86_400
_MAX_ARGUMENTS = 5000
_PROPERTY_SIZE = 92
"""``PROP_VALUE_MAX``, which counts the final zero."""
_SETTABLE = (
    *(
        "debug.",
        "log.",
        "persist.log.tag",
        "persist.debug.",
        "persist.adb.",
        "persist.traced.",
        "service.adb.",
    ),
    *("sys.powerctl", "sys.usb.config", "dumpstate.", "persist.heapprofd.", "persist.wm.debug.", "wrap."),
    *("persist.sys.locale", "persist.sys.timezone"),
)
"""Properties that the shell may set (``property_contexts``, ``shell.te``)."""
_ANSWERS_SDK = 26
"""First API level (Android 8) whose init answers whether it has set a property."""
_GROUPS = ((1004, "input"), (1007, "log"), (1011, "adb"), (1015, "sdcard_rw"))


def _seconds(arg: str) -> float:
    unit = {"s": 1, "m": 60, "h": 3600, "d": _DAY}.get(arg[-1:], 0)
    try:
        return min(float(arg[:-1] if unit else arg) * (unit or 1), _DAY)
    except ValueError as error:
        raise UsageError("not a number") from error


async def sleep(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """Sleep in phone time."""
    if len(call.argv) < 2:
        raise UsageError("Needs 1 argument")
    await phone.spend(round(sum(map(_seconds, call.argv[1:])) * 1000))
    return 0


async def usleep(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``usleep MICROSECONDS``."""
    _, names = parse_options(call, "")
    if len(names) != 1:
        raise UsageError("Needs 1 argument" if not names else "Max 1 argument")
    await phone.spend(min(number(names[0]), _DAY * 1_000_000) // 1000)
    return 0


async def uuidgen(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``uuidgen [-r]``: a random UUID."""
    parse_options(call, "r")
    await call.print(f"{uuid.UUID(bytes=files.read('/dev/urandom')[:16], version=4)}\n")
    return 0


async def date(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """Print the date; only root may set it."""
    options, args = parse_options(call, "uRd:I" if phone.profile.sdk >= TOYBOX_SDK else "uRd:Is:")
    if "s" in options or (args and not args[0].startswith("+")):
        raise UsageError("cannot set date: Operation not permitted")
    form = args[0][1:] if args else "%a %b %e %H:%M:%S %Z %Y"
    wall = phone.clock.wall()
    if "u" in options:
        wall = wall.astimezone(dt.UTC)
    form = (
        form.replace("%Z", wall.tzname() or "GMT")
        .replace("%s", str(int(wall.timestamp())))
        .replace("%N", f"{wall.microsecond:06d}000")
    )
    await call.print(wall.strftime(form) + "\n")
    return 0


async def getprop(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``getprop [-TZ] [NAME [DEFAULT]]``: a property or all; their types or SELinux contexts (toolbox)."""
    args, shown = call.argv[1:], "value"
    props = system_properties(phone)
    if phone.profile.sdk >= TOYBOX_SDK and args[:1] in (["-T"], ["-Z"]):
        shown = args.pop(0)
    values = {
        "value": props,
        "-T": {name: property_type(name, value) for name, value in props.items()},
        "-Z": {name: property_context(name) for name in props},
    }[shown]
    if args:
        missing = {"value": (*args, "")[1], "-T": "string", "-Z": "u:object_r:default_prop:s0"}
        await call.print(values.get(args[0], missing[shown]) + "\n")
    else:
        await call.print("".join(f"[{name}]: [{value}]\n" for name, value in sorted(values.items())))
    return 0


async def setprop(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``setprop NAME VALUE`` (toybox ``setprop.c``); properties that have a value for good are read-only."""
    if len(call.argv) != 3:
        raise UsageError("Need 2 arguments" if len(call.argv) < 3 else "Max 2 arguments")
    _, name, value = call.argv
    if wrong := _wrong_property(name, value):
        raise UsageError(wrong)
    is_constant = name.startswith("ro.") and name in system_properties(phone)
    if is_constant or not (AS_ROOT.get() or name.startswith(_SETTABLE)):
        if phone.profile.sdk < _ANSWERS_SDK:
            return 0
        raise UsageError(f"failed to set property '{name}' to '{value}'")
    phone.properties[name] = value
    return 0


def _wrong_property(name: str, value: str) -> str:
    """Return why init would not set a property; empty if it would."""
    if len(value.encode(errors="replace")) >= _PROPERTY_SIZE and not name.startswith("ro."):
        return f"value '{value}' too long; try '{value[: _PROPERTY_SIZE - 1]}'"
    if not name or name.startswith(".") or name.endswith("."):
        return "property names must not start or end with '.'"
    if ".." in name:
        return "'..' is not allowed in a property name"
    bad = next((char for char in name if not (char.isascii() and char.isalnum()) and char not in ":@_.-"), "")
    return f"invalid character '{bad}' in name '{name}'" if bad else ""


async def print_constant(text: str, files: FileSystem, call: CommandCall) -> int:
    """Print a constant text."""
    await call.print(text)
    return 0


async def print_by_user(shell: str, root: str, files: FileSystem, call: CommandCall) -> int:
    """Print a text that differs for root."""
    await call.print(root if AS_ROOT.get() else shell)
    return 0


async def identify(files: FileSystem, call: CommandCall) -> int:
    """``id [-nu|-ng|-nG|-Z]`` (toybox): the user, the groups, or the security context."""
    options, operands = parse_options(call, "nrZuGg")
    if operands and operands[0] not in ("root", "shell"):
        raise UsageError(f"{operands[0]}: No such user")
    root = operands[0] == "root" if operands else AS_ROOT.get()
    user, context = ((0, "root"), "u:r:su:s0") if root else ((2000, "shell"), "u:r:shell:s0")
    groups = (user, *_GROUPS)
    named = [f"{number}({name})" for number, name in groups]
    if "Z" in options:
        answer = context
    elif "G" in options:
        answer = " ".join(name if "n" in options else str(number) for number, name in groups)
    elif "u" in options or "g" in options:
        answer = user[1] if "n" in options else str(user[0])
    else:
        answer = f"uid={named[0]} gid={named[0]} groups={','.join(named)} context={context}"
    await call.print(answer + "\n")
    return 0


async def uname(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """Print the system's name."""
    options, _ = parse_options(call, "asnrvmo")
    parts = {
        "s": "Linux",
        "n": "localhost",
        "r": kernel_release(phone.profile.sdk),
        "v": KERNEL_BUILD,
        "m": "x86_64",  # as ro.product.cpu.abi says; Android 4.4 has no uname
        "o": "Android",
    }
    wanted = "snrvmo" if "a" in options else "".join(options) or "s"
    await call.print(" ".join(parts[char] for char in "snrvmo" if char in wanted) + "\n")
    return 0


async def uptime(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """Print the uptime."""
    minutes = phone.clock.uptime_ms // 60_000
    wall = phone.clock.wall()
    await call.print(
        f" {wall:%H:%M:%S} up {minutes} min,  0 users,  load average: {', '.join(LOAD_AVERAGE)}\n"
    )
    return 0


async def env(files: FileSystem, call: CommandCall) -> int:
    """Print the environment, or run a command in a changed one."""
    args = call.argv[1:]
    values = dict(call.env)
    if args[:1] == ["-i"]:
        values, args = {}, args[1:]
    while args and "=" in args[0]:
        name, _, value = args.pop(0).partition("=")
        values[name] = value
    if args and call.run is not None:
        return await call.run(
            CommandCall(args, call.stdin, call.write, call.write_error, values, call.cwd, call.run)
        )
    await call.print("".join(f"{name}={value}\n" for name, value in values.items()))
    return 0


async def printenv(files: FileSystem, call: CommandCall) -> int:
    """Print variables."""
    for name in call.argv[1:] or call.env:
        if name not in call.env:
            return 1
        await call.print(f"{call.env[name]}\n" if call.argv[1:] else f"{name}={call.env[name]}\n")
    return 0


async def run_operands(skipped: int, files: FileSystem, call: CommandCall) -> int:
    """Run the command after ``nohup``, ``time`` or ``nice``."""
    args = call.argv[1:]
    if skipped and args[:1] == ["-n"]:
        args = args[2:]
    if not args or call.run is None:
        raise UsageError("Needs 1 argument")
    return await call.run(
        CommandCall(args, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    )


async def timeout(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """Run a command with a time limit; exit status 124 after a timeout."""
    args = call.argv[1:]
    while args and args[0].startswith("-"):
        args = args[2:] if args[0] in ("-s", "-k") else args[1:]
    if len(args) < 2 or call.run is None:
        raise UsageError("Need 2 arguments")
    limit = _seconds(args[0])
    inner = CommandCall(args[1:], call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    task = asyncio.ensure_future(call.run(inner))
    end = phone.clock.now_ms() + round(limit * 1000)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=0.02)
            if not task.done():
                if phone.clock.now_ms() >= end:
                    return 124
                await phone.spend(20)
        return task.result()
    finally:
        task.cancel()


async def xargs(files: FileSystem, call: CommandCall) -> int:
    """Run a command with the words of the input as arguments."""
    args = call.argv[1:]
    per_call, replace, by_line = 0, "", False
    while args and args[0].startswith("-"):
        option = args.pop(0)
        if option[:2] in ("-n", "-I", "-L", "-P", "-s"):
            value = option[2:] or (args.pop(0) if args else "")
            if option[:2] == "-n":
                per_call = number(value, minimum=1)
            elif option[:2] == "-I":
                replace = value
        by_line = by_line or option in ("-0", "-L")
    data = (await call.read_all()).decode("utf-8", errors="surrogateescape")
    if "-0" in call.argv:
        found = [piece for piece in data.split("\0") if piece]
    elif replace:
        found = [line.strip() for line in data.split("\n") if line.strip()]
    else:
        try:
            found = shlex.split(data)
        except ValueError as error:
            raise UsageError("bad quotes") from error
    command = args or ["echo"]
    if replace:
        calls = [[arg.replace(replace, word) for arg in command] for word in found]
    else:
        size = per_call or max(1, len(found))
        calls = [command + found[at : at + size] for at in range(0, max(1, len(found)), size)]
    status = 0
    for argv in calls[:_MAX_ARGUMENTS]:
        if call.run is None:
            return 1
        inner = CommandCall(argv, empty_input(), call.write, call.write_error, call.env, call.cwd, call.run)
        status = await call.run(inner) or status
    return 123 if status and status < 126 else status


async def yes(files: FileSystem, call: CommandCall) -> int:
    """Print a line until the pipe is closed."""
    line = (" ".join(call.argv[1:]) or "y").encode() + b"\n"
    for _ in range(1_000_000):
        await call.write(line * 64)
        await asyncio.sleep(0)
    return 0


async def expr(files: FileSystem, call: CommandCall) -> int:
    """Evaluate an expression."""
    args = call.argv[1:]
    if len(args) == 3 and args[1] in ("=", "!=") and not all(w.lstrip("-").isdecimal() for w in args[::2]):
        value = str(int((args[0] == args[2]) == (args[1] == "=")))
    elif args[:1] == ["length"] and len(args) == 2:
        value = str(len(args[1]))
    else:
        try:
            value = str(evaluate_arithmetic(" ".join("==" if arg == "=" else arg for arg in args), {}))
        except ShellArithmeticError as problem:
            raise UsageError(f"syntax error: {problem}") from problem
    await call.print(value + "\n")
    return int(value in ("0", ""))


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    own: dict[str, Utility] = {
        "date": partial(date, phone),
        "env": env,
        "expr": expr,
        "getprop": partial(getprop, phone),
        "groups": partial(print_by_user, "shell input log adb sdcard_rw\n", "root input log adb\n"),
        "hostname": partial(print_constant, "localhost\n"),
        "id": identify,
        "nice": partial(run_operands, 1),
        "nohup": partial(run_operands, 0),
        "printenv": printenv,
        "setprop": partial(setprop, phone),
        "sleep": partial(sleep, phone),
        "time": partial(run_operands, 0),
        "timeout": partial(timeout, phone),
        "uname": partial(uname, phone),
        "uptime": partial(uptime, phone),
        "usleep": partial(usleep, phone),
        "uuidgen": partial(uuidgen, phone),
        "whoami": partial(print_by_user, "shell\n", "root\n"),
        "xargs": xargs,
        "yes": yes,
    }
    tables = (
        textutils.UTILITIES,
        grep.UTILITIES,
        sed.UTILITIES,
        awk.UTILITIES,
        byteutils.UTILITIES,
        fileutils.UTILITIES,
        smallutils.UTILITIES,
        archiveutils.UTILITIES,
        find.UTILITIES,
        encodingutils.UTILITIES,
        lineutils.UTILITIES,
        own,
    )
    return as_commands(phone.files, {name: utility for table in tables for name, utility in table.items()})

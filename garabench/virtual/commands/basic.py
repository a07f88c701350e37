"""Small commands about the system and other commands: date, sleep, id, uname, xargs, kill and others."""

from __future__ import annotations

import asyncio
import datetime as dt
import shlex
from collections.abc import Mapping
from functools import partial

from garabench.virtual.commands import awk, byteutils, fileutils, find, grep, sed, text
from garabench.virtual.commands.options import UsageError, Utility, number, parsed, table
from garabench.virtual.commands.versions import TOYBOX_SDK
from garabench.virtual.os.files import FileSystem
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.arithmetic import ArithmeticProblem, evaluate
from garabench.virtual.shell.call import Call, Command
from garabench.virtual.shell.streams import nothing

_DAY = 86_400
_ARGUMENTS_MOST = 5000


def _seconds(word: str) -> float:
    unit = {"s": 1, "m": 60, "h": 3600, "d": _DAY}.get(word[-1:], 0)
    try:
        return min(float(word[:-1] if unit else word) * (unit or 1), _DAY)
    except ValueError as error:
        raise UsageError("not a number") from error


async def sleep(phone: Phone, files: FileSystem, call: Call) -> int:
    """Let time pass on the phone."""
    if len(call.argv) < 2:
        raise UsageError("Needs 1 argument")
    await phone.spend(round(sum(map(_seconds, call.argv[1:])) * 1000))
    return 0


async def date(phone: Phone, files: FileSystem, call: Call) -> int:
    """Print the date; setting it is root's."""
    options, words = parsed(call, "uRd:I" if phone.profile.sdk >= TOYBOX_SDK else "uRd:Is:")
    if "s" in options or (words and not words[0].startswith("+")):
        raise UsageError("cannot set date: Operation not permitted")
    form = words[0][1:] if words else "%a %b %e %H:%M:%S %Z %Y"
    wall = phone.clock.wall()
    if "u" in options:
        wall = wall.astimezone(dt.UTC)
    form = (
        form.replace("%Z", wall.tzname() or "GMT")
        .replace("%s", str(int(wall.timestamp())))
        .replace("%N", f"{wall.microsecond:06d}000")
    )
    await call.say(wall.strftime(form) + "\n")
    return 0


def properties(phone: Phone) -> dict[str, str]:
    """The system properties, with those that depend on the present state."""
    return {
        **phone.profile.props,
        "ro.boot.serialno": phone.serialno,
        "ro.serialno": phone.serialno,
        "persist.sys.locale": "zh-CN" if phone.lang == "zh" else "en-US",
        "persist.sys.timezone": phone.clock.zone,
        **phone.properties,
    }


async def getprop(phone: Phone, files: FileSystem, call: Call) -> int:
    """Print a property, or all."""
    props = properties(phone)
    if len(call.argv) > 1:
        default = call.argv[2] if len(call.argv) > 2 else ""
        await call.say(props.get(call.argv[1], default) + "\n")
    else:
        await call.say("".join(f"[{key}]: [{value}]\n" for key, value in sorted(props.items())))
    return 0


async def setprop(phone: Phone, files: FileSystem, call: Call) -> int:
    """Set a property; those of the build cannot be set."""
    if len(call.argv) != 3:
        raise UsageError("usage: setprop NAME VALUE")
    if call.argv[1].startswith("ro."):
        raise UsageError(f"failed to set property '{call.argv[1]}' to '{call.argv[2]}'")
    phone.properties[call.argv[1]] = call.argv[2]
    return 0


async def fixed(said: str, files: FileSystem, call: Call) -> int:
    """A command that always says the same."""
    await call.say(said)
    return 0


async def uname(phone: Phone, files: FileSystem, call: Call) -> int:
    """Name of the system."""
    options, _ = parsed(call, "asnrvmo")
    release = {19: "3.4.0", 30: "4.19.110", 34: "5.15.104"}.get(phone.profile.sdk, "5.10.0")
    parts = {
        "s": "Linux",
        "n": "localhost",
        "r": release,
        "v": "#1 SMP PREEMPT",
        "m": "x86_64",  # as ro.product.cpu.abi says; Android 4.4 has no uname
        "o": "Android",
    }
    wanted = "snrvmo" if "a" in options else "".join(options) or "s"
    await call.say(" ".join(parts[letter] for letter in "snrvmo" if letter in wanted) + "\n")
    return 0


async def uptime(phone: Phone, files: FileSystem, call: Call) -> int:
    """How long the phone has been on."""
    minutes = phone.clock.uptime_ms // 60_000
    wall = phone.clock.wall()
    await call.say(f" {wall:%H:%M:%S} up {minutes} min,  0 users,  load average: 0.00, 0.00, 0.00\n")
    return 0


async def env(files: FileSystem, call: Call) -> int:
    """Print the environment, or run a command in a changed one."""
    words = call.argv[1:]
    values = dict(call.env)
    if words[:1] == ["-i"]:
        values, words = {}, words[1:]
    while words and "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        values[name] = value
    if words and call.run is not None:
        return await call.run(
            Call(words, call.stdin, call.write, call.write_error, values, call.cwd, call.run)
        )
    await call.say("".join(f"{name}={value}\n" for name, value in values.items()))
    return 0


async def printenv(files: FileSystem, call: Call) -> int:
    """Print variables."""
    for name in call.argv[1:] or call.env:
        if name not in call.env:
            return 1
        await call.say(f"{call.env[name]}\n" if call.argv[1:] else f"{name}={call.env[name]}\n")
    return 0


async def through(skipped: int, files: FileSystem, call: Call) -> int:
    """``nohup``, ``time``, ``nice``: run the command that follows."""
    words = call.argv[1:]
    if skipped and words[:1] == ["-n"]:
        words = words[2:]
    if not words or call.run is None:
        raise UsageError("Needs 1 argument")
    return await call.run(Call(words, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run))


async def timeout(phone: Phone, files: FileSystem, call: Call) -> int:
    """Run a command, and end it after some time; 124 then."""
    words = call.argv[1:]
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-s", "-k") else words[1:]
    if len(words) < 2 or call.run is None:
        raise UsageError("Needs 2 arguments")
    limit = _seconds(words[0])
    inner = Call(words[1:], call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
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


async def xargs(files: FileSystem, call: Call) -> int:
    """Run a command with the input's words as arguments."""
    words = call.argv[1:]
    per_call, replace, by_line = 0, "", False
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option[:2] in ("-n", "-I", "-L", "-P", "-s"):
            value = option[2:] or (words.pop(0) if words else "")
            if option[:2] == "-n":
                per_call = number(value, least=1)
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
    command = words or ["echo"]
    if replace:
        calls = [[word.replace(replace, each) for word in command] for each in found]
    else:
        size = per_call or max(1, len(found))
        calls = [command + found[at : at + size] for at in range(0, max(1, len(found)), size)]
    status = 0
    for argv in calls[:_ARGUMENTS_MOST]:
        if call.run is None:
            return 1
        inner = Call(argv, nothing(), call.write, call.write_error, call.env, call.cwd, call.run)
        status = await call.run(inner) or status
    return 123 if status and status < 126 else status


async def yes(files: FileSystem, call: Call) -> int:
    """Print a line until nobody reads it any more."""
    line = (" ".join(call.argv[1:]) or "y").encode() + b"\n"
    for _ in range(1_000_000):
        await call.write(line * 64)
        await asyncio.sleep(0)
    return 0


async def expr(files: FileSystem, call: Call) -> int:
    """Calculate, or compare."""
    words = call.argv[1:]
    if len(words) == 3 and words[1] in ("=", "!=") and not all(w.lstrip("-").isdecimal() for w in words[::2]):
        value = str(int((words[0] == words[2]) == (words[1] == "=")))
    elif words[:1] == ["length"] and len(words) == 2:
        value = str(len(words[1]))
    else:
        try:
            value = str(evaluate(" ".join("==" if word == "=" else word for word in words), {}))
        except ArithmeticProblem as problem:
            raise UsageError(f"syntax error: {problem}") from problem
    await call.say(value + "\n")
    return int(value in ("0", ""))


def _targets(argv: list[str]) -> list[str]:
    """The words of ``kill`` and the like that are no signals."""
    left, targets = list(argv[1:]), list[str]()
    while left:
        word = left.pop(0)
        if word in ("-s", "-l", "-n"):
            left = left[1:]
        elif not word.startswith("-"):
            targets.append(word)
    if not targets:
        raise UsageError("Needs 1 argument")
    return targets


async def kill(phone: Phone, files: FileSystem, call: Call) -> int:
    """``kill [-SIGNAL] PID``: ends programs of the shell; the processes of apps belong to other users."""
    status = 0
    for word in _targets(call.argv):
        program = next((each for each in phone.programs.list() if str(each.pid) == word), None)
        if program is None:
            there = any(str(pid) == word for pid, _ in phone.processes.list())
            why = "Operation not permitted" if there else "No such process"
            await call.complain(f"/system/bin/sh: kill: {word}: {why}\n")
            status = 1
        elif "-0" not in call.argv:
            program.stop()
            await asyncio.sleep(0)
    return status


async def pkill(phone: Phone, files: FileSystem, call: Call) -> int:
    """``pkill [-SIGNAL] NAME`` and ``killall``: end programs of the shell by their name."""
    words = _targets(call.argv)
    found = [each for each in phone.programs.list() if any(word in each.name for word in words)]
    for program in found:
        program.stop()
    await asyncio.sleep(0)
    if not found and call.argv[0].rpartition("/")[2] == "killall":
        await call.complain(f"killall: {words[0]}: No such process\n")
    return int(not found)


async def pgrep(phone: Phone, files: FileSystem, call: Call) -> int:
    """Process ids of apps."""
    options, words = parsed(call, "flxa")
    running = [*((each.pid, each.name) for each in phone.programs.list()), *phone.processes.list()]
    hits = [(pid, p) for pid, p in running if words and words[0] in p]
    for pid, package in hits:
        await call.say(f"{pid} {package}\n" if {"l", "a"} & options.keys() else f"{pid}\n")
    return int(not hits)


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    own: dict[str, Utility] = {
        "date": partial(date, phone),
        "env": env,
        "expr": expr,
        "getenforce": partial(fixed, "Enforcing\n"),
        "getprop": partial(getprop, phone),
        "groups": partial(fixed, "shell input log adb sdcard_rw\n"),
        "hostname": partial(fixed, "localhost\n"),
        "id": partial(
            fixed,
            "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),"
            "1015(sdcard_rw) context=u:r:shell:s0\n",
        ),
        "kill": partial(kill, phone),
        "killall": partial(pkill, phone),
        "nice": partial(through, 1),
        "nohup": partial(through, 0),
        "pgrep": partial(pgrep, phone),
        "pkill": partial(pkill, phone),
        "printenv": printenv,
        "setprop": partial(setprop, phone),
        "sleep": partial(sleep, phone),
        "time": partial(through, 0),
        "timeout": partial(timeout, phone),
        "uname": partial(uname, phone),
        "uptime": partial(uptime, phone),
        "whoami": partial(fixed, "shell\n"),
        "xargs": xargs,
        "yes": yes,
    }
    tables = (
        text.UTILITIES,
        grep.UTILITIES,
        sed.UTILITIES,
        awk.UTILITIES,
        byteutils.UTILITIES,
        fileutils.UTILITIES,
        find.UTILITIES,
        own,
    )
    return table(phone.files, {name: utility for each in tables for name, utility in each.items()})

"""Text and file commands of the shell."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial

from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.interpreter import Call, Command

_CHUNK = 1 << 16


async def echo(call: Call) -> int:
    """Print the arguments."""
    newline = call.argv[1:2] != ["-n"]
    await call.say(" ".join(call.argv[1 if newline else 2 :]) + ("\n" if newline else ""))
    return 0


async def cat(phone: Phone, call: Call) -> int:
    """Print files, or the input."""
    if len(call.argv) == 1:
        async for data in call.stdin:
            await call.write(data)
        return 0
    status = 0
    for path in call.argv[1:]:
        try:
            await call.write(phone.files.read(path))
        except OSError as error:
            await call.complain(f"cat: {path}: {error.strerror}\n")
            status = 1
    return status


async def rm(phone: Phone, call: Call) -> int:
    """Remove files."""
    flags = "".join(word[1:] for word in call.argv[1:] if word.startswith("-"))
    status = 0
    for path in (word for word in call.argv[1:] if not word.startswith("-")):
        try:
            phone.files.remove(path, recursive="r" in flags or "R" in flags)
        except OSError as error:
            if "f" not in flags:
                await call.complain(f"rm: {path}: {error.strerror}\n")
                status = 1
    return status


async def mkdir(phone: Phone, call: Call) -> int:
    """Make directories."""
    for path in (word for word in call.argv[1:] if not word.startswith("-")):
        try:
            phone.files.mkdir(path)
        except OSError as error:
            await call.complain(f"mkdir: '{path}': {error.strerror}\n")
            return 1
    return 0


async def ls(phone: Phone, call: Call) -> int:
    """List a directory."""
    paths = [word for word in call.argv[1:] if not word.startswith("-")] or ["/"]
    for path in paths:
        names = phone.files.listdir(path)
        if names is None:
            if phone.files.stat(path) is None:
                await call.complain(f"ls: {path}: No such file or directory\n")
                return 1
            names = (path,)
        await call.say("".join(f"{name}\n" for name in names))
    return 0


async def md5sum(phone: Phone, call: Call) -> int:
    """Print files' MD5 sums."""
    status = 0
    for path in call.argv[1:]:
        try:
            digest = hashlib.md5(phone.files.read(path), usedforsecurity=False).hexdigest()
        except OSError as error:
            await call.complain(f"md5sum: {path}: {error.strerror}\n")
            status = 1
            continue
        await call.say(f"{digest}  {path}\n")
    return status


async def sleep(phone: Phone, call: Call) -> int:
    """Let time pass on the phone."""
    try:
        seconds = float(call.argv[1])
    except (IndexError, ValueError):
        await call.complain("sleep: not a number\n")
        return 1
    await phone.spend(round(min(seconds, 86_400) * 1000))
    return 0


async def getprop(phone: Phone, call: Call) -> int:
    """Print a property, or all."""
    locale = "zh-CN" if phone.lang == "zh" else "en-US"
    props = {**phone.profile.props, "persist.sys.locale": locale}
    if len(call.argv) > 1:
        await call.say(props.get(call.argv[1], "") + "\n")
    else:
        await call.say("".join(f"[{key}]: [{value}]\n" for key, value in sorted(props.items())))
    return 0


async def exit_with(status: int, call: Call) -> int:
    """``true`` and ``false``."""
    return status


async def date(phone: Phone, call: Call) -> int:
    """Print the date."""
    wall = phone.clock.wall()
    form = (
        call.argv[1][1:]
        if len(call.argv) > 1 and call.argv[1].startswith("+")
        else "%a %b %e %H:%M:%S CST %Y"
    )
    await call.say(wall.strftime(form) + "\n")
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {
        "cat": partial(cat, phone),
        "date": partial(date, phone),
        "echo": echo,
        "false": partial(exit_with, 1),
        "getprop": partial(getprop, phone),
        "ls": partial(ls, phone),
        "md5sum": partial(md5sum, phone),
        "mkdir": partial(mkdir, phone),
        "rm": partial(rm, phone),
        "sleep": partial(sleep, phone),
        "true": partial(exit_with, 0),
    }

"""``cmd``, ``input``, ``settings``, ``wm``, ``dumpsys``, ``screencap``, ``logcat`` and their like."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial

from garabench.virtual.os.input import UnmappableTextError
from garabench.virtual.os.keys import code_of
from garabench.virtual.os.logcat import LogEntry
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.settings import NAMESPACES
from garabench.virtual.shell.call import Call, Command

_SERVICES = {"package": "pm", "settings": "settings", "activity": "am", "input": "input", "window": "wm"}
_CALL_MS, _TAP_MS, _KEY_MS, _TEXT_MS = 15, 60, 40, 20


async def cmd(phone: Phone, call: Call) -> int:
    """``cmd SERVICE …``: as the service's own command, where it has one."""
    words = call.argv[1:]
    own = _SERVICES.get(words[0]) if words else None
    if own is not None and call.run is not None:
        argv = [own, *words[1:]]
        return await call.run(
            Call(argv, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
        )
    if words[:2] == ["uimode", "night"]:
        if len(words) > 2:
            phone.settings.put("secure", "ui_night_mode", "2" if words[2] == "yes" else "1")
        night = phone.settings.get("secure", "ui_night_mode") == "2"
        await call.say(f"Night mode: {'yes' if night else 'no'}\n")
        return 0
    if words[:2] == ["connectivity", "airplane-mode"] and len(words) > 2:
        phone.network.airplane = words[2] == "enable"
        return 0
    await call.complain(f"cmd: Can't find service: {words[0] if words else ''}\n")
    return 20


async def input_(phone: Phone, call: Call) -> int:
    """``input tap|swipe|draganddrop|text|keyevent``."""
    words = call.argv[1:]
    if words and words[0] in ("touchscreen", "keyboard"):
        words = words[1:]
    verb, rest = (words[0], words[1:]) if words else ("", [])
    try:
        numbers = [round(float(word)) for word in rest] if verb in ("tap", "swipe", "draganddrop") else []
    except ValueError:
        await call.complain(f"Error: Invalid arguments for command: {verb}\n")
        return 255
    match verb, numbers:
        case "tap", [x, y]:
            phone.input.tap(x, y)
            await phone.spend(_TAP_MS)
        case "swipe" | "draganddrop", [x1, y1, x2, y2, *more]:
            duration = more[0] if more else 300
            act = phone.input.swipe if verb == "swipe" else phone.input.drag
            act(x1, y1, x2, y2, duration)
            await phone.spend(duration)
        case "text", _ if rest:
            try:
                phone.input.text(rest[0].replace("%s", " "))
            except UnmappableTextError:
                await call.complain("java.lang.NullPointerException: Attempt to get length of null array\n")
                return 255
            await phone.spend(_TEXT_MS * len(rest[0]))
        case "keyevent", _ if rest:
            for name in (word for word in rest if not word.startswith("--")):
                code = code_of(name)
                if code is None:
                    await call.complain(f"Error: Unknown keycode: {name}\n")
                    return 255
                phone.input.key(code, longpress="--longpress" in rest)
                await phone.spend(_KEY_MS)
        case _:
            await call.complain("Error: Unknown command: " + verb + "\n")
            return 255
    return 0


async def settings(phone: Phone, call: Call) -> int:
    """``settings get|put|delete|list``."""
    words = call.argv[1:]
    if words[:1] == ["--user"]:
        words = words[2:]
    await phone.spend(_CALL_MS)
    match words:
        case ["get", namespace, key] if namespace in NAMESPACES:
            value = phone.settings.get(namespace, key)
            await call.say(("null" if value is None else value) + "\n")
        case ["put", namespace, key, value, *_] if namespace in NAMESPACES:
            phone.settings.put(namespace, key, value)
        case ["delete", namespace, key] if namespace in NAMESPACES:
            await call.say(f"Deleted {int(phone.settings.delete(namespace, key))} rows\n")
        case ["list", namespace] if namespace in NAMESPACES:
            rows = phone.settings.list(namespace).items()
            await call.say("".join(f"{key}={value}\n" for key, value in rows))
        case _:
            await call.complain("Invalid arguments\n")
            return 255
    return 0


async def wm(phone: Phone, call: Call) -> int:
    """``wm size|density``."""
    display = phone.display
    match call.argv[1:]:
        case ["size"]:
            await call.say(f"Physical size: {display.natural}\n")
            if display.override:
                await call.say(f"Override size: {display.override}\n")
        case ["density"]:
            await call.say(f"Physical density: {display.physical_density}\n")
            if display.density_override:
                await call.say(f"Override density: {display.density_override}\n")
        case _:
            await call.complain("Error: unknown command\n")
            return 255
    return 0


def _line(entry: LogEntry, form: str) -> str:
    stamp = entry.time.strftime("%m-%d %H:%M:%S.") + f"{entry.time.microsecond // 1000:03d}"
    if form == "time":
        return f"{stamp} {entry.level}/{entry.tag:<8}({entry.pid:>5}): {entry.message}\n"
    if form == "brief":
        return f"{entry.level}/{entry.tag:<8}({entry.pid:>5}): {entry.message}\n"
    if form == "raw":
        return entry.message + "\n"
    return f"{stamp} {entry.pid:>5} {entry.tid:>5} {entry.level} {entry.tag:<8}: {entry.message}\n"


async def logcat(phone: Phone, call: Call) -> int:
    """``logcat [-d] [-c] [-v FORM] [-s TAG:LEVEL …]``."""
    words = call.argv[1:]
    if "-c" in words or "--clear" in words:
        phone.logcat.clear()
        return 0
    form = words[words.index("-v") + 1] if "-v" in words[:-1] else "threadtime"
    tags = {word.partition(":")[0] for word in words[words.index("-s") + 1 :]} if "-s" in words else set()
    await phone.spend(_CALL_MS)

    def shown(entry: LogEntry) -> bool:
        return not tags or entry.tag in tags

    await call.say("--------- beginning of main\n")
    queue: asyncio.Queue[LogEntry] = asyncio.Queue()
    end = phone.logcat.subscribe(queue.put_nowait)
    try:
        for entry in phone.logcat.read():
            if shown(entry):
                await call.say(_line(entry, form))
        while "-d" not in words:
            entry = await queue.get()
            if shown(entry):
                await call.say(_line(entry, form))
    finally:
        end()
    return 0


async def log(phone: Phone, call: Call) -> int:
    """``log [-t TAG] [-p LEVEL] MESSAGE``."""
    words, tag, level = call.argv[1:], "log", "I"
    while len(words) > 1 and words[0] in ("-t", "-p"):
        if words[0] == "-t":
            tag = words[1]
        else:
            level = words[1][:1].upper()
        words = words[2:]
    phone.logcat.write(level, tag, " ".join(words), pid=2000)
    return 0


async def svc(phone: Phone, call: Call) -> int:
    """``svc wifi|data enable|disable``."""
    match call.argv[1:]:
        case ["wifi", verb]:
            phone.network.wifi = verb == "enable"
        case ["data", verb]:
            phone.network.mobile_data = verb == "enable"
        case ["power", *_]:
            return 0
        case _:
            await call.complain("Available commands: wifi, data, power\n")
            return 1
    return 0


async def ime(phone: Phone, call: Call) -> int:
    """``ime list|enable|set``."""
    match [word for word in call.argv[1:] if word != "-s"]:
        case ["list", *more]:
            await call.say("".join(f"{each}\n" for each in phone.ime.list(every="-a" in more)))
        case ["enable", identity]:
            done = phone.ime.enable(identity)
            await call.say(f"Input method {identity}: {'now enabled' if done else 'unknown'}\n")
            return 0 if done else 1
        case ["set", identity]:
            done = phone.ime.set(identity)
            await call.say(f"Input method {identity}{' selected' if done else ' cannot be selected'}\n")
            return 0 if done else 1
        case _:
            await call.complain("Error: unknown command\n")
            return 1
    return 0


async def ps(phone: Phone, call: Call) -> int:
    """``ps -A``."""
    await call.say("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
    for pid, package in phone.processes.list():
        await call.say(f"u0_a50       {pid:>5}   350 1200000  90000 0                   0 S {package}\n")
    return 0


async def pidof(phone: Phone, call: Call) -> int:
    """``pidof NAME``."""
    pid = phone.processes.pidof(call.argv[1]) if len(call.argv) > 1 else None
    if pid is None:
        return 1
    await call.say(f"{pid}\n")
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    table = {
        "ime": ime,
        "input": input_,
        "log": log,
        "logcat": logcat,
        "pidof": pidof,
        "ps": ps,
        "settings": settings,
        "svc": svc,
        "wm": wm,
    }
    if phone.profile.has_cmd:
        table["cmd"] = cmd
    return {name: partial(command, phone) for name, command in table.items()}

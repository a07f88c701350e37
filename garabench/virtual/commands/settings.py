"""``settings``, ``content`` and ``wm``: what is set on the phone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from garabench.core.geometry import Size
from garabench.virtual.commands.costs import CALL_MS
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.settings import NAMESPACES
from garabench.virtual.shell.call import Call, Command

_LEAST_DENSITY = 72
_LEAST_SIDE, _MOST_SCALE = 200, 2
"""``WindowManagerService`` keeps a size that is set within these."""
_WHERE = re.compile(r"""\s*\(?\s*name\s*=\s*(['"])(?P<name>[^'"]*)\1\s*\)?\s*""")
_URI = re.compile(r"content://(?P<authority>[^/?]+)/?(?P<table>[^/?]*)/?(?P<key>[^/?]*)")


async def settings(phone: Phone, call: Call) -> int:
    """``settings get|put|delete|list|reset``."""
    words = call.argv[1:]
    for place in (0, 1):
        if words[place : place + 1] == ["--user"]:
            words = words[:place] + words[place + 2 :]
    await phone.spend(CALL_MS)
    if len(words) > 1 and words[0] in ("get", "put", "delete", "list") and words[1] not in NAMESPACES:
        await call.complain(f"Invalid namespace '{words[1]}'\n")
        return 255
    match words:
        case ["get", namespace, key]:
            value = phone.settings.get(namespace, key)
            await call.say(("null" if value is None else value) + "\n")
        case ["put", namespace, key, value, *_]:
            phone.settings.put(namespace, key, value)
        case ["delete", namespace, key]:
            await call.say(f"Deleted {int(phone.settings.delete(namespace, key))} rows\n")
        case ["list", namespace]:
            rows = phone.settings.list(namespace).items()
            await call.say("".join(f"{key}={value}\n" for key, value in rows))
        case _:
            await call.complain("Invalid arguments\n")
            return 255
    return 0


class ContentError(ValueError):
    """A wrong call of ``content``; the text is what it says."""


def _arguments(words: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Options, and bound values by column."""
    options, bound, left = dict[str, str](), dict[str, str](), list(words)
    while left:
        word = left.pop(0)
        if not left:
            raise ContentError(f"[ERROR] Argument expected after {word}")
        value = left.pop(0)
        if word == "--bind":
            column, kind, text = (*value.split(":", 2), "", "")[:3]
            if not kind:
                raise ContentError(f"[ERROR] Binding not well formed: {value}")
            bound[column] = text
        elif word in ("--uri", "--where", "--projection", "--sort", "--user"):
            options[word] = value
        else:
            raise ContentError(f"[ERROR] Unsupported argument: {word}")
    if "--uri" not in options:
        raise ContentError("[ERROR] Content provider URI not specified. Did you specify --uri argument?")
    return options, bound


async def content(phone: Phone, call: Call) -> int:
    """``content query|insert|update|delete --uri content://settings/…``."""
    verb, words = call.argv[1] if len(call.argv) > 1 else "", call.argv[2:]
    await phone.spend(CALL_MS)
    try:
        if verb not in ("query", "insert", "update", "delete"):
            raise ContentError(f"[ERROR] Unsupported operation: {verb}")
        options, bound = _arguments(words)
        found = _URI.fullmatch(options["--uri"])
        if found is None or found["authority"] != "settings" or found["table"] not in NAMESPACES:
            name = found["authority"] if found else options["--uri"]
            raise ContentError(
                f"Error while accessing provider:{name}\n"
                f"java.lang.IllegalStateException: Could not find provider: {name}"
            )
        where = _WHERE.fullmatch(options.get("--where", ""))
        if "--where" in options and where is None:
            raise ContentError("Error while accessing provider:settings\nWHERE clause is not supported")
        name = where["name"] if where else found["key"]
        said = _acted(phone, verb, found["table"], name, options.get("--projection", ""), bound)
    except ContentError as error:
        await call.complain(f"{error}\n")
        return 1
    await call.say(said)
    return 0


def _acted(phone: Phone, verb: str, table: str, name: str, columns: str, bound: dict[str, str]) -> str:
    values = phone.settings
    match verb:
        case "insert":
            if "name" not in bound:
                raise ContentError("[ERROR] No name is bound.")
            values.put(table, bound["name"], bound.get("value", ""))
        case "update":
            if name and values.get(table, name) is not None:
                values.put(table, name, bound.get("value", ""))
        case "delete":
            values.delete(table, name)
        case _:
            rows = enumerate(values.list(table).items(), start=1)
            chosen = [(str(number), *row) for number, row in rows if not name or row[0] == name]
            wanted = columns.split(":") if columns else ["_id", "name", "value"]
            lines = [dict(zip(("_id", "name", "value"), row, strict=True)) for row in chosen]
            shown = [", ".join(f"{key}={line.get(key, 'NULL')}" for key in wanted) for line in lines]
            return "".join(f"Row: {at} {text}\n" for at, text in enumerate(shown)) or "No result found.\n"
    return ""


def _size(phone: Phone, text: str) -> Size | None:
    """A size of ``wm size``, in pixels or dp, kept within what Android allows."""
    found = re.fullmatch(r"(\d{1,6})(dp)?x(\d{1,6})(dp)?", text)
    if found is None:
        return None
    natural, density = phone.display.natural, phone.display.density
    width, height = (
        int(number) * density // 160 if dp else int(number)
        for number, dp in ((found[1], found[2]), (found[3], found[4]))
    )
    return Size(
        min(max(width, _LEAST_SIDE), natural.width * _MOST_SCALE),
        min(max(height, _LEAST_SIDE), natural.height * _MOST_SCALE),
    )


async def wm(phone: Phone, call: Call) -> int:
    """``wm size|density [VALUE|reset]`` and ``wm user-rotation [free|lock [N]]``."""
    display = phone.display
    words = call.argv[1:]
    await phone.spend(CALL_MS)
    match words:
        case ["size"]:
            await call.say(f"Physical size: {display.natural}\n")
            if display.override:
                await call.say(f"Override size: {display.override}\n")
        case ["size", value]:
            size = None if value == "reset" else _size(phone, value)
            if size is None and value != "reset":
                await call.complain(f"Error: bad size {value}\n")
                return 255
            display.override = None if size == display.natural else size
        case ["density"]:
            await call.say(f"Physical density: {display.physical_density}\n")
            if display.density_override:
                await call.say(f"Override density: {display.density_override}\n")
        case ["density", value]:
            if value != "reset" and not value.isdecimal():
                await call.complain(f"Error: bad number {value}\n")
                return 255
            if value != "reset" and int(value) < _LEAST_DENSITY:
                await call.complain("Error: density must be >= 72\n")
                return 255
            density = None if value == "reset" else int(value)
            display.density_override = None if density == display.physical_density else density
        case ["user-rotation"]:
            free = phone.settings.get("system", "accelerometer_rotation") == "1"
            await call.say("free\n" if free else f"lock {phone.settings.get('system', 'user_rotation')}\n")
        case ["user-rotation" | "set-user-rotation", "free"]:
            phone.settings.put("system", "accelerometer_rotation", "1")
        case ["user-rotation" | "set-user-rotation", "lock", *turned]:
            phone.settings.put("system", "accelerometer_rotation", "0")
            if turned and turned[0] in "0123":
                phone.settings.put("system", "user_rotation", turned[0])
        case ["dismiss-keyguard"]:
            return 0
        case _:
            await call.complain("Error: unknown command\n")
            return 255
    phone.changed()
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {
        "content": partial(content, phone),
        "settings": partial(settings, phone),
        "wm": partial(wm, phone),
    }

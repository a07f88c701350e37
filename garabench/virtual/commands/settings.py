"""``settings``, in the form of each version of Android.

In Android 4.4 it is a program (AOSP ``SettingsCmd.java``) that reads and writes; later it deletes and lists,
too, and runs in the system's process (``SettingsService``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.commands import failures
from garabench.virtual.commands.costs import CALL_MS, KITKAT
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.settings import NAMESPACES
from garabench.virtual.shell.call import Call, Command

_OLD_USAGE = (
    "usage:  settings [--user NUM] get namespace key\n"
    "        settings [--user NUM] put namespace key value\n\n"
    "'namespace' is one of {system, secure, global}, case-insensitive\n"
    "If '--user NUM' is not given, the operations are performed on the owner user.\n"
)
_HELP = (
    "Settings provider (settings) commands:\n  help\n      Print this help text.\n"
    "  get [--user <USER_ID> | current] NAMESPACE KEY\n      Retrieve the current value of KEY.\n"
    "  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]\n"
    "      Change the contents of KEY to VALUE.\n"
    "  delete [--user <USER_ID> | current] NAMESPACE KEY\n      Delete the entry for KEY.\n"
    "  list [--user <USER_ID> | current] NAMESPACE\n      Print all defined keys.\n"
)
_WANTED = {"get": 2, "put": 3, "delete": 2, "list": 1}
_MOST = {"get": 2, "put": 5, "delete": 2, "list": 1}
"""Newer versions take a tag and ``default`` after a value."""


class WrongSettingsCallError(ValueError):
    """The arguments are wrong; the text is what Android says."""


def _arguments(words: list[str], verbs: tuple[str, ...]) -> tuple[str, str, list[str]]:
    """Verb, namespace and what follows."""
    left = list(words)
    if "--user" in left:
        place = left.index("--user")
        del left[place : place + 2]
    verb = left.pop(0).lower() if left else ""
    if verb not in verbs:
        raise WrongSettingsCallError(f"Invalid command: {verb}")
    namespace = left.pop(0).lower() if left else ""
    if namespace and namespace not in NAMESPACES:
        raise WrongSettingsCallError(f"Invalid namespace '{namespace}'")
    most = 3 if verb == "put" and "list" not in verbs else _MOST[verb]
    if len(left) + 1 > most and verb != "list":
        raise WrongSettingsCallError("Too many arguments")
    if not namespace or len(left) + 1 < _WANTED[verb]:
        raise WrongSettingsCallError("Bad arguments")
    return verb, namespace, left


async def settings(phone: Phone, call: Call) -> int:
    """``settings get|put|delete|list``."""
    words, old = call.argv[1:], phone.profile.sdk <= KITKAT
    await phone.spend(CALL_MS)
    if old and len(words) < 3:
        await call.complain(_OLD_USAGE)
        return 0
    if words[:1] in ([], ["help"], ["-h"]):
        await call.say(_HELP)
        return failures.FAILED
    try:
        verb, namespace, rest = _arguments(words, ("get", "put") if old else tuple(_WANTED))
    except WrongSettingsCallError as error:
        await call.complain(f"{error}\n{_OLD_USAGE if old else ''}")
        return 0 if old else failures.FAILED
    match verb, rest:
        case "get", [key]:
            value = phone.settings.get(namespace, key)
            await call.say(("null" if value is None else value) + "\n")
        case "put", [key, value, *_]:
            phone.settings.put(namespace, key, value)
        case "delete", [key]:
            await call.say(f"Deleted {int(phone.settings.delete(namespace, key))} rows\n")
        case _:
            rows = phone.settings.list(namespace).items()
            await call.say("".join(f"{key}={value}\n" for key, value in rows))
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"settings": partial(settings, phone)}

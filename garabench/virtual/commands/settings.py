"""``settings``, in each Android version's form.

In Android 4.4 it is a program (AOSP ``SettingsCmd.java``) that gets and puts; later it also deletes and
lists, and runs in the system process (``SettingsService``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.settings import NAMESPACES
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.durations import CALL_MS, KITKAT
from garabench.virtual.shell.call import Command, CommandCall

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
_MIN_ARGUMENTS = {"get": 2, "put": 3, "delete": 2, "list": 1}
_MAX_ARGUMENTS = {"get": 2, "put": 5, "delete": 2, "list": 1}
"""Maximum number of arguments; newer versions accept a tag and ``default`` after a value."""


class SettingsArgumentError(ValueError):
    """The arguments are wrong; the text is Android's message."""


def _arguments(args: list[str], verbs: tuple[str, ...]) -> tuple[str, str, list[str]]:
    """Parse verb, namespace and operands."""
    remaining = list(args)
    if "--user" in remaining:
        index = remaining.index("--user")
        del remaining[index : index + 2]
    verb = remaining.pop(0).lower() if remaining else ""
    if verb not in verbs:
        raise SettingsArgumentError(f"Invalid command: {verb}")
    namespace = remaining.pop(0).lower() if remaining else ""
    if namespace and namespace not in NAMESPACES:
        raise SettingsArgumentError(f"Invalid namespace '{namespace}'")
    most = 3 if verb == "put" and "list" not in verbs else _MAX_ARGUMENTS[verb]
    if len(remaining) + 1 > most and verb != "list":
        raise SettingsArgumentError("Too many arguments")
    if not namespace or len(remaining) + 1 < _MIN_ARGUMENTS[verb]:
        raise SettingsArgumentError("Bad arguments")
    return verb, namespace, remaining


async def settings(phone: Phone, call: CommandCall) -> int:
    """``settings get|put|delete|list``."""
    args, old = call.argv[1:], phone.profile.sdk <= KITKAT
    await phone.spend(CALL_MS)
    if old and len(args) < 3:
        await call.print_error(_OLD_USAGE)
        return 0
    if args[:1] in ([], ["help"], ["-h"]):
        await call.print(_HELP)
        return framework_errors.FAILED
    try:
        verb, namespace, rest = _arguments(args, ("get", "put") if old else tuple(_MIN_ARGUMENTS))
    except SettingsArgumentError as error:
        await call.print_error(f"{error}\n{_OLD_USAGE if old else ''}")
        return 0 if old else framework_errors.FAILED
    match verb, rest:
        case "get", [key]:
            value = phone.settings.get(namespace, key)
            await call.print(("null" if value is None else value) + "\n")
        case "put", [key, value, *_]:
            phone.settings.put(namespace, key, value)
        case "delete", [key]:
            await call.print(f"Deleted {int(phone.settings.delete(namespace, key))} rows\n")
        case _:
            rows = phone.settings.list(namespace).items()
            await call.print("".join(f"{key}={value}\n" for key, value in rows))
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"settings": partial(settings, phone)}

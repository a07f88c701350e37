"""Roles and their holders: ``dumpsys role``, ``cmd role`` (AOSP ``RoleManagerService``, since Android 10)."""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.role_holders import PREFIX, ROLE_INTENTS, holders
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall

FIRST_SDK = 29


def _names() -> tuple[str, ...]:
    return tuple(PREFIX + name for name in sorted(ROLE_INTENTS))


def dump(phone: Phone, args: list[str]) -> str:
    """``dumpsys role``."""
    parts = ["user_states=[\n  {\n    user_id=0\n    version=1\n    packages_hash=null\n    roles=[\n"]
    for name in _names():
        parts.append(f"      {{\n        name={name}\n        fallback_enabled=true\n        holders=[\n")
        parts += [f"          {package}\n" for package in holders(phone, name)]
        parts.append("        ]\n      }\n")
    return "".join([*parts, "    ]\n  }\n]\n"])


async def role(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd role get-role-holders|add-role-holder|remove-role-holder|clear-role-holders``."""
    left = list(args)
    while "--user" in left:
        at = left.index("--user")
        del left[at : at + 2]
    match left:
        case [verb, name, *_] if verb in _VERBS and name not in _names():
            if verb == "get-role-holders":
                return 0
            await call.print_error("Error: see logcat for details.\n")
            return framework_errors.FAILED
        case ["get-role-holders", name]:
            found = holders(phone, name)
            await call.print(";".join(found) + "\n" if found else "")
        case ["add-role-holder", name, package, *_]:
            if phone.packages.get(package) is None:
                await call.print_error("Error: see logcat for details.\n")
                return framework_errors.FAILED
            phone.services.roles[name] = [package]
        case ["remove-role-holder", name, package, *_]:
            phone.services.roles[name] = [each for each in holders(phone, name) if each != package]
        case ["clear-role-holders", name, *_]:
            phone.services.roles[name] = []
        case [verb, *_] if verb in _VERBS:
            return await framework_errors.report_illegal_argument(
                call, verb, f'Argument expected after "{left[-1]}"'
            )
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            await call.print(
                "Role (role) commands:\n  help or -h\n    Print this help text.\n\n"
                "  get-role-holders [--user USER_ID] ROLE\n"
                "  add-role-holder [--user USER_ID] ROLE PACKAGE [FLAGS]\n"
                "  remove-role-holder [--user USER_ID] ROLE PACKAGE [FLAGS]\n"
                "  clear-role-holders [--user USER_ID] ROLE [FLAGS]\n"
            )
            return framework_errors.FAILED
    return 0


_VERBS = ("get-role-holders", "add-role-holder", "remove-role-holder", "clear-role-holders")

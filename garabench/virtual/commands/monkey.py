"""``monkey``, the subset that clients use: starting an app's launcher activity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from garabench.virtual.android.package_manager import LAUNCHER, MAIN
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import durations
from garabench.virtual.kit.framework import Intent
from garabench.virtual.shell.call import Command, CommandCall

_PRINTS_ARGUMENTS_SDK = 21
"""First API level (Android 5) whose script in ``/system/bin`` prints its arguments."""
_NOTHING_TO_RUN = 252
_WRONG = 251
_WITH_VALUE = frozenset({"-p", "-c", "-s", "-f", "--throttle", "--setup", "--port", "--pkg-whitelist-file"})
_USAGE = (
    "usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]\n"
    "              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]\n"
    "              [-s SEED]\n              [-v [-v] ...]\n              [--throttle MILLISEC]\n"
    "              COUNT\n"
)


def _reset_rotation(phone: Phone) -> None:
    """Freeze rotation 0 and release it, as ``Monkey.java`` does when it exits."""
    phone.settings.put("system", "user_rotation", "0")
    phone.settings.put("system", "accelerometer_rotation", "1")


async def monkey(phone: Phone, call: CommandCall) -> int:
    """``monkey -p PACKAGE [-c CATEGORY] COUNT``: starts the app; the events have no effect.

    It resets the user's rotation when it exits, on every Android version.
    """
    args = call.argv[1:]
    if phone.profile.sdk >= _PRINTS_ARGUMENTS_SDK:
        await call.print("".join(f"  bash arg: {arg}\n" for arg in args))
    packages, categories, count = list[str](), list[str](), ""
    remaining = list(args)
    while remaining:
        arg = remaining.pop(0)
        if arg in _WITH_VALUE and remaining:
            value = remaining.pop(0)
            packages += [value] if arg == "-p" else []
            categories += [value] if arg == "-c" else []
        elif not arg.startswith("-"):
            count = arg
    if not count.isdecimal():
        await call.print_error(_USAGE if not count else f"** Error: Count is not a number\n{_USAGE}")
        return _WRONG
    await phone.spend(durations(phone).start)
    known = LAUNCHER in (categories or [LAUNCHER])
    for package in packages:
        intent = Intent(action=MAIN, package=package, categories=frozenset({LAUNCHER}))
        # Monkey queries without MATCH_DEFAULT_ONLY, and starts the component.
        found = phone.packages.query(intent, default_only=False)[:1] if known else ()
        if any(phone.activities.start(replace(intent, activity=each.activity)).ok for each in found):
            break
    else:  # nothing to run: it ends before it touches the rotation
        await call.print("** No activities found to run, monkey aborted.\n")
        return _NOTHING_TO_RUN
    _reset_rotation(phone)
    await call.print(
        f"Events injected: {count}\n## Network stats: elapsed time=17ms (0ms mobile, 0ms wifi, "
        "17ms not connected)\n"
    )
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"monkey": partial(monkey, phone)}

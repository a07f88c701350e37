"""``monkey``, as far as clients use it: to start an app by its icon."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.apps.framework import Intent
from garabench.virtual.commands.costs import costs
from garabench.virtual.os.packages import LAUNCHER, MAIN
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command

_TELLS_ARGUMENTS_SDK = 21
"""Since Android 5 the script in ``/system/bin`` prints its arguments."""
_NOTHING_TO_RUN = 252
_WRONG = 251
_WITH_VALUE = frozenset({"-p", "-c", "-s", "-f", "--throttle", "--setup", "--port", "--pkg-whitelist-file"})
_USAGE = (
    "usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]\n"
    "              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]\n"
    "              [-s SEED]\n              [-v [-v] ...]\n              [--throttle MILLISEC]\n"
    "              COUNT\n"
)


async def monkey(phone: Phone, call: Call) -> int:
    """``monkey -p PACKAGE [-c CATEGORY] COUNT``: start the app; the events that follow go nowhere."""
    words = call.argv[1:]
    if phone.profile.sdk >= _TELLS_ARGUMENTS_SDK:
        await call.say("".join(f"  bash arg: {word}\n" for word in words))
    packages, categories, count = list[str](), list[str](), ""
    left = list(words)
    while left:
        word = left.pop(0)
        if word in _WITH_VALUE and left:
            value = left.pop(0)
            packages += [value] if word == "-p" else []
            categories += [value] if word == "-c" else []
        elif not word.startswith("-"):
            count = word
    if not count.isdecimal():
        await call.complain(_USAGE if not count else f"** Error: Count is not a number\n{_USAGE}")
        return _WRONG
    await phone.spend(costs(phone).start)
    known = LAUNCHER in (categories or [LAUNCHER])
    for package in packages:
        intent = Intent(action=MAIN, package=package, categories=frozenset({LAUNCHER}))
        if known and phone.activities.start(intent).ok:
            break
    else:
        await call.say("** No activities found to run, monkey aborted.\n")
        return _NOTHING_TO_RUN
    await call.say(
        f"Events injected: {count}\n## Network stats: elapsed time=17ms (0ms mobile, 0ms wifi, "
        "17ms not connected)\n"
    )
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"monkey": partial(monkey, phone)}

"""``cmd locale`` and ``cmd alarm``: the language of one app, and the phone's clock and time zone.

After ``LocaleManagerShellCommand`` and ``AlarmManagerService.ShellCmd``.
"""

from __future__ import annotations

import re

from garabench.virtual.commands import failures
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call

LOCALE_SDK, ALARM_SDK = 33, 28
"""API levels of the first Android whose services have these commands."""
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


async def locale(phone: Phone, call: Call, words: list[str]) -> int:
    """``get-app-locales PACKAGE`` and ``set-app-locales PACKAGE [--user N] [--locales TAGS]``."""
    match words:
        case [("get-app-locales" | "set-app-locales") as verb, package, *options]:
            installed = phone.packages.get(package)
            if installed is None:
                await call.say(f"Unknown package {package} for userId 0\n")
            elif verb == "get-app-locales":
                await call.say(f"Locales for {package} for user 0 are [{installed.locales}]\n")
            else:
                at = options.index("--locales") + 1 if "--locales" in options else len(options)
                tags = [tag for tag in "".join(options[at : at + 1]).split(",") if _TAG.fullmatch(tag)]
                installed.locales = ",".join(tags)
                phone.changed()
            return 0
        case ["get-app-locales" | "set-app-locales"]:
            await call.complain("Error: no package specified\n")
            return failures.FAILED
    return await failures.unknown(call, words[0] if words else "")


async def alarm(phone: Phone, call: Call, words: list[str]) -> int:
    """``set-timezone ZONE`` and ``set-time MILLISECONDS``."""
    match words:
        case ["set-time", number]:
            try:
                phone.clock.set_wall(int(number))
            except ValueError:
                await call.complain(f'java.lang.NumberFormatException: For input string: "{number}"\n')
                return failures.FAILED
            phone.changed()
            return 0
        case ["set-timezone", zone]:
            phone.clock.zone = zone
            phone.changed()
            return 0
        case [("set-time" | "set-timezone") as verb]:
            await call.complain(f'Error: Argument expected after "{verb}"\n')
            return failures.FAILED
    return await failures.unknown(call, words[0] if words else "")

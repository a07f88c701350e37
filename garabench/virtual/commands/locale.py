"""``cmd locale``: the language of one app (AOSP ``LocaleManagerShellCommand``)."""

from __future__ import annotations

import re

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall

FIRST_SDK = 33
"""API level of the first Android that has the command."""
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


async def locale(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``get-app-locales PACKAGE`` and ``set-app-locales PACKAGE [--user N] [--locales TAGS]``."""
    match args:
        case [("get-app-locales" | "set-app-locales") as verb, package, *options]:
            installed = phone.packages.get(package)
            if installed is None:
                await call.print(f"Unknown package {package} for userId 0\n")
            elif verb == "get-app-locales":
                await call.print(f"Locales for {package} for user 0 are [{installed.locales}]\n")
            else:
                at = options.index("--locales") + 1 if "--locales" in options else len(options)
                tags = [tag for tag in "".join(options[at : at + 1]).split(",") if _TAG.fullmatch(tag)]
                installed.locales = ",".join(tags)
                phone.changed()
            return 0
        case ["get-app-locales" | "set-app-locales"]:
            await call.print_error("Error: no package specified\n")
            return framework_errors.FAILED
    return await framework_errors.report_unknown_verb(phone, call, args[0] if args else "")

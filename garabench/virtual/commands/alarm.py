"""``cmd alarm``: sets the phone's clock and time zone (AOSP ``AlarmManagerService.ShellCmd``)."""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall

FIRST_SDK = 28
"""API level of the first Android whose alarm service has these commands."""


async def alarm(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``set-timezone ZONE`` and ``set-time MILLISECONDS``."""
    match args:
        case ["set-time", number]:
            try:
                phone.clock.set_wall(int(number))
            except ValueError:
                await call.print_error(f'java.lang.NumberFormatException: For input string: "{number}"\n')
                return framework_errors.FAILED
            phone.changed()
            return 0
        case ["set-timezone", zone]:
            phone.clock.zone = zone
            phone.changed()
            return 0
        case [("set-time" | "set-timezone") as verb]:
            await call.print_error(f'Error: Argument expected after "{verb}"\n')
            return framework_errors.FAILED
    return await framework_errors.report_unknown_verb(phone, call, args[0] if args else "")

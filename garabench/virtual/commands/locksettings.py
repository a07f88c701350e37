"""``locksettings``: enables the lock screen, which never has a credential."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.service_help import HELP
from garabench.virtual.shell.call import Command, CommandCall


async def locksettings(phone: Phone, call: CommandCall) -> int:
    """``get-disabled``, ``set-disabled true|false``, ``verify`` and ``clear``."""
    match call.argv[1:]:
        case ["get-disabled", *_]:
            await call.print(f"{str(not phone.keyguard.enabled).lower()}\n")
        case ["set-disabled", *_, value] if value in ("true", "false"):
            phone.keyguard.enabled = value == "false"
            await call.print(f"Lock screen disabled set to {value}\n")
        case ["set-disabled", *_]:
            await call.print_error("Error: the value has to be true or false\n")
            return framework_errors.FAILED
        case ["verify", *_]:
            await call.print("Lock credential verified successfully\n")
        case ["clear", *_]:
            await call.print("Lock credential cleared\n")
        case [] | ["help" | "-h", *_]:
            await call.print(HELP["lock_settings"])
            return framework_errors.FAILED
        case args:
            return await framework_errors.report_unknown_verb(phone, call, args[0])
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"locksettings": partial(locksettings, phone)}

"""``cmd devicestoragemonitor`` and its dump: the low-storage state."""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall


async def monitor(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``force-low|force-not-low|reset [-f]``: takes effect at the next check, with ``-f`` at once."""
    levels = {"force-low": True, "force-not-low": False, "reset": False}
    match args:
        case [verb, *options] if verb in levels:
            checks = phone.storage.force(low=levels[verb], at_once="-f" in options)
            if "-f" in options:
                await call.print(f"{checks}\n")
            return 0
    return await framework_errors.report_unknown_verb(phone, call, args[0] if args else "")


def dump(phone: Phone) -> str:
    """``dumpsys devicestoragemonitor``."""
    level = "LOW" if phone.storage.low else "NORMAL"
    return (
        f"Known volumes:\n  UUID default:\n    level={level} lastUsableBytes=9.7 GB\n"
        f"mSeq={phone.storage.checks} mForceState={'LOW' if phone.storage.low else 'UNKNOWN'}\n"
    )

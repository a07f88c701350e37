"""``cmd devicestoragemonitor`` and its dump: whether the storage is nearly full."""

from __future__ import annotations

from garabench.virtual.commands import failures
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call


async def monitor(phone: Phone, call: Call, words: list[str]) -> int:
    """``force-low|force-not-low|reset [-f]``: at the next check of the storage, with ``-f`` at once."""
    levels = {"force-low": True, "force-not-low": False, "reset": False}
    match words:
        case [verb, *options] if verb in levels:
            checks = phone.storage.force(low=levels[verb], at_once="-f" in options)
            if "-f" in options:
                await call.say(f"{checks}\n")
            return 0
    return await failures.unknown(call, words[0] if words else "")


def dump(phone: Phone) -> str:
    """``dumpsys devicestoragemonitor``."""
    level = "LOW" if phone.storage.low else "NORMAL"
    return (
        f"Known volumes:\n  UUID default:\n    level={level} lastUsableBytes=9.7 GB\n"
        f"mSeq={phone.storage.checks} mForceState={'LOW' if phone.storage.low else 'UNKNOWN'}\n"
    )

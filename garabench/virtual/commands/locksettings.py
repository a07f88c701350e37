"""``locksettings``: whether the phone has a lock screen; its secret is always the empty one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.commands import failures
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command


async def locksettings(phone: Phone, call: Call) -> int:
    """``get-disabled``, ``set-disabled true|false``, ``verify`` and ``clear``."""
    match call.argv[1:]:
        case ["get-disabled", *_]:
            await call.say(f"{str(not phone.keyguard.enabled).lower()}\n")
        case ["set-disabled", *_, value] if value in ("true", "false"):
            phone.keyguard.enabled = value == "false"
            await call.say(f"Lock screen disabled set to {value}\n")
        case ["set-disabled", *_]:
            await call.complain("Error: the value has to be true or false\n")
            return failures.FAILED
        case ["verify", *_]:
            await call.say("Lock credential verified successfully\n")
        case ["clear", *_]:
            await call.say("Lock credential cleared\n")
        case words:
            return await failures.unknown(call, words[0] if words else "")
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"locksettings": partial(locksettings, phone)}

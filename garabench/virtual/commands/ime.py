"""``ime``: lists and selects input methods, in each Android version's form."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.durations import CALL_MS
from garabench.virtual.commands.service_help import HELP
from garabench.virtual.shell.call import Command, CommandCall

_PER_USER_SDK = 29
"""First API level (Android 10) whose command names the user; before, it was a program (``Ime.java``)."""
_RESET_SDK = 24
_USAGE = (
    "usage: ime list [-a] [-s]\n       ime enable ID\n       ime disable ID\n       ime set ID\n\n"
    "The list command prints all enabled input methods.  Use\nthe -a option to see all input methods.  Use\n"
    "the -s option to see only a single summary line of each.\n\n"
    "The enable command allows the given input method ID to be used.\n\n"
    "The disable command disallows the given input method ID from use.\n\n"
    "The set command switches to the given input method ID.\n"
)


class ImeCommand:
    """The verbs of ``ime``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._modern = phone.profile.sdk >= _PER_USER_SDK

    async def run(self, call: CommandCall) -> int:
        """``ime list|enable|disable|set|reset``."""
        await self._phone.spend(CALL_MS)
        args = call.argv[1:]
        if args[1:2] == ["--user"]:
            args = args[:1] + args[3:]
        match args:
            case ["list", *options]:
                return await self._list(call, options)
            case ["enable" | "disable" | "set", identity, *_]:
                return await (self._change if self._modern else self._change_old)(call, args[0], identity)
            case ["enable" | "disable" | "set", *_]:
                if self._modern:
                    return await framework_errors.report_illegal_argument(
                        call, args[0], f'Argument expected after "{args[0]}"'
                    )
                await call.print_error(f"Error: no input method ID specified\n{_USAGE}")
                return 0
            case ["reset", *_] if self._phone.profile.sdk >= _RESET_SDK:
                return await self._reset(call)
        verb = args[0] if args else ""
        if self._modern:
            if verb not in ("", "help", "-h"):
                return await framework_errors.report_unknown_verb(self._phone, call, verb)
            await call.print(HELP["input_method"])
            return framework_errors.FAILED
        await call.print_error((f"Error: unknown command '{verb}'\n" if verb else "") + _USAGE)
        return 0

    async def _list(self, call: CommandCall, options: list[str]) -> int:
        ime = self._phone.ime
        for identity in ime.list(include_disabled="-a" in options):
            if "-s" in options:
                await call.print(f"{identity}\n")
                continue
            name = identity.partition("/")[0]
            more = " mIsVrOnly=false mSupportsSwitchingToNextInputMethod=false" if self._modern else ""
            await call.print(
                f"{identity}:\n  mId={identity} mSettingsActivityName=null{more}\n"
                f"  mIsDefaultResId=0x0\n  Service:\n    packageName={name}\n"
            )
        return 0

    async def _change(self, call: CommandCall, verb: str, identity: str) -> int:
        ime = self._phone.ime
        done = {"enable": "enabled", "disable": "disabled", "set": "selected"}[verb]
        usable = identity in (ime.enabled if verb == "set" else ime.installed)
        if not usable:
            await call.print_error(f"Unknown input method {identity} cannot be {done} for user #0\n")
            return framework_errors.FAILED
        if verb == "set":
            ime.set(identity)
            await call.print(f"Input method {identity} selected for user #0\n")
            return 0
        was = identity in ime.enabled
        (ime.enable if verb == "enable" else ime.disable)(identity)
        now = "already" if was == (identity in ime.enabled) else "now"
        await call.print(f"Input method {identity}: {now} {done} for user #0\n")
        return 0

    async def _change_old(self, call: CommandCall, verb: str, identity: str) -> int:
        ime = self._phone.ime
        if identity not in ime.installed:
            await call.print_error(f"Error: Unknown id: {identity}\n")
            return 0
        was = identity in ime.enabled
        match verb:
            case "set":
                ime.enable(identity)
                ime.set(identity)
                await call.print(f"Input method {identity} selected\n")
            case "enable":
                ime.enable(identity)
                await call.print(f"Input method {identity}: {'already' if was else 'now'} enabled\n")
            case _:
                ime.disable(identity)
                await call.print(f"Input method {identity}: {'now' if was else 'already'} disabled\n")
        return 0

    async def _reset(self, call: CommandCall) -> int:
        phone, first = self._phone, self._phone.ime.installed[0]
        phone.settings.put("secure", "enabled_input_methods", first)
        phone.settings.put("secure", "default_input_method", first)
        user = " for user #0" if self._modern else ""
        await call.print(
            f"Reset current and enabled IMEs{user}\n  Newly selected IME: {first}\n"
            f"  Newly enabled IMEs:\n   {first}\n"
        )
        return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"ime": ImeCommand(phone).run}

"""Durations of commands in phone time.

Durations measured on devices apply in real time only, so that stepped runs are the same on every version.
``slow-legacy`` has those of a slow Android 4.4.2, where each command of the framework starts a virtual
machine first; they do not depend on the phone's version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency
from garabench.virtual.shell.call import Command, CommandCall

CALL_MS = 15
"""Duration of a call to a system service."""
KITKAT = 19


@dataclass(frozen=True, slots=True)
class CommandDurations:
    """Durations of commands, in ms of phone time.

    Attributes:
        tap, key: A touch, a key.
        letter: A character of typed text.
        shot: A screenshot.
        dump: A UI dump without the wait for an idle screen; `first_dump` is added once.
        start: Starting an activity.
        shell: A line of the shell, before its commands.
        launch: The start of a command's process, by name of the command.
    """

    tap: int = 60
    key: int = 40
    letter: int = 20
    screenshot: int = 180
    dump: int = 400
    first_dump: int = 0
    start: int = 250
    shell: int = 0
    launch: Mapping[str, int] = field(default_factory=dict)


_KITKAT_DURATIONS = CommandDurations(
    tap=1300, key=1300, screenshot=300, dump=1700, first_dump=3800, start=1000
)
_SHELL_MS = 20
_VM_COMMANDS = (
    *("am", "appops", "bmgr", "content", "ime", "locksettings", "media", "monkey", "pm", "settings", "svc"),
    "wm",
)
"""Commands that start a virtual machine (``app_process``), besides ``input`` and ``uiautomator``."""
_SLOW_LEGACY_DURATIONS = CommandDurations(
    tap=80,
    key=80,
    screenshot=530,
    dump=980,
    start=300,
    shell=_SHELL_MS,
    launch={
        **dict.fromkeys(_VM_COMMANDS, 1700 - _SHELL_MS - CALL_MS),
        **dict.fromkeys(("input", "uiautomator"), 1500),
        "dumpsys": 200 - _SHELL_MS - CALL_MS,
    },
)
"""A dump takes 3.5 s, with 1 s until the screen is idle, a tap 1.6 s, other framework commands 1.7 s."""


def durations(phone: Phone) -> CommandDurations:
    """Return the durations on a phone."""
    match phone.clock.latency:
        case Latency.SLOW_LEGACY:
            return _SLOW_LEGACY_DURATIONS
        case Latency.PHONE if phone.profile.sdk <= KITKAT:
            return _KITKAT_DURATIONS
        case _:
            return CommandDurations()


def with_launches(phone: Phone, commands: Mapping[str, Command]) -> dict[str, Command]:
    """Return commands that first spend the time that their processes take to start."""
    launch = durations(phone).launch
    return {
        name: _after(phone, launch[name], command) if name in launch else command
        for name, command in commands.items()
    }


def _after(phone: Phone, milliseconds: int, command: Command) -> Command:
    async def run(call: CommandCall) -> int:
        await phone.spend(milliseconds)
        return await command(call)

    return run

"""What root may change of a debug build's system: partitions, SELinux, and the framework's processes.

Sources: AOSP ``fs_mgr/fs_mgr_remount.cpp``, ``set-verity-state.cpp``, ``toolbox/start.cpp``, toybox's
``setenforce.c``. On a user build, and without root, each says why not.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import AS_ROOT
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_properties import system_properties
from garabench.virtual.shell.call import Command, CommandCall

_NOT_ROOT = 'Not running as root. Try "adb root" first.\n'
_REBOOT = "Now reboot your device for settings to take effect\n"
_SINCE_SDK = 29
"""First API level (Android 10) whose ``remount`` and verity switches are programs of the phone."""
_MODES = {"1": False, "enforcing": False, "0": True, "permissive": True}
"""Whether SELinux only warns, by the words of ``setenforce``."""
_FRAMEWORK_SERVICES = {
    **{"am": "activity", "pm": "package", "wm": "window", "settings": "settings", "input": "input"},
    **{"svc": "power", "ime": "input_method", "appops": "appops", "locksettings": "lock_settings"},
    **{"media": "media_session", "content": "activity", "monkey": "activity"},
}
"""The service that each program of the framework calls."""
CANNOT_FIND = 20


def _is_debuggable(phone: Phone) -> bool:
    return system_properties(phone).get("ro.debuggable") == "1"


async def remount(phone: Phone, call: CommandCall) -> int:
    """``remount``: make the system's partitions writable, which needs verity to be off."""
    if not AS_ROOT.get():
        await call.print_error(_NOT_ROOT)
        return 1
    if phone.services.verity:
        await call.print(f"Disabling verity for /system\nVerity disabled; overlayfs enabled.\n{_REBOOT}")
        phone.services.verity_after_boot = False
        return 0
    phone.files.is_remounted = True
    await call.print("Remounted / as RW\nRemounted /vendor as RW\nRemount succeeded\n")
    return 0


async def switch_verity(phone: Phone, call: CommandCall) -> int:
    """``disable-verity`` and ``enable-verity``, which take effect at the next boot."""
    on = call.argv[0].rpartition("/")[2] == "enable-verity"
    if not _is_debuggable(phone):
        await call.print_error("verity cannot be disabled/enabled - USER build\n")
        return 1
    if not AS_ROOT.get():
        await call.print_error(_NOT_ROOT)
        return 1
    word = "enabled" if on else "disabled"
    if phone.services.verity_after_boot == on:
        await call.print(f"Verity is already {word}\n")
        return 0
    phone.services.verity_after_boot = on
    await call.print(f"Successfully {word} verity\n{_REBOOT}")
    return 0


async def getenforce(phone: Phone, call: CommandCall) -> int:
    """``getenforce``: whether SELinux only warns."""
    await call.print("Permissive\n" if phone.services.permissive else "Enforcing\n")
    return 0


async def setenforce(phone: Phone, call: CommandCall) -> int:
    """``setenforce enforcing|permissive|1|0``."""
    match call.argv[1:]:
        case [word] if word.lower() in _MODES:
            if not AS_ROOT.get():
                await call.print_error(
                    f"setenforce: Couldn't set enforcing status to '{word}': Permission denied\n"
                )
                return 1
            phone.services.permissive = _MODES[word.lower()]
            return 0
        case [word]:
            await call.print_error(f"setenforce: Invalid state: {word}\n")
        case words:
            await call.print_error(f"setenforce: {'Max 1 argument' if words else 'Needs 1 argument'}\n")
    return 1


async def switch_framework(phone: Phone, call: CommandCall) -> int:
    """``stop`` and ``start``: end or start the zygote, with all apps and services, or one service of init."""
    name = call.argv[0].rpartition("/")[2]
    if not AS_ROOT.get():
        await call.print_error(f"{name}: Must be root\n")
        return 1
    running = "running" if name == "start" else "stopped"
    services = call.argv[1:] or ["zygote", "surfaceflinger"]
    for service in services:
        phone.properties[f"init.svc.{service}"] = running
    if call.argv[1:]:
        return 0
    phone.services.framework_stopped = name == "stop"
    if phone.services.framework_stopped:
        for _, package in phone.processes.list():
            phone.activities.force_stop(package)
        phone.properties["sys.boot_completed"] = "0"
        phone.set_screen(False)
    else:
        phone.properties.pop("sys.boot_completed", None)
        phone.set_screen(True)
        phone.press_home()
    phone.changed()
    return 0


def while_framework_runs(phone: Phone, commands: Mapping[str, Command]) -> dict[str, Command]:
    """Return the framework's programs such that they fail after ``stop`` for want of their service."""
    return {name: _guarded(phone, name, command) for name, command in commands.items()}


def _guarded(phone: Phone, name: str, command: Command) -> Command:
    if name not in (*_FRAMEWORK_SERVICES, "cmd", "dumpsys"):
        return command

    async def run(call: CommandCall) -> int:
        if not phone.services.framework_stopped:
            return await command(call)
        service = _FRAMEWORK_SERVICES.get(name) or next(
            (word for word in call.argv[1:] if not word.startswith("-")), name
        )
        if name == "dumpsys":
            await call.print_error(f"Can't find service: {service}\n")
            return 0
        await call.print_error(f"cmd: Can't find service: {service}\n")
        return CANNOT_FIND

    return run


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the programs by name; before Android 10 the switches of the partitions are adbd's."""
    table: dict[str, Command] = {
        "setenforce": partial(setenforce, phone),
        "start": partial(switch_framework, phone),
        "stop": partial(switch_framework, phone),
    }
    if phone.profile.sdk >= _SINCE_SDK:
        table["remount"] = partial(remount, phone)
        table |= dict.fromkeys(("disable-verity", "enable-verity"), partial(switch_verity, phone))
    return table


def utilities(phone: Phone) -> Mapping[str, Command]:
    """Return the commands that are utilities of toybox, by name."""
    return {"getenforce": partial(getenforce, phone)}

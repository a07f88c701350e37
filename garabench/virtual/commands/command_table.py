"""The table of all commands of the phone's shell."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_files import SystemFiles
from garabench.virtual.commands import (
    am,
    bugreport,
    content,
    dumpsys,
    getevent,
    ime,
    locksettings,
    logcat,
    monkey,
    network,
    partitions,
    pm,
    processes,
    run_as,
    screencap,
    screenrecord,
    settings,
    shellutils,
    su,
    system_services,
    systemutils,
    toolbox,
    toybox,
    uiautomator,
    wm,
)
from garabench.virtual.commands import input as input_
from garabench.virtual.commands.availability import TOYBOX_SDK, available
from garabench.virtual.commands.durations import with_launches
from garabench.virtual.commands.program_processes import with_processes
from garabench.virtual.shell.builtins import PROGRAMS
from garabench.virtual.shell.call import Command

_PARTS = (
    *(am, bugreport, content, dumpsys, getevent, ime, input_, locksettings, logcat, monkey, network, pm),
    partitions,
    *(processes, run_as, su, screencap, screenrecord, system_services, settings, uiautomator, wm),
)


def phone_commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands of the phone's Android version, by name."""
    sdk = phone.profile.sdk
    tools = {**shellutils.commands(phone), **processes.utilities(phone), **systemutils.commands(phone)}
    tools |= partitions.utilities(phone)
    utilities = available(tools, sdk, utility=True)
    framework = {name: command for part in _PARTS for name, command in part.commands(phone).items()}
    framework = partitions.while_framework_runs(phone, framework)
    programs = with_processes(phone, with_launches(phone, available(framework, sdk)))
    utilities = with_processes(phone, utilities)
    names = frozenset(utilities)
    table = {**utilities, **toolbox.commands(phone, names), **toybox.commands(names, sdk), **programs}
    phone.files.attach(SystemFiles(phone, lambda: (*table, *(PROGRAMS if sdk >= TOYBOX_SDK else ()))))
    return table

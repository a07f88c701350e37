"""Every command of the phone's shell."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.commands import (
    am,
    basic,
    content,
    dumpsys,
    ime,
    locksettings,
    logcat,
    monkey,
    pm,
    processes,
    root,
    screenrecord,
    services,
    settings,
    toybox,
    ui,
    wm,
)
from garabench.virtual.commands import input as input_
from garabench.virtual.commands.versions import on_version
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Command

_PARTS = (
    *(am, content, dumpsys, ime, input_, locksettings, logcat, monkey, pm),
    *(processes, root, screenrecord, services, settings, ui, wm),
)


def phone_commands(phone: Phone) -> Mapping[str, Command]:
    """The commands that the phone's Android has, by name."""
    sdk = phone.profile.sdk
    small = on_version(basic.commands(phone), sdk, small=True)
    framework = {name: command for part in _PARTS for name, command in part.commands(phone).items()}
    return {**small, **toybox.commands(frozenset(small), sdk), **on_version(framework, sdk)}

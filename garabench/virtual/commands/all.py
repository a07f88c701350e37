"""Every command of the phone's shell."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.commands import am, basic, dumpsys, logcat, pm, processes, services, settings, ui
from garabench.virtual.commands import input as input_
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Command

_PARTS = (basic, am, dumpsys, input_, logcat, processes, services, settings, ui, pm)


def phone_commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {name: command for part in _PARTS for name, command in part.commands(phone).items()}

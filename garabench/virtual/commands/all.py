"""Every command of the phone's shell."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.commands import am, basic, dumpsys, pm, system, ui
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Command


def phone_commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    parts = (basic, am, dumpsys, system, ui, pm)
    return {name: command for part in parts for name, command in part.commands(phone).items()}

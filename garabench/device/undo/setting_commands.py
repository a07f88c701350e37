"""Run several commands that change settings, at the same time where each takes seconds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing

from garabench.core.device_changes import Argv
from garabench.device import console
from garabench.device.adb import Adb


def run_setting_commands(adb: Adb, commands: Sequence[Argv]) -> dict[Argv, str]:
    """Run commands in any order, and return why each failed, as far as the device said so.

    Before Android 7 each command starts a virtual machine, which takes seconds on a slow phone: there all
    run at the same time. The caller verifies the settings.

    Args:
        adb: The device.
        commands: The commands; each changes another setting.

    Raises:
        CommandError: The console rejected a command.
        DeviceError: The device is gone.
    """
    if adb.starts_fast or len(commands) < 2:
        results = {argv: console.run_in_shell_or_console(adb, argv) for argv in commands}
        return {argv: result.reason for argv, result in results.items() if result.failed}
    with ExitStack() as stack:
        running = {argv: stack.enter_context(closing(adb.start_shell(argv))) for argv in commands}
        results = {argv: each.result() for argv, each in running.items()}
    return {argv: result.reason for argv, result in results.items() if result.failed}

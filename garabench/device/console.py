"""An emulator's console, through ``adb emu``: calls, text messages, network speed, snapshots."""

from __future__ import annotations

import os
import re
import subprocess

from garabench.core.device_changes import CONSOLE, Argv
from garabench.device.adb import Adb, ShellResult
from garabench.errors import CommandError, DeviceTimeoutError, HarnessError

_LIMIT_S = 20.0
_EMULATOR = re.compile(r"emulator-\d+")


def is_emulator(serial: str) -> bool:
    """Return whether the serial is an emulator's (``emulator-5554``), and so has a console."""
    return _EMULATOR.fullmatch(serial) is not None


def run_in_shell_or_console(adb: Adb, argv: Argv, *, limit: float = _LIMIT_S) -> ShellResult:
    """Run a command in the device's shell, or in its console if the first word is ``emu``.

    Args:
        adb: The device.
        argv: The command.
        limit: Seconds until the console must have answered.

    Raises:
        CommandError: The console rejected the command, or the device has no console.
        DeviceError: The device is gone.
    """
    if argv[0] != CONSOLE:
        return adb.shell(argv)
    if not is_emulator(adb.serial):
        raise CommandError(f"{adb.serial} has no console; only emulators have one", argv=argv)
    host, port = adb.server
    env = os.environ | {"ANDROID_ADB_SERVER_ADDRESS": host, "ANDROID_ADB_SERVER_PORT": str(port)}
    try:
        done = subprocess.run(
            [adb.program, "-s", adb.serial, *argv],
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise DeviceTimeoutError(f"the console of {adb.serial} did not respond in time") from error
    except OSError as error:
        raise HarnessError(f"cannot run adb: {error}") from error
    output = done.stdout.replace("\r\n", "\n")
    if done.returncode != 0 or "KO" in output or "OK" not in output:
        last_line = (output + done.stderr).strip().splitlines()[-1:] or ["it printed nothing"]
        raise CommandError(
            f"the console of {adb.serial} rejected {' '.join(argv[1:])!r}: {last_line[0]}",
            argv=argv,
            exit_code=done.returncode,
            output=output,
        )
    return ShellResult(argv, 0, output, done.stderr)

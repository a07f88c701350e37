"""An emulator's console, through ``adb emu``: calls, messages, the network's speed."""

from __future__ import annotations

import os
import re
import subprocess

from garabench.core.changes import CONSOLE, Argv
from garabench.device.adb import Adb, ShellResult
from garabench.errors import CommandFailed, DeviceTimeout, HarnessError

_LIMIT_S = 20.0
_EMULATOR = re.compile(r"emulator-\d+")


def is_emulator(serial: str) -> bool:
    """Whether a device has a console: adb names those that have one ``emulator-5554`` and the like."""
    return _EMULATOR.fullmatch(serial) is not None


def run(adb: Adb, argv: Argv) -> ShellResult:
    """Run a command of the device's shell, or of its console when its first word is ``emu``.

    Raises:
        CommandFailed: The console refused, or the device has none.
        DeviceError: The device is gone.
    """
    if argv[0] != CONSOLE:
        return adb.shell(argv)
    if not is_emulator(adb.serial):
        raise CommandFailed(f"{adb.serial} has no console: only emulators have one", argv=argv)
    host, port = adb.server
    env = os.environ | {"ANDROID_ADB_SERVER_ADDRESS": host, "ANDROID_ADB_SERVER_PORT": str(port)}
    try:
        done = subprocess.run(
            [adb.program, "-s", adb.serial, *argv],
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise DeviceTimeout(f"the console of {adb.serial} did not answer in time") from error
    except OSError as error:
        raise HarnessError(f"adb cannot be run: {error}") from error
    said = done.stdout.replace("\r\n", "\n")
    if done.returncode != 0 or "KO" in said or "OK" not in said:
        words = (said + done.stderr).strip().splitlines()[-1:] or ["nothing was said"]
        raise CommandFailed(
            f"the console of {adb.serial} refused {' '.join(argv[1:])!r}: {words[0]}",
            argv=argv,
            exit_code=done.returncode,
            output=said,
        )
    return ShellResult(argv, 0, said, done.stderr)

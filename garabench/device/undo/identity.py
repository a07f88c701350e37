"""Which device it is, whatever its name: an address is given to another device when the first is gone.

The serial number alone does not tell: all emulators of a version have the same. ``android_id`` is made at the
first start and lasts until the device is wiped (https://developer.android.com/reference/android/provider/
Settings.Secure#ANDROID_ID). Both outlast a restart and an update. Copies of one emulator share even these;
the mark of a lease, which is given to one at a time, tells those apart.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from garabench.device.adb import Adb
from garabench.device.undo.lease import Held, check_free, one_at_a_time
from garabench.errors import CommandFailed

MARK = "debug.garabench.lease"  # Android lets the shell set properties of debug, and drops them at a restart
_ASK = (
    'echo "serialno=$(getprop ro.serialno)"; echo "bootserial=$(getprop ro.boot.serialno)"; '
    f'echo "mark=$(getprop {MARK})"; echo "id=$(settings get secure android_id)"'
)
_SAID = re.compile(r"^(\w+)=(.*?)\r?$", re.MULTILINE)
_ANDROID_ID = re.compile(r"\S{1,64}")  # ``null`` where there is none


@dataclass(frozen=True, slots=True)
class Identity:
    """What a device says of itself.

    Attributes:
        device: Which one it is; the same under each of its names and after a restart.
        mark: The mark that a lease has left on it; empty when none has since it was started.
    """

    device: str
    mark: str


def identify(adb: Adb) -> Identity:
    """Ask a device which one it is, by one command.

    Raises:
        CommandFailed: It does not tell; its settings cannot be read before it has started.
        DeviceError: It is gone.
    """
    argv = ("sh", "-c", _ASK)
    result = adb.shell(argv)
    said = dict(_SAID.findall(result.stdout))
    android_id = said.get("id", "").strip()
    if not _ANDROID_ID.fullmatch(android_id):
        raise CommandFailed(
            f"{adb.serial} does not tell which device it is: its settings have no android_id. "
            "Try again when it has started",
            argv=argv,
            exit_code=result.exit_code,
            output=result.output,
        )
    number = said.get("serialno", "").strip() or said.get("bootserial", "").strip()
    digest = hashlib.sha256(f"{number}\n{android_id}".encode("utf-8", "replace")).hexdigest()
    return Identity(digest[:20], said.get("mark", "").strip())


def claim(adb: Adb, held: Held) -> str:
    """Take the device itself for a lease that is held of its name, also anew after a restart.

    Returns:
        Which device it is.

    Raises:
        DeviceBusy: It is held under another name.
        DeviceError: It does not tell which one it is, or is gone.
        HarnessError: The leases cannot be read.
    """
    with one_at_a_time(held.folder):
        found = identify(adb)
        if found.mark != held.mark:
            if found.mark:
                check_free(found.mark, adb.serial, held.folder)
            adb.shell(["setprop", MARK, held.mark])
    return found.device

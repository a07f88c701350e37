"""Identify a device independently of its adb serial, since an address can be reused by another device.

The hardware serial number is not enough: all emulators of a version share it. ``android_id`` is created at
the first boot and lasts until the device is wiped (https://developer.android.com/reference/android/provider/
Settings.Secure#ANDROID_ID). Both survive restarts and updates. Copies of one emulator share even these; they
are distinguished by the mark of a lease, which is unique.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from garabench.device.adb import Adb
from garabench.device.undo.lease import HeldLease, check_free, marks_locked
from garabench.errors import CommandError

MARK = "debug.garabench.lease"  # the shell may set properties below debug; they are lost at a restart
_SCRIPT = (
    'echo "serialno=$(getprop ro.serialno)"; echo "bootserial=$(getprop ro.boot.serialno)"; '
    f'echo "mark=$(getprop {MARK})"; echo "id=$(settings get secure android_id)"'
)
_ASSIGNMENT = re.compile(r"^(\w+)=(.*?)\r?$", re.MULTILINE)
_ANDROID_ID = re.compile(r"\S{1,64}")  # ``null`` if it is missing


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a device.

    Attributes:
        device: Identifies the device under each of its adb serials and across restarts.
        mark: The mark that a lease has set since the last boot, or empty.
    """

    device: str
    mark: str


def identify_device(adb: Adb) -> Identity:
    """Read a device's identity with one command.

    Raises:
        CommandError: The settings have no ``android_id``; they cannot be read before the device has booted.
        DeviceError: The device is gone.
    """
    argv = ("sh", "-c", _SCRIPT)
    result = adb.shell(argv)
    values = dict(_ASSIGNMENT.findall(result.stdout))
    android_id = values.get("id", "").strip()
    if not _ANDROID_ID.fullmatch(android_id):
        raise CommandError(
            f"cannot identify {adb.serial}: its settings have no android_id; try again once it has booted",
            argv=argv,
            exit_code=result.exit_code,
            output=result.output,
        )
    number = values.get("serialno", "").strip() or values.get("bootserial", "").strip()
    digest = hashlib.sha256(f"{number}\n{android_id}".encode("utf-8", "replace")).hexdigest()
    return Identity(digest[:20], values.get("mark", "").strip())


def claim(adb: Adb, held: HeldLease) -> str:
    """Mark the device with a lease that is held on its serial; call it again after a restart.

    Returns:
        The device's identity.

    Raises:
        DeviceBusyError: The device is leased under another serial.
        DeviceError: The device cannot be identified, or is gone.
        HarnessError: The leases cannot be read.
    """
    with marks_locked(held.folder):
        found = identify_device(adb)
        if found.mark != held.mark:
            if found.mark:
                check_free(found.mark, adb.serial, held.folder)
            adb.shell(["setprop", MARK, held.mark]).check("mark the device")
    return found.device


def is_marked(adb: Adb, held: HeldLease) -> bool:
    """Return whether a device still has the mark of a lease, and so is the device that was claimed with it.

    A property is read much faster than the settings that identify a device; the mark is lost at a restart.

    Raises:
        DeviceError: The device is gone.
    """
    return adb.shell(["getprop", MARK]).stdout.strip() == held.mark

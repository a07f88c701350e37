"""Consent to wiping the data of the tested apps, which is needed on real devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.campaign.device_kind import VIRTUAL, kind_of
from garabench.device.device import Device
from garabench.device.discovery import list_devices
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind
from garabench.virtual import standalone

Consent = bool | Callable[[tuple[str, ...]], None]
"""Whether data may be wiped, or a function that receives the real devices' serials and raises to refuse."""


def real_devices(names: Sequence[str]) -> tuple[str, ...]:
    """Return those of the named devices that are connected and are not this computer's virtual phones.

    Raises:
        DeviceUnreachableError: There is no adb server, and none can be started.
    """
    serials = [name for name in names if name.partition(":")[0] != VIRTUAL]
    if not serials:
        return ()
    usable = {item.serial for item in list_devices() if item.state == "device"}
    ours = {phone.serial for phone in standalone.running_phones()}
    return tuple(name for name in serials if name in usable and name not in ours)


def wipe_description(serials: Sequence[str], apps: Sequence[str]) -> str:
    """Describe what each episode wipes and resets on real devices."""
    return (
        f"Each episode wipes all data of {', '.join(apps)} on {', '.join(serials)}"
        " (logins, drafts, history) and resets rotation, Battery Saver, airplane mode and Wi-Fi."
    )


def real_device(device: Device) -> tuple[str, ...]:
    """Return the serial of a connected device, or nothing if it is a virtual phone."""
    return (device.info.serial,) if kind_of(device.info) is DeviceKind.REAL else ()


def require_consent(wipe: Consent, real: Callable[[], tuple[str, ...]], apps: Sequence[str]) -> None:
    """Check that the apps' data may be wiped on the real devices of a run.

    Args:
        wipe: The given consent.
        real: Returns these devices; called unless `wipe` is True.
        apps: Packages whose data each episode wipes.

    Raises:
        InputError: There is a real device, and no consent.
        DeviceUnreachableError: There is no adb server, and none can be started.
    """
    serials = () if wipe is True else real()
    if not serials:
        return
    if callable(wipe):
        wipe(serials)
        return
    raise InputError(f"{wipe_description(serials, apps)} Nothing was done.", hint="Pass wipe=True to agree.")

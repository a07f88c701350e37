"""Ask before a run wipes anything on a device that a person may depend on."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from garabench.campaign.devices import VIRTUAL
from garabench.device.directory import list_devices
from garabench.errors import InputError
from garabench.virtual import detached


def real_devices(names: Sequence[str]) -> tuple[str, ...]:
    """Of the devices that were named, those that can be used and are no virtual phones of this computer.

    Raises:
        DeviceUnreachable: There is no adb server, and none can be started.
    """
    asked = [name for name in names if name.partition(":")[0] != VIRTUAL]
    if not asked:
        return ()
    usable = {item.serial for item in list_devices() if item.state == "device"}
    ours = {phone.serial for phone in detached.running()}
    return tuple(name for name in asked if name in usable and name not in ours)


def ask_to_wipe(serials: Sequence[str], apps: Sequence[str], *, yes: bool) -> None:
    """Say what a run will wipe on real devices, and go on only with consent.

    Args:
        serials: The real devices; none of them, and nothing is asked.
        apps: Packages whose data each episode wipes.
        yes: Consent was given on the command line.

    Raises:
        InputError: Nobody is there to be asked.
        click.Abort: The person said no.
    """
    if not serials or yes:
        return
    what = (
        f"Every episode wipes all data of {', '.join(apps)} on {', '.join(serials)}"
        " (logins, drafts, history), and sets rotation, Battery Saver, airplane mode and Wi-Fi as on a fresh"
        " phone."
    )
    if not sys.stdin.isatty():
        raise InputError(f"{what} Nothing was done: give --yes to agree.")
    click.echo(what, err=True)
    click.confirm("Go on?", abort=True, err=True)

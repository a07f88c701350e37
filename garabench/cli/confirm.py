"""Ask for consent before a run wipes app data on real devices."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from garabench.campaign.devices import VIRTUAL
from garabench.device.discovery import list_devices
from garabench.errors import InputError
from garabench.virtual import standalone


def real_devices(names: Sequence[str]) -> tuple[str, ...]:
    """Return those of the named devices that are connected and are not this computer's virtual phones.

    Raises:
        DeviceUnreachableError: There is no adb server, and none can be started.
    """
    serials = [name for name in names if name.partition(":")[0] != VIRTUAL]
    if not serials:
        return ()
    usable = {item.serial for item in list_devices() if item.state == "device"}
    ours = {phone.serial for phone in standalone.running()}
    return tuple(name for name in serials if name in usable and name not in ours)


def ask_to_wipe(serials: Sequence[str], apps: Sequence[str], *, yes: bool) -> None:
    """Ask for consent to wipe app data on real devices.

    Args:
        serials: Serials of the real devices; if empty, no consent is needed.
        apps: Packages whose data each episode wipes.
        yes: Whether consent was given on the command line.

    Raises:
        InputError: Standard input is not a terminal.
        click.Abort: Consent was refused.
    """
    if not serials or yes:
        return
    what = (
        f"Each episode wipes all data of {', '.join(apps)} on {', '.join(serials)}"
        " (logins, drafts, history) and resets rotation, Battery Saver, airplane mode and Wi-Fi."
    )
    if not sys.stdin.isatty():
        raise InputError(f"{what} Nothing was done.", hint="Add --yes to confirm.")
    click.echo(what, err=True)
    click.confirm("Continue?", abort=True, err=True)

"""Ask for consent before a run wipes app data on real devices."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from garabench.campaign.consent import wipe_description
from garabench.errors import InputError


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
    what = wipe_description(serials, apps)
    if not sys.stdin.isatty():
        raise InputError(f"{what} Nothing was done.", hint="Add --yes to confirm.")
    click.echo(what, err=True)
    click.confirm("Continue?", abort=True, err=True)

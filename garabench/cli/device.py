"""``garabench device``."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from pathlib import Path

import click

from garabench.cli.errors import plainly
from garabench.cli.files import write
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.device.directory import list_devices
from garabench.device.undo.identity import claim
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import leased
from garabench.device.undo.left import any_left, left_on
from garabench.device.undo.restore import Restored, by_hand
from garabench.device.undo.restore import restore as restore_all
from garabench.errors import DeviceError, InputError
from garabench.interruptions import companion


@click.group()
def device() -> None:
    """Devices that adb knows.

    \b
    Example:
        garabench device list
    """


@device.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def list_all(as_json: bool) -> None:
    """List the connected devices and their states.

    \b
    Example:
        garabench device list
    """
    found = list_devices()
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(item) for item in found]))
        return
    for item in found:
        click.echo(f"{item.serial:24} {item.state}")
    if not found:
        click.echo("No device is connected.", err=True)


@device.command()
@click.argument("serial")
@plainly
def info(serial: str) -> None:
    """Tell what a device is.

    \b
    Example:
        garabench device info SERIAL
    """
    for key, value in dataclasses.asdict(Device.connect(serial, SystemClock()).info).items():
        click.echo(f"{key:12} {value if key != 'size' else '{width}x{height}'.format(**value)}")


@device.command()
@click.argument("serial")
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@plainly
def screenshot(serial: str, path: Path) -> None:
    """Save a device's screen as a PNG file.

    \b
    Example:
        garabench device screenshot SERIAL screen.png
    """
    connected = Device.connect(serial, SystemClock())
    observation = connected.observe(0)
    connected.close()
    write(path, observation.screenshot.png)
    click.echo(f"{path}: {observation.screen}, {observation.focus}")


@device.command()
@click.argument("serial")
@plainly
def dump(serial: str) -> None:
    """Print a device's UI tree as XML.

    \b
    Example:
        garabench device dump SERIAL
    """
    connected = Device.connect(serial, SystemClock())
    click.echo(connected.settle().reading.tree.to_xml().decode())
    connected.close()


@device.command()
@click.argument("serial")
@click.option("--reinstall", is_flag=True, help="Remove one of another signature or version first.")
@click.option("--remove", is_flag=True, help="Take the companion app off the device.")
@plainly
def setup(serial: str, reinstall: bool, remove: bool) -> None:
    """Put the companion app, which shows interruptions, on a device.

    \b
    Example:
        garabench device setup SERIAL
    """
    if reinstall and remove:
        raise InputError("--reinstall and --remove exclude each other", hint="Give one of them.")
    with leased(serial) as held:
        connected = Device.connect(serial, SystemClock(), use_u2=False)
        try:
            claim(connected.adb, held)
            if remove:
                gone = companion.remove(connected)
                click.echo(f"{serial}: the companion app was {'removed' if gone else 'not installed'}")
            else:
                click.echo(f"{serial}: {companion.set_up(connected, reinstall=reinstall)}")
        finally:
            connected.close()


@device.command()
@click.argument("serial")
@click.option(
    "--forget", is_flag=True, help="Drop what cannot be put back: it was done by hand, or is meant to stay."
)
@plainly
def restore(serial: str, forget: bool) -> None:
    """Put back what a run that was killed, or that lost the device, has left changed on it.

    A run does so by itself when it begins. The exit status is 1 when something could not be put back.

    \b
    Example:
        garabench device restore SERIAL
    """
    with leased(serial) as held, contextlib.ExitStack() as stack:
        if not any_left(held.folder):
            click.echo(f"{serial}: nothing is left to put back")
            return
        connected = Device.connect(serial, SystemClock(), use_u2=False)
        left = stack.enter_context(left_on(connected.adb, held, claim(connected.adb, held)))
        for words in left.others:
            click.echo(f"{serial}: {words}", err=True)
        if not left.journals:
            click.echo(f"{serial}: nothing is left to put back")
        kept = False
        for journal in left.journals:
            for each in _restored(connected, journal):
                if each.problem and forget:
                    journal.done(each.number)
                    click.echo(f"{serial}: {each.entry.what} is forgotten")
                elif each.problem:
                    kept = True
                    click.echo(f"By hand: {by_hand(serial, each.entry)}", err=True)
    if kept:
        raise click.exceptions.Exit(1)


def _restored(connected: Device, journal: Journal) -> tuple[Restored, ...]:
    """Put back what a journal holds, telling each; also when the device goes in the middle."""
    serial = connected.info.serial
    try:
        return restore_all(connected.adb, journal, tell=lambda each: click.echo(f"{serial}: {each}"))
    except DeviceError:
        left = len(journal.entries)
        click.echo(f"{serial}: {left} of the changes are left: the same command goes on with them", err=True)
        raise

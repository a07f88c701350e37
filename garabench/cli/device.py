"""``garabench device``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.cli.errors import plainly
from garabench.cli.files import write
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.device.directory import list_devices
from garabench.errors import InputError
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
    connected = Device.connect(serial, SystemClock(), use_u2=False)
    try:
        if remove:
            gone = companion.remove(connected)
            click.echo(f"{serial}: the companion app was {'removed' if gone else 'not installed'}")
        else:
            click.echo(f"{serial}: {companion.set_up(connected, reinstall=reinstall)}")
    finally:
        connected.close()

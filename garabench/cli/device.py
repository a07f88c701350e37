"""``garabench device``."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections import Counter
from pathlib import Path

import click

from garabench.cli.command_classes import Group
from garabench.cli.error_exits import report_errors
from garabench.cli.number_range import NumberRange
from garabench.cli.output_files import write_file
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.expected_effects import effects_of
from garabench.core.phrases import counted
from garabench.device.device import Device
from garabench.device.discovery import list_devices
from garabench.device.undo.identity import claim
from garabench.device.undo.journal import Journal
from garabench.device.undo.lease import leased
from garabench.device.undo.leftovers import has_any_journal, leftovers_of
from garabench.device.undo.restore import Restoration, by_hand
from garabench.device.undo.restore import restore_device as restore_all
from garabench.effects.stability import read_twice
from garabench.effects.state import AppState, UnknownState
from garabench.errors import DeviceError, InputError
from garabench.interruptions import companion_apk


@click.group(cls=Group)
def device() -> None:
    """List, inspect, set up and restore adb devices.

    \b
    Example:
        garabench device list
    """


@device.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_all(as_json: bool) -> None:
    """List the devices connected to adb and their states.

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
@click.argument("serials", nargs=-1, metavar="[SERIAL]...")
@click.option(
    "--phones",
    type=click.IntRange(min=0, max=64),
    default=0,
    show_default=True,
    help="Also offer this number of virtual phones.",
)
@report_errors
def resources(serials: tuple[str, ...], phones: int) -> None:
    """Print the devices of this computer as resources of a Ray node.

    All devices that adb lists as usable are offered, or those with the given serials; with --phones alone,
    only virtual phones.

    \b
    Example:
        garabench device resources --phones 4
    """
    from garabench.campaign.engines.ray_resources import node_resources  # loads the runner

    if not serials and not phones:
        serials = tuple(item.serial for item in list_devices() if item.state == "device")
        if not serials:
            raise InputError(
                "no device is connected", hint="Connect one, or offer virtual phones with --phones COUNT."
            )
    click.echo(json.dumps(node_resources(serials, phones)))


@device.command()
@click.argument("serial")
@suite_option
@report_errors
def info(serial: str, root: Path | None) -> None:
    """Show a device, and what prevents a run of the suite on it.

    The exit status is 1 if a check failed, as with `garabench doctor`.

    \b
    Example:
        garabench device info SERIAL
    """
    # Imported here: the other commands of this group read no suite.
    from garabench.campaign.planner import make_plan
    from garabench.doctor.checks import examine_device
    from garabench.doctor.finding import Status
    from garabench.suite.suite import Suite

    clock, suite = SystemClock(), Suite.load(root)
    with Device.connect(serial, clock) as connected:
        for key, value in dataclasses.asdict(connected.info).items():
            click.echo(f"{key:12} {value if key != 'size' else '{width}x{height}'.format(**value)}")
        plan = make_plan(suite.select("all"), ("accept",))
        failed = False
        for finding in examine_device(connected, plan, suite, clock, open_apps=False):
            failed = failed or finding.status is Status.FAIL
            if finding.status is not Status.PASS:
                click.echo(f"{finding.status.value:12} {finding.check}: {finding.message}")
                click.echo(f"{'':12} {finding.hint}")
    if failed:
        raise click.exceptions.Exit(1)


@device.command()
@click.argument("serial")
@click.argument("package")
@click.option(
    "--wait",
    type=NumberRange(1, 3600),
    default=5.0,
    show_default=True,
    help="Wait this number of seconds between the two readings, without an action.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def state(serial: str, package: str, wait: float, as_json: bool) -> None:
    """Read an app's state twice and compare the readings.

    A difference is a change without an action: the app must omit it from its state, or its kind must be
    declared as incidental. The package `android` means the system's settings and the installed apps. The
    exit status is 1 if the state is unknown or changes by itself.

    \b
    Example:
        garabench device state SERIAL tv.danmaku.bili --wait 60
    """
    clock = SystemClock()
    with Device.connect(serial, clock) as connected:
        found = read_twice(connected.adb, package, clock, lambda: connected.wait(wait))
    records = found.state.records if isinstance(found.state, AppState) else {}
    kinds = Counter(kind for kind, _ in records)
    changes = [f"{each.name} {each.object}" for each in effects_of(found.changes)]
    if as_json:
        data = {"kinds": kinds, "milliseconds": found.milliseconds, "unknown": found.changes.unknown}
        click.echo(json.dumps({**data, "changes": changes}, ensure_ascii=False, indent=2))
    elif isinstance(found.state, UnknownState):
        click.echo(f"{package}: unknown: {found.state.reason}")
    else:
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        click.echo(f"{package}: {counted(len(records), 'record')} in {found.milliseconds:.0f} ms: {listed}")
        for line in changes or ([f"unknown: {found.changes.unknown}"] if found.changes.unknown else []):
            click.echo(f"    {line}" if found.changes.unknown else f"    changes by itself: {line}")
    if not found.stable:
        raise click.exceptions.Exit(1)


@device.command()
@click.argument("serial")
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@report_errors
def screenshot(serial: str, path: Path) -> None:
    """Save a screenshot of a device as a PNG file.

    \b
    Example:
        garabench device screenshot SERIAL screen.png
    """
    connected = Device.connect(serial, SystemClock())
    observation = connected.observe(0)
    connected.close()
    write_file(path, observation.screenshot.png)
    click.echo(f"{path}: {observation.screen}, {observation.focus}")


@device.command()
@click.argument("serial")
@report_errors
def dump(serial: str) -> None:
    """Print the UI tree of a device as XML.

    \b
    Example:
        garabench device dump SERIAL
    """
    connected = Device.connect(serial, SystemClock())
    click.echo(connected.settle().reading.tree.to_xml().decode())
    connected.close()


@device.command()
@click.argument("serial")
@click.option("--reinstall", is_flag=True, help="Replace an installed app of another version or signature.")
@click.option("--remove", is_flag=True, help="Uninstall the companion app.")
@report_errors
def setup(serial: str, reinstall: bool, remove: bool) -> None:
    """Install the companion app, which shows interruptions.

    \b
    Example:
        garabench device setup SERIAL
    """
    if reinstall and remove:
        raise InputError("--reinstall and --remove cannot be combined")
    with leased(serial) as held:
        connected = Device.connect(serial, SystemClock(), use_u2=False)
        try:
            claim(connected.adb, held)
            if remove:
                removed = companion_apk.remove(connected)
                click.echo(f"{serial}: the companion app was {'removed' if removed else 'not installed'}")
            else:
                click.echo(f"{serial}: {companion_apk.set_up(connected, reinstall=reinstall)}")
        finally:
            connected.close()


@device.command()
@click.argument("serial")
@click.option("--forget", is_flag=True, help="Delete the journal's entries that cannot be undone.")
@report_errors
def restore(serial: str, forget: bool) -> None:
    """Undo the changes that a killed run left on a device.

    Every run starts by doing this. The exit status is 1 if a change cannot be undone.

    \b
    Example:
        garabench device restore SERIAL
    """
    with leased(serial) as held, contextlib.ExitStack() as stack:
        if not has_any_journal(held.folder):
            click.echo(f"{serial}: nothing to restore")
            return
        connected = Device.connect(serial, SystemClock(), use_u2=False)
        leftovers = stack.enter_context(leftovers_of(connected.adb, held, claim(connected.adb, held)))
        for message in leftovers.messages:
            click.echo(f"{serial}: {message}", err=True)
        if not leftovers.journals:
            click.echo(f"{serial}: nothing to restore")
        failed = False
        for journal in leftovers.journals:
            for each in _restored(connected, journal):
                if each.problem and forget:
                    journal.done(each.number)
                    click.echo(f"{serial}: forgotten: {each.entry.subject}")
                elif each.problem:
                    failed = True
                    click.echo(f"Undo by hand: {by_hand(serial, each.entry)}", err=True)
    if failed:
        raise click.exceptions.Exit(1)


def _restored(connected: Device, journal: Journal) -> tuple[Restoration, ...]:
    """Undo the changes in a journal and print each, even if the device is lost halfway."""
    serial = connected.info.serial
    try:
        return restore_all(connected.adb, journal, on_restored=lambda each: click.echo(f"{serial}: {each}"))
    except DeviceError:
        pending = counted(len(journal.entries), "change")
        click.echo(f"{serial}: {pending} not undone yet; run the same command again", err=True)
        raise

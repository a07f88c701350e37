"""``garabench emulators``."""

from __future__ import annotations

import dataclasses
import json
import platform

import click

from garabench.cli.command_classes import Group
from garabench.cli.error_exits import report_errors
from garabench.core.clock import SystemClock
from garabench.device.emulators.emulator import running_avds, start_emulator, stop_emulator
from garabench.device.emulators.fleet import PREFIX, create_avds, fleet_names
from garabench.device.emulators.launch_options import LaunchOptions
from garabench.device.emulators.sdk import AndroidSdk
from garabench.device.emulators.tool_output import suggested_image
from garabench.errors import GaraError, InputError


def complete_avd(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the names of AVDs."""
    try:
        return [avd.name for avd in AndroidSdk.find().avds() if avd.name.startswith(incomplete)]
    except GaraError:
        return []  # a shell shows no error here


@click.group(cls=Group)
def emulators() -> None:
    """Create, start and stop Android emulators.

    This needs the tools of the Android SDK; set ANDROID_HOME to its folder.

    \b
    Example:
        garabench emulators list
    """


@emulators.command()
@click.option(
    "--count", type=click.IntRange(1, 16), default=1, show_default=True, help="Create this number of AVDs."
)
@click.option(
    "--name",
    help=f"Set the name of the AVD, followed by -1, -2, … for several; default: {PREFIX.rstrip('-')}.",
)
@click.option("--image", metavar="PACKAGE", help="Use this system image; default: the newest installed one.")
@click.option(
    "--profile", default="pixel_6", show_default=True, help="Use this device definition of avdmanager."
)
@click.option("--install", is_flag=True, help="Download the image if it is not installed.")
@click.option(
    "--accept-licenses", is_flag=True, help="Accept the licences of the packages that --install downloads."
)
@click.option("--force", is_flag=True, help="Replace existing AVDs of these names, with all their data.")
@report_errors
def create(
    count: int,
    name: str | None,
    image: str | None,
    profile: str,
    install: bool,
    accept_licenses: bool,
    force: bool,
) -> None:
    """Create AVDs, the devices that emulators run.

    Those named garabench-1, garabench-2, … are used by `run --device emulators:COUNT`.

    \b
    Example:
        garabench emulators create --count 4
    """
    if accept_licenses and not install:
        raise InputError("--accept-licenses is only for --install")
    sdk = AndroidSdk.find()
    if install:
        wanted = image or suggested_image(platform.machine())
        if wanted not in {each.package for each in sdk.images()}:
            click.echo(f"Installing {wanted}")
            sdk.install([wanted], accept_licences=accept_licenses)
        image = wanted
    chosen = sdk.choose_image(image)
    if name is None:
        names = fleet_names(count)
    else:
        names = (name,) if count == 1 else tuple(f"{name}-{number}" for number in range(1, count + 1))
    create_avds(sdk, names, chosen, device=profile, force=force)
    for each in names:
        click.echo(f"{each} created from {chosen.package}")


@emulators.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME…", shell_complete=complete_avd)
@click.option(
    "--port", type=int, help="Use this console port, an even number from 5554 to 5682; default: a free one."
)
@click.option("--window", is_flag=True, help="Open a window.")
@click.option("--cold", is_flag=True, help="Boot without the snapshot.")
@click.option("--no-accel", is_flag=True, help="Emulate without hardware acceleration, very slowly.")
@click.option(
    "--memory", type=click.IntRange(1024, 65_536), help="Set the memory in MB; default: the AVD's own."
)
@click.option(
    "--cores", type=click.IntRange(1, 64), help="Set the number of processor cores; default: the AVD's own."
)
@report_errors
def start(
    names: tuple[str, ...],
    port: int | None,
    window: bool,
    cold: bool,
    no_accel: bool,
    memory: int | None,
    cores: int | None,
) -> None:
    """Start AVDs in the background, and wait until they have booted.

    An AVD starts from its snapshot if there is one, and otherwise boots cold and saves one.

    \b
    Example:
        garabench emulators start garabench-1
    """
    if port is not None and len(names) > 1:
        raise InputError("--port is only for one AVD")
    sdk, clock = AndroidSdk.find(), SystemClock()
    options = LaunchOptions(window, not no_accel, cold, memory, cores)
    for name in names:
        started = start_emulator(
            sdk, name, clock, options=options, port=port, on_message=lambda text: click.echo(text, err=True)
        )
        click.echo(f"{name} is running as {started.serial}")
        click.echo(f"Use it:  garabench device info {started.serial}")
        click.echo(f"Stop it: garabench emulators stop {name}")


@emulators.command()
@click.argument("names", nargs=-1, metavar="[NAME…]", shell_complete=complete_avd)
@click.option("--all", "every", is_flag=True, help=f"Stop all running AVDs named {PREFIX}….")
@click.option(
    "--save/--no-save",
    default=True,
    show_default=True,
    help="Save the state, such as installed apps, as the snapshot from which the AVD starts.",
)
@report_errors
def stop(names: tuple[str, ...], every: bool, save: bool) -> None:
    """Stop AVDs.

    \b
    Example:
        garabench emulators stop --all
    """
    if every == bool(names):
        raise InputError("give names or --all")
    clock = SystemClock()
    running = running_avds(clock)
    for name in names:
        if name not in {each.avd for each in running}:
            raise InputError(f"the AVD {name} is not running", hint="List them: garabench emulators list")
    chosen = [each for each in running if (each.avd.startswith(PREFIX) if every else each.avd in names)]
    for each in chosen:
        stop_emulator(each, clock, save=save)
        click.echo(f"{each.avd} stopped")
    if not chosen:
        click.echo("No emulator of GaraBench is running.")


@emulators.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_(as_json: bool) -> None:
    """List the AVDs and which of them are running.

    \b
    Example:
        garabench emulators list --json
    """
    avds = AndroidSdk.find().avds()
    serials = {each.avd: each.serial for each in running_avds(SystemClock())}
    if as_json:
        rows = [
            dataclasses.asdict(avd) | {"path": str(avd.path), "serial": serials.get(avd.name)} for avd in avds
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for avd in avds:
        state = f"broken: {avd.problem}" if avd.problem else serials.get(avd.name, "stopped")
        click.echo(f"{avd.name:24} {state:16} {avd.target}")
    if not avds:
        click.echo("There is no AVD. Create one: garabench emulators create")

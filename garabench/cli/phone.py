"""``garabench phone``."""

from __future__ import annotations

import json

import click

from garabench.cli.errors import plainly
from garabench.virtual.launcher import VirtualPhone
from garabench.virtual.os.faults import KNOWN


@click.group()
def phone() -> None:
    """The virtual phone by itself."""


@phone.command()
@click.option("--profile", default="android-34", show_default=True, help="PROFILE or PROFILE:WIDTHxHEIGHT.")
@click.option("--lang", type=click.Choice(["zh", "en"]), default="zh", show_default=True)
@click.option("--latency", type=click.Choice(["instant", "phone"]), default="phone", show_default=True)
@plainly
def start(profile: str, lang: str, latency: str) -> None:
    """Start a virtual phone and keep it running until ctrl-C.

    \b
    Example:
        garabench phone start --profile android-30
    """
    with VirtualPhone(profile, lang=lang, latency=latency) as running:
        click.echo(f"{running.serial} is running; try: adb -s {running.serial} shell getprop")
        click.echo("Press ctrl-C to stop it.")
        running.wait()


@phone.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def faults(as_json: bool) -> None:
    """List the faults that a virtual phone can have.

    \b
    Example:
        garabench phone faults
    """
    if as_json:
        click.echo(json.dumps(dict(KNOWN), ensure_ascii=False, indent=2))
        return
    for name, text in KNOWN.items():
        click.echo(f"{name:18} {text}")

"""``garabench phone``."""

from __future__ import annotations

import contextlib
import json

import click

from garabench.cli.errors import plainly
from garabench.core.clock import SystemClock
from garabench.errors import InputError
from garabench.virtual import detached
from garabench.virtual.os.faults import KNOWN


def complete_name(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of running phones, for the shell."""
    return [each.name for each in detached.running() if each.name.startswith(incomplete)]


@click.group()
def phone() -> None:
    """The virtual phone by itself, for anyone's tests.

    \b
    Example:
        garabench phone start
    """


@phone.command()
@click.argument("profile", default="android-34")
@click.option("--name", default="phone", show_default=True, help="To find it again by.")
@click.option("--lang", type=click.Choice(["zh", "en"]), default="zh", show_default=True)
@click.option(
    "--latency",
    type=click.Choice(["instant", "phone"]),
    default="phone",
    show_default=True,
    help="Time passes as on a phone, or only by what commands cost.",
)
@click.option("--seed", default=0, show_default=True, help="Of everything random on it.")
@click.option("--emulator", is_flag=True, help="Be listed as emulator-5554 and the like.")
@click.option("--foreground", is_flag=True, help="Stay here, and end with ctrl-C or with this command.")
@plainly
def start(
    profile: str, name: str, lang: str, latency: str, seed: int, emulator: bool, foreground: bool
) -> None:
    """Start a virtual phone that runs until it is stopped. PROFILE is such as android-30:720x1280.

    \b
    Example:
        garabench phone start android-30 --name old-phone
    """
    wish = detached.Wish(name, profile, lang, latency, seed, emulator)
    if foreground:
        _stay(wish)
        return
    _tell_of(detached.start(wish, SystemClock()))


def _tell_of(made: detached.DetachedPhone) -> None:
    click.echo(f"{made.name} is running as {made.serial}")
    click.echo(f"Use it:  adb -s {made.serial} shell")
    click.echo(f"See it:  garabench phone ui {made.name}")
    click.echo(f"Stop it: garabench phone stop {made.name}")


def _stay(wish: detached.Wish) -> None:
    with detached.held(wish, SystemClock()) as (made, process):
        _tell_of(made)
        with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
            process.wait()
    click.echo(f"{made.name} has been stopped")


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--all", "every", is_flag=True, help="Stop all of them.")
@plainly
def stop(name: str | None, every: bool) -> None:
    """Stop a virtual phone.

    \b
    Example:
        garabench phone stop --all
    """
    if every and name:
        raise InputError("give a name or --all, not both")
    clock = SystemClock()
    for each in detached.running() if every else (detached.find(name),):
        detached.stop(each, clock)
        click.echo(f"{each.name} has been stopped")


@phone.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def list_(as_json: bool) -> None:
    """List the virtual phones that are running.

    \b
    Example:
        garabench phone list --json
    """
    phones = detached.running()
    if as_json:
        rows = [{"name": p.name, "serial": p.serial, "profile": p.profile, "pid": p.pid} for p in phones]
        click.echo(json.dumps(rows, indent=2))
        return
    for each in phones:
        click.echo(f"{each.name:20} {each.serial:22} {each.profile}")
    if not phones:
        click.echo("No virtual phone is running; start one: garabench phone start")


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--on", "on", multiple=True, metavar="FAULT[:KEY=VALUE,…]", help="Switch a fault on.")
@click.option("--off", "off", multiple=True, metavar="FAULT", help="Switch a fault off.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def faults(name: str | None, on: tuple[str, ...], off: tuple[str, ...], as_json: bool) -> None:
    """List the faults that a virtual phone can have, or switch them while it runs.

    \b
    Example:
        garabench phone faults
    """
    if on or off:
        target = detached.find(name)
        for word in on:
            fault, params = _fault(word)
            target.ask("fault", {"name": fault, "on": True, "params": params})
        for word in off:
            target.ask("fault", {"name": word, "on": False})
    active: set[str] = set()
    if on or off or name:
        rows = detached.find(name).ask("status")["faults"]
        active = {fault for fault, row in rows.items() if row["on"]}
    if as_json:
        table = {fault: {"about": text, "on": fault in active} for fault, text in KNOWN.items()}
        click.echo(json.dumps(table, ensure_ascii=False, indent=2))
        return
    for fault, text in KNOWN.items():
        click.echo(f"{'on ' if fault in active else '   '}{fault:18} {text}")


def _fault(word: str) -> tuple[str, dict[str, int | str]]:
    fault, _, rest = word.partition(":")
    params: dict[str, int | str] = {}
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"{word!r} is no fault with parameters", hint="Write it as slow-dump:ms=3000.")
        params[key] = int(value) if value.isdecimal() else value
    return fault, params


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@plainly
def allow(name: str | None) -> None:
    """Accept the keys of the adb servers that wait, while the fault `unauthorized` is on.

    \b
    Example:
        garabench phone allow
    """
    target = detached.find(name)
    owners = target.ask("status")["waiting"]
    target.ask("allow", {})
    click.echo(f"accepted: {', '.join(owners)}" if owners else "no adb server waits")


@phone.command("set")
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--lang", type=click.Choice(["zh", "en"]), help="The language it speaks.")
@click.option("--dark/--light", default=None, help="Its theme.")
@click.option("--save", metavar="STATE", help="Keep its lasting state under a name while it runs.")
@click.option("--restore", metavar="STATE", help="Put a state back that was saved; all apps end.")
@plainly
def set_(
    name: str | None, lang: str | None, dark: bool | None, save: str | None, restore: str | None
) -> None:
    """Switch the language or theme of a virtual phone, or save its state and put it back.

    What is put back comes first, and what is saved comes last.

    \b
    Example:
        garabench phone set --lang en --dark --save english
    """
    target = detached.find(name)
    if restore is not None:
        target.ask("restore", {"name": restore})
    if lang is not None:
        target.ask("language", {"lang": lang})
    if dark is not None:
        target.ask("dark", {"on": dark})
    if save is not None:
        target.ask("save", {"name": save})
    status = target.ask("status")
    theme = "dark" if status["dark"] else "light"
    click.echo(f"{target.name}: {status['lang']}, {theme}; saved: {', '.join(status['kept']) or 'nothing'}")


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--browser/--no-browser", default=True, help="Open it in the browser, or print where it is.")
@plainly
def ui(name: str | None, browser: bool) -> None:
    """Show a running virtual phone in the browser, where a person can tap and type.

    \b
    Example:
        garabench phone ui --no-browser
    """
    found = detached.find(name)
    click.echo(found.url)
    if browser:
        click.launch(found.url)

"""``garabench phone``."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path

import click

from garabench.cli.command_classes import Group
from garabench.cli.error_exits import report_errors
from garabench.core.clock import SystemClock
from garabench.core.suggestions import nearest
from garabench.device.adb_command import adb_command
from garabench.errors import InputError
from garabench.virtual import standalone
from garabench.virtual.android.faults import KNOWN
from garabench.virtual.defects.defect_table import defect_table, find_defect


def complete_name(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the names of running phones."""
    return [each.name for each in standalone.running_phones() if each.name.startswith(incomplete)]


@click.group(cls=Group)
def phone() -> None:
    """Manage standalone virtual phones.

    \b
    Example:
        garabench phone start
    """


@phone.command()
@click.argument("profile", default="android-34")
@click.option("--name", default="phone", show_default=True, help="Set the name of the phone.")
@click.option(
    "--lang",
    type=click.Choice(["zh", "en"]),
    default="zh",
    show_default=True,
    help="Set the system language.",
)
@click.option(
    "--latency",
    type=click.Choice(["instant", "phone", "slow-legacy"]),
    default="phone",
    show_default=True,
    help="Simulate the response times of a phone (phone), of a slow Android 4.4 (slow-legacy), "
    "or none (instant).",
)
@click.option("--seed", default=0, show_default=True, help="Set the random seed.")
@click.option("--emulator", is_flag=True, help="Appear to adb as an emulator (emulator-5554 …).")
@click.option("--foreground", is_flag=True, help="Run in the foreground until Ctrl-C.")
@click.option(
    "--app",
    "apps",
    multiple=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Install your own app, from an app file or its folder; repeatable.",
)
@report_errors
def start(
    profile: str,
    name: str,
    lang: str,
    latency: str,
    seed: int,
    emulator: bool,
    foreground: bool,
    apps: tuple[Path, ...],
) -> None:
    """Start a virtual phone in the background.

    PROFILE is an Android version with an optional screen size, such as android-30:720x1280.

    \b
    Example:
        garabench phone start android-30 --name old-phone
    """
    options = standalone.PhoneOptions(name, profile, lang, latency, seed, emulator, apps)
    if foreground:
        _run_in_foreground(options)
        return
    _print_usage(standalone.start_phone(options, SystemClock()))


def _print_usage(running: standalone.StandalonePhone) -> None:
    click.echo(f"{running.name} is running as {running.serial}")
    click.echo(f"Use it:  {adb_command()} -s {running.serial} shell")
    click.echo(f"See it:  garabench phone ui {running.name}")
    click.echo(f"Stop it: garabench phone stop {running.name}")


def _run_in_foreground(options: standalone.PhoneOptions) -> None:
    with standalone.in_foreground(options, SystemClock()) as (running, process):
        _print_usage(running)
        with contextlib.suppress(KeyboardInterrupt):  # users stop it with Ctrl-C
            process.wait()
    click.echo(f"{running.name} stopped")


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--all", "every", is_flag=True, help="Stop all running phones.")
@report_errors
def stop(name: str | None, every: bool) -> None:
    """Stop a virtual phone.

    NAME may be omitted if only one phone is running.

    \b
    Example:
        garabench phone stop --all
    """
    if every and name:
        raise InputError("give a name or --all, not both")
    clock = SystemClock()
    for each in standalone.running_phones() if every else (standalone.find_phone(name),):
        standalone.stop_phone(each, clock)
        click.echo(f"{each.name} stopped")


@phone.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def list_(as_json: bool) -> None:
    """List the running virtual phones.

    \b
    Example:
        garabench phone list --json
    """
    phones = standalone.running_phones()
    if as_json:
        rows = [{"name": p.name, "serial": p.serial, "profile": p.profile, "pid": p.pid} for p in phones]
        click.echo(json.dumps(rows, indent=2))
        return
    for each in phones:
        click.echo(f"{each.name:20} {each.serial:22} {each.profile}")
    if not phones:
        click.echo("No virtual phone is running. Start one: garabench phone start")


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@click.option(
    "--on", "on", multiple=True, metavar="FAULT[:KEY=VALUE,…]", help="Switch on a fault; repeatable."
)
@click.option("--off", "off", multiple=True, metavar="FAULT", help="Switch off a fault; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def faults(name: str | None, on: tuple[str, ...], off: tuple[str, ...], as_json: bool) -> None:
    """List the faults of virtual phones, or switch them on and off.

    A fault is a behaviour of real devices that test runners must handle. It stays on until it is switched
    off. NAME may be omitted if only one phone is running.

    \b
    Example:
        garabench phone faults
    """
    requests = [_fault(word) for word in on]
    _refuse_both([fault for fault, _ in requests], off)
    if on or off:
        target = standalone.find_phone(name)
        for fault, params in requests:
            target.request("fault", {"name": fault, "on": True, "params": params})
        for word in off:
            target.request("fault", {"name": word, "on": False})
    active: set[str] = set()
    if on or off or name:
        rows = standalone.find_phone(name).request("status")["faults"]
        active = {fault for fault, row in rows.items() if row["on"]}
    if as_json:
        table = {fault: {"about": text, "on": fault in active} for fault, text in KNOWN.items()}
        click.echo(json.dumps(table, ensure_ascii=False, indent=2))
        return
    width = max(map(len, KNOWN))
    for fault, text in KNOWN.items():
        click.echo(f"{'on ' if fault in active else '   '}{fault:{width}} {text}")


def _fault(word: str) -> tuple[str, dict[str, int | str]]:
    fault, _, rest = word.partition(":")
    params: dict[str, int | str] = {}
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise InputError(
                f"{word!r} is not a fault with parameters", hint="Write, for example, slow-dump:ms=3000."
            )
        params[key] = int(value) if value.isdecimal() else value
    return fault, params


def complete_defect(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the ids of defects."""
    return [name for name in defect_table() if name.startswith(incomplete)]


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@click.option(
    "--on",
    multiple=True,
    metavar="DEFECT[:rate=SHARE]",
    shell_complete=complete_defect,
    help="Switch on a defect; with rate=0.5, the feature fails half of the time.",
)
@click.option(
    "--off", multiple=True, metavar="DEFECT", shell_complete=complete_defect, help="Switch off a defect."
)
@click.option("--app", help="List only the defects of the apps whose package contains this text.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def defects(
    name: str | None, on: tuple[str, ...], off: tuple[str, ...], app: str | None, as_json: bool
) -> None:
    """List the defects of virtual phones, or switch them on and off.

    A defect breaks one feature of an app, such as a button that does not react, so tasks that need the
    feature cannot be done. It stays on until it is switched off. With NAME, the list marks the defects that
    are on. With --on or --off, NAME may be omitted if only one phone is running.

    \b
    Example:
        garabench phone defects --app bili
    """
    requests = [_defect(word) for word in on]
    for each in (*(word.partition(":")[0] for word in on), *off):
        find_defect(each)
    _refuse_both([word.partition(":")[0] for word in on], off)
    if app is not None:
        _require_app(app)
    if on or off:
        target = standalone.find_phone(name)
        for request in requests:
            target.request("defect", request)
        for word in off:
            target.request("defect", {"name": word, "on": False})
    active: set[str] = set()
    if on or off or name:
        rows = standalone.find_phone(name).request("status")["defects"]
        active = {defect for defect, row in rows.items() if row["on"]}
    table = {key: defect for key, defect in defect_table().items() if (app or "") in defect.app}
    if as_json:
        values = {
            key: {
                "app": defect.app,
                "kind": defect.kind.value,
                "about": defect.symptom,
                "impact": defect.impact.value,
                "on": key in active,
            }
            for key, defect in table.items()
        }
        click.echo(json.dumps(values, ensure_ascii=False, indent=2))
        return
    width = max(map(len, table), default=0)
    for key, defect in table.items():
        click.echo(f"{'on ' if key in active else '   '}{key:{width}} {defect.symptom}")


def _refuse_both(on: Iterable[str], off: Iterable[str]) -> None:
    if both := sorted(set(on) & set(off)):
        raise InputError(f"--on and --off both name {both[0]!r}", hint="Name it once.")


def _require_app(text: str) -> None:
    """Refuse a text that no package of an app with defects contains."""
    apps = {defect.app for defect in defect_table().values()}
    if not text or not any(text in app for app in apps):
        near = nearest(text, apps | {part for app in apps for part in app.split(".")})
        hint = f"Did you mean {near!r}?" if near else f"Apps with defects: {', '.join(sorted(apps))}"
        raise InputError(f"no app with defects contains {text!r} in its package", hint=hint)


def _defect(word: str) -> dict[str, object]:
    defect, _, parameter = word.partition(":")
    if not parameter:
        return {"name": defect, "on": True}
    key, _, value = parameter.partition("=")
    try:
        if key == "rate":
            return {"name": defect, "on": True, "rate": float(value)}
    except ValueError:
        pass  # the message below says what to write
    raise InputError(
        f"{word!r} is not a defect with a rate", hint="Write, for example, bili-like-dead:rate=0.5."
    )


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@report_errors
def allow(name: str | None) -> None:
    """Accept the keys of adb servers that wait for authorization.

    Keys need to be accepted only while the fault `unauthorized` is on. NAME may be omitted if only one phone
    is running.

    \b
    Example:
        garabench phone allow
    """
    target = standalone.find_phone(name)
    owners = target.request("status")["waiting"]
    target.request("allow", {})
    click.echo(f"accepted: {', '.join(owners)}" if owners else "no adb server is waiting")


@phone.command("set")
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--lang", type=click.Choice(["zh", "en"]), help="Set the system language.")
@click.option("--dark/--light", default=None, help="Set the system theme.")
@click.option("--save", metavar="SNAPSHOT", help="Save a snapshot under this name until the phone stops.")
@click.option("--restore", metavar="SNAPSHOT", help="Restore a saved snapshot; all apps are stopped.")
@report_errors
def set_(
    name: str | None, lang: str | None, dark: bool | None, save: str | None, restore: str | None
) -> None:
    """Set the language or theme, or save or restore a snapshot.

    Without options, the state is printed. A snapshot is restored before, and saved after, all other changes.
    NAME may be omitted if only one phone is running.

    \b
    Example:
        garabench phone set --lang en --dark --save english
    """
    target = standalone.find_phone(name)
    if restore is not None:
        target.request("restore", {"name": restore})
    if lang is not None:
        target.request("language", {"lang": lang})
    if dark is not None:
        target.request("dark", {"on": dark})
    if save is not None:
        target.request("save", {"name": save})
    status = target.request("status")
    theme = "dark" if status["dark"] else "light"
    snapshots = ", ".join(status["snapshots"]) or "none"
    click.echo(f"{target.name}: {status['lang']}, {theme}; snapshots: {snapshots}")


@phone.command()
@click.argument("name", required=False, shell_complete=complete_name)
@click.option(
    "--browser/--no-browser", default=True, help="Open the page in a browser, or only print its address."
)
@report_errors
def ui(name: str | None, browser: bool) -> None:
    """Open a running virtual phone in the browser and use it by hand.

    NAME may be omitted if only one phone is running.

    \b
    Example:
        garabench phone ui --no-browser
    """
    found = standalone.find_phone(name)
    click.echo(found.url)
    if browser:
        click.launch(found.url)
